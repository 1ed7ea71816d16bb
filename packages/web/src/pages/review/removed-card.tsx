import type { Removal, ReviewItem } from '@holdfast/client/dashboard'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Check, Undo2 } from 'lucide-react'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { NoteMark, pathOf } from './proposal-card.tsx'
import classes from './review-card.module.css'
import { keyOfItem, type ReviewActions } from './use-review-actions.ts'

interface Props {
  item: ReviewItem
  removed: Removal
  actions: ReviewActions
  labelOf: (integrationId: string) => string | undefined
  onFocus: () => void
}

const words: Readonly<Record<Removal['how'], string>> = {
  archived: 'Archived by',
  superseded: 'Replaced by',
  expired: 'Expired, as set by',
  trashed: 'Moved to the trash by',
}

/** What a person wrote and an agent archived, replaced, let expire or moved to the trash. */
export function RemovedCard({ item, removed, actions, labelOf, onFocus }: Props) {
  const { title, how, integrationId, at, reason, successor } = removed
  const [memory] = item.memories
  return (
    <article className={classes.card} aria-label={title}>
      <div className={classes.side}>
        <span className={classes.facts}>
          {memory === undefined ? <NoteMark /> : <MemoryTypeMark type={memory.memoryType} />}
          <span>
            {words[how]} {labelOf(integrationId) ?? 'a deleted agent'}, <Moment at={at} />
          </span>
        </span>
        <p className={classes.text}>
          <Anchor
            c="inherit"
            underline="hover"
            data-row={keyOfItem(item)}
            onFocus={onFocus}
            renderRoot={(props) => <Link {...props} to={pathOf(removed, memory?.memoryType)} />}
          >
            {memory?.excerpt ?? title}
          </Anchor>
        </p>
        {reason !== null && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Reason: {reason}
          </Text>
        )}
        {successor !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Now instead:{' '}
            <Anchor
              underline="always"
              renderRoot={(props) => <Link {...props} to={`/memories/${successor.memoryId}`} />}
            >
              {successor.title}
            </Anchor>
          </Text>
        )}
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<Undo2 size={14} aria-hidden />}
            loading={actions.isBusy}
            aria-keyshortcuts="1"
            onClick={() => actions.bringBack(item)}
          >
            Restore
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<Check size={14} aria-hidden />}
            loading={actions.isBusy}
            aria-keyshortcuts="l"
            onClick={() => actions.leave(item)}
          >
            Leave it
          </Button>
        </Group>
      </div>
    </article>
  )
}
