import type { Integration, ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { ChangedCard } from './changed-card.tsx'
import classes from './review-card.module.css'
import { kinds } from './kinds.ts'
import { ProposalCard } from './proposal-card.tsx'
import { CardButton, SkipButton } from './record-card.tsx'
import { RemovedCard } from './removed-card.tsx'
import { ReviewSide } from './review-side.tsx'
import { keyOfItem } from './use-judged.ts'
import type { ReviewActions } from './use-review-actions.ts'
import { OnlyFor } from '../../components/frame/only-for.tsx'

interface Props {
  item: ReviewItem
  actions: ReviewActions
  agentOf: (integrationId: string | null) => Integration | undefined
  onEdit: (memory: ReviewedMemory) => void
  /** Accepts all guesses of the agent that stored the memory. */
  onTrust: (memory: ReviewedMemory) => void
  onFocus: () => void
  onSkip: () => void
  onShowWhole: () => void
  isLoadingWhole: boolean
}

export function ReviewCard(props: Props) {
  const { kind, proposal, removed } = props.item
  if (kind === 'changed') return <ChangedCard {...props} />
  if (proposal !== null) return <ProposalCard {...props} proposal={proposal} />
  if (removed !== null) return <RemovedCard {...props} removed={removed} />
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
  onSkip,
}: Props & { kind: 'contradiction' | 'duplicate' | 'unsure' }) {
  const { memories, label, similarity } = item
  const key = keyOfItem(item)
  const isPair = memories.length > 1
  return (
    <article className={classes.card} aria-label={memories.map(({ title }) => title).join(' / ')}>
      {isPair && <About label={label} similarity={similarity} />}
      <div className={classes.sides} data-count={memories.length}>
        {memories.map((memory, at) => (
          <ReviewSide
            key={memory.id}
            memory={memory}
            other={memories.find(({ id }) => id !== memory.id)}
            isPair={isPair}
            row={at === 0 ? key : undefined}
            accept={kinds[kind].accept}
            acceptKey={!isPair ? 'a' : at === 0 ? '1' : '2'}
            onSkip={onSkip}
            onRight={() => (isPair ? actions.prefer(item, memory) : actions.decide([item], 'accept'))}
            onEdit={() => onEdit(memory)}
            onWrong={() => (isPair ? actions.archive(item, memory) : actions.decide([item], 'reject'))}
            agent={kind === 'unsure' ? agentOf(memory.integrationId)?.label : undefined}
            onTrust={() => onTrust(memory)}
            onDismiss={kind === 'unsure' ? () => actions.decide([item], 'dismiss') : undefined}
            onFocus={onFocus}
          />
        ))}
      </div>
      {isPair && (
        <OnlyFor needs="editor">
          <div className={classes.foot}>
            <span className={classes.buttons}>
              <CardButton shortcut="r" onClick={() => actions.decide([item], 'reject')}>
                {kinds[kind].reject}
              </CardButton>
              <SkipButton onSkip={onSkip} />
            </span>
          </div>
        </OnlyFor>
      )}
    </article>
  )
}

/** Why the two are here. */
const About = ({ label, similarity }: Pick<ReviewItem, 'label' | 'similarity'>) => {
  const text = label === null ? describeSimilarity(similarity) : `Agent’s note: ${label}`
  return (
    text !== '' && (
      <Text size="sm" c="dimmed" className={classes.about}>
        {text}
      </Text>
    )
  )
}

function describeSimilarity(similarity: number | null): string {
  if (similarity === null) return ''
  return similarity === 1 ? 'Same meaning, different words' : `${Math.round(similarity * 100)}% similar`
}
