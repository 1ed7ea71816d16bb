import type { Integration, ProposedChange, ReviewItem } from '@holdfast/client/dashboard'
import { Alert, Text } from '@mantine/core'
import { Check, TriangleAlert, UnfoldVertical, X } from 'lucide-react'
import { TextChanges } from '../../components/records/text-changes.tsx'
import { Moment, useNow } from '../../components/text/moment.tsx'
import { canAccept, shownChanges } from './can-accept.ts'
import { describeEffect, isMoot } from './describe-effect.ts'
import { nameAgent } from './name-agent.ts'
import { kinds } from './kinds.ts'
import { CardButton, RecordCard, SkipButton } from './record-card.tsx'
import classes from './review-card.module.css'
import type { ReviewActions } from './use-review-actions.ts'
import { isWhole } from './perform.ts'

interface Props {
  item: ReviewItem
  proposal: ProposedChange
  actions: ReviewActions
  agentOf: (integrationId: string | null) => Integration | undefined
  onFocus: () => void
  onSkip: () => void
  onShowWhole: () => void
  isLoadingWhole: boolean
}

/** A change that an agent asks for. Nothing has happened yet. */
export function ProposalCard(props: Props) {
  const { item, proposal, actions, agentOf, onFocus, onSkip } = props
  const { title, recordType, recordId, by, reason } = proposal
  const isGone = title === ''
  return (
    <RecordCard
      item={item}
      title={isGone ? 'Deleted record' : title}
      noteId={recordType === 'note' && !isGone ? recordId : undefined}
      done={
        <span>
          Proposed by {nameAgent(by, agentOf(by.integrationId))}, <Moment at={by.at} />
        </span>
      }
      onFocus={onFocus}
      buttons={
        <>
          {canAccept(item) && <AcceptButton {...props} />}
          <CardButton icon={X} shortcut="r" onClick={() => actions.decide([item], 'reject')}>
            {kinds.proposal.reject}
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
      <Proposed item={item} proposal={proposal} />
    </RecordCard>
  )
}

/** What accepting would do, or why it can't be accepted. */
function Proposed({ item, proposal }: Pick<Props, 'item' | 'proposal'>) {
  const nowMs = useNow()
  const { problem, isOutdated } = proposal
  const changes = shownChanges(item)
  const effect = describeEffect(proposal, changes, nowMs)
  if (problem !== null) return <Notice>This can no longer be accepted. {problem}</Notice>
  if (isMoot(proposal, changes))
    return <Notice>There is nothing left to accept: someone has already made this change.</Notice>
  return (
    <>
      {effect !== undefined && <Text size="sm">{effect}</Text>}
      {isOutdated && (
        <Notice>The text has changed since this was proposed. You see what accepting would change now.</Notice>
      )}
      {changes.length > 0 && (
        <div className={classes.changes}>
          <TextChanges changes={changes} />
        </div>
      )}
      {!isWhole(item) && <Notice>This is only a part. The rest can contain more changes.</Notice>}
    </>
  )
}

/** Accepts what is shown, or first shows it all. */
function AcceptButton({ item, actions, onShowWhole, isLoadingWhole }: Props) {
  if (!isWhole(item))
    return (
      <CardButton isMain icon={UnfoldVertical} shortcut="a" isBusy={isLoadingWhole} onClick={onShowWhole}>
        Show the whole change
      </CardButton>
    )
  return (
    <CardButton isMain icon={Check} shortcut="a" onClick={() => actions.decide([item], 'accept')}>
      {kinds.proposal.accept}
    </CardButton>
  )
}

function Notice({ children }: { children: React.ReactNode }) {
  return (
    <Alert color="yellow" variant="light" p="xs" icon={<TriangleAlert size={16} aria-hidden />}>
      {children}
    </Alert>
  )
}
