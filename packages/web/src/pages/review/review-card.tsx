import type { Integration, ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { Button, Text } from '@mantine/core'
import { X } from 'lucide-react'
import { ChangedCard } from './changed-card.tsx'
import classes from './review-card.module.css'
import { canAccept, ProposalCard } from './proposal-card.tsx'
import { RemovedCard } from './removed-card.tsx'
import { ReviewSide } from './review-side.tsx'
import { keyOfItem, type ReviewActions } from './use-review-actions.ts'

const verdicts = {
  contradiction: 'This is right',
  duplicate: 'Keep this one',
  unsure: 'This is true',
} as const
const dismissals = {
  contradiction: 'Both are true',
  duplicate: 'Not duplicates',
  unsure: 'Leave unsure',
} as const

/** Decides an item in favor of one of its memories. */
export function decide(actions: ReviewActions, item: ReviewItem, memory: ReviewedMemory | undefined): void {
  const { kind, memories } = item
  if (kind === 'proposal') {
    if (canAccept(item)) actions.accept(item)
  } else if (kind === 'removed') actions.bringBack(item)
  else if (kind === 'changed') actions.restoreText(item)
  else if (memory === undefined) return
  else if (kind === 'unsure') actions.confirm(memory)
  else
    actions.prefer(
      memory,
      memories.filter(({ id }) => id !== memory.id),
    )
}

interface Props {
  item: ReviewItem
  actions: ReviewActions
  agentOf: (integrationId: string | null) => Integration | undefined
  onEdit: (memory: ReviewedMemory) => void
  /** Accepts all guesses of the agent that stored the memory. */
  onTrust: (memory: ReviewedMemory) => void
  onFocus: () => void
  onShowWhole: () => void
  isLoadingWhole: boolean
}

export function ReviewCard(props: Props) {
  const { item, actions, agentOf, onFocus, onShowWhole, isLoadingWhole } = props
  const { kind, proposal, removed } = item
  if (kind === 'changed') return <ChangedCard item={item} actions={actions} onFocus={onFocus} />
  if (proposal !== null)
    return (
      <ProposalCard
        item={item}
        proposal={proposal}
        actions={actions}
        agentOf={agentOf}
        onFocus={onFocus}
        onShowWhole={onShowWhole}
        isLoadingWhole={isLoadingWhole}
      />
    )
  if (removed !== null)
    return <RemovedCard item={item} removed={removed} actions={actions} agentOf={agentOf} onFocus={onFocus} />
  return kind === 'proposal' || kind === 'removed' ? null : <MemoriesCard {...props} kind={kind} />
}

function MemoriesCard({
  item,
  kind,
  actions,
  agentOf,
  onEdit,
  onTrust,
  onFocus,
}: Props & { kind: keyof typeof verdicts }) {
  const { memories, label, similarity } = item
  const key = keyOfItem(item)
  const leave = (
    <Button
      variant="subtle"
      size="xs"
      loading={actions.isBusy}
      aria-keyshortcuts="l"
      onClick={() => actions.leave(item)}
    >
      {dismissals[kind]}
    </Button>
  )
  return (
    <article className={classes.card} aria-label={memories.map(({ title }) => title).join(' / ')}>
      <div className={classes.sides} data-count={memories.length}>
        {memories.map((memory, at) => (
          <ReviewSide
            key={memory.id}
            memory={memory}
            // Contradicting memories differ in most words, so marks wouldn't help.
            other={kind === 'duplicate' ? memories.find(({ id }) => id !== memory.id) : undefined}
            verdict={verdicts[kind]}
            shortcut={String(at + 1)}
            row={at === 0 ? key : undefined}
            isBusy={actions.isBusy}
            more={
              kind === 'unsure' && (
                <>
                  <Button
                    variant="default"
                    size="xs"
                    leftSection={<X size={14} aria-hidden />}
                    loading={actions.isBusy}
                    aria-keyshortcuts="#"
                    onClick={() => actions.archive(memory)}
                  >
                    This is wrong
                  </Button>
                  {leave}
                </>
              )
            }
            onVerdict={() => decide(actions, item, memory)}
            onEdit={() => onEdit(memory)}
            onArchive={() => actions.archive(memory)}
            agent={kind === 'unsure' ? agentOf(memory.integrationId)?.label : undefined}
            onTrust={() => onTrust(memory)}
            onFocus={onFocus}
          />
        ))}
      </div>
      {memories.length > 1 && (
        <div className={classes.foot}>
          <Text size="sm" c="dimmed">
            {label === null ? describeSimilarity(similarity) : `Agent’s note: ${label}`}
          </Text>
          {leave}
        </div>
      )}
    </article>
  )
}

function describeSimilarity(similarity: number | null): string {
  if (similarity === null) return ''
  return similarity === 1 ? 'Same meaning, different words' : `${Math.round(similarity * 100)}% similar`
}
