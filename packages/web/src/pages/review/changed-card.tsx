import type { ReviewItem } from '@holdfast/client/dashboard'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Check, Undo2 } from 'lucide-react'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { TextChanges } from '../../components/records/text-changes.tsx'
import { ByLine } from '../../components/records/by-line.tsx'
import classes from './review-card.module.css'
import { keyOfItem, type ReviewActions } from './use-review-actions.ts'
import { isWhole } from './use-whole-proposals.ts'

interface Props {
  item: ReviewItem
  actions: ReviewActions
  onFocus: () => void
}

/** What an agent changed of a person's memory or task. */
export function ChangedCard({ item, actions, onFocus }: Props) {
  const { memories, former, changes } = item
  const [memory] = memories
  if (memory === undefined) return null
  const { id, title, memoryType } = memory
  const to = memoryType === 'task' ? `/tasks/${id}` : `/memories/${id}`
  return (
    <article className={classes.card} aria-label={title}>
      <div className={classes.side}>
        <span className={classes.facts}>
          <MemoryTypeMark type={memoryType} />
          <ByLine size="sm" record={memory} />
        </span>
        <p className={classes.text}>
          <Anchor
            c="inherit"
            underline="hover"
            data-row={keyOfItem(item)}
            onFocus={onFocus}
            renderRoot={(props) => <Link {...props} to={to} />}
          >
            {title}
          </Anchor>
        </p>
        {former === null ? (
          <Text size="sm" c="dimmed">
            Your text isn’t kept: this came from an export without older versions.
          </Text>
        ) : (
          <TextChanges changes={changes} />
        )}
        {!isWhole(item) && (
          <Text size="sm" c="dimmed">
            This is only a part. Open it and compare the versions to see the rest.
          </Text>
        )}
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<Check size={14} aria-hidden />}
            loading={actions.isBusy}
            aria-keyshortcuts="l"
            onClick={() => actions.leave(item)}
          >
            Keep the change
          </Button>
          {former !== null && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Undo2 size={14} aria-hidden />}
              loading={actions.isBusy}
              aria-keyshortcuts="1"
              onClick={() => actions.restoreText(item)}
            >
              Restore your text
            </Button>
          )}
        </Group>
      </div>
    </article>
  )
}
