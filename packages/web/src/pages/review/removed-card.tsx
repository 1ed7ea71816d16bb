import type { Integration, Removal, ReviewItem } from '@holdfast/client/dashboard'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Check, Undo2 } from 'lucide-react'
import { Moment } from '../../components/text/moment.tsx'
import { nameAgent } from './name-agent.ts'
import { kinds } from './kinds.ts'
import { CardButton, RecordCard, SkipButton } from './record-card.tsx'
import type { ReviewActions } from './use-review-actions.ts'

interface Props {
  item: ReviewItem
  removed: Removal
  actions: ReviewActions
  agentOf: (integrationId: string | null) => Integration | undefined
  onFocus: () => void
  onSkip: () => void
}

/** What a person wrote and an agent archived, replaced, let expire or moved to the trash. */
export function RemovedCard({ item, removed, actions, agentOf, onFocus, onSkip }: Props) {
  const { recordType, recordId, title, reason, successor } = removed
  return (
    <RecordCard
      item={item}
      title={title}
      text={item.memories[0]?.excerpt}
      noteId={recordType === 'note' ? recordId : undefined}
      done={<RemovedBy removed={removed} agentOf={agentOf} />}
      onFocus={onFocus}
      buttons={
        <>
          <CardButton icon={Undo2} shortcut="r" onClick={() => actions.decide([item], 'reject')}>
            {kinds.removed.reject}
          </CardButton>
          <CardButton icon={Check} shortcut="a" onClick={() => actions.decide([item], 'accept')}>
            {kinds.removed.accept}
          </CardButton>
          <SkipButton onSkip={onSkip} />
        </>
      }
    >
      {reason !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Reason: {reason}
        </Text>
      )}
      {successor !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Replaced with:{' '}
          <Anchor underline="always" renderRoot={(props) => <Link {...props} to={`/memories/${successor.memoryId}`} />}>
            {successor.title}
          </Anchor>
        </Text>
      )}
    </RecordCard>
  )
}

const words: Readonly<Record<Exclude<Removal['how'], 'expired'>, string>> = {
  archived: 'Archived by',
  superseded: 'Replaced by',
  trashed: 'Moved to the trash by',
}

function RemovedBy({ removed: { how, integrationId, at }, agentOf }: Pick<Props, 'removed' | 'agentOf'>) {
  const agent = nameAgent({ agentId: null, integrationId }, agentOf(integrationId))
  if (how === 'expired')
    return (
      <span>
        Expired <Moment at={at} />, on a date set by {agent}
      </span>
    )
  return (
    <span>
      {words[how]} {agent}, <Moment at={at} />
    </span>
  )
}
