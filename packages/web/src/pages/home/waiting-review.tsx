import type { ReviewItem } from '@holdfast/client/dashboard'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { TextChanges } from '../../components/records/text-changes.tsx'
import { useNow } from '../../components/text/moment.tsx'
import { canAccept, shownChanges } from '../review/can-accept.ts'
import { describeEffect } from '../review/describe-effect.ts'
import { kinds } from '../review/kinds.ts'
import { nameAgent } from '../review/name-agent.ts'
import { isWhole } from '../review/perform.ts'
import { keyOfItem, useJudged } from '../review/use-judged.ts'
import { useAgents } from '../review/use-review.ts'
import { useReviewActions, type ReviewActions } from '../review/use-review-actions.ts'
import classes from './home-page.module.css'
import type { Overview } from './overview.ts'
import { shownItems, useReviewItems } from './use-waiting-review.ts'
import { OnlyFor } from '../../components/frame/only-for.tsx'

/** Longer changes are decided on the page of the review. */
const maxChars = 400

interface Props {
  vaultId: string
  review: Overview['waiting']['review']
}

/** The first proposals and guesses that can be decided from what fits here. */
export function WaitingReview({ vaultId, review }: Props) {
  const judged = useJudged()
  const actions = useReviewActions(vaultId, judged)
  const [proposals, guesses] = useReviewItems(vaultId)
  const found = [
    ...(review.proposal > 0 ? (proposals.data?.items ?? []) : []),
    ...(review.unsure > 0 ? (guesses.data?.items ?? []) : []),
  ]
  const items = found.filter((item) => fitsHere(item) && !judged.has(item)).slice(0, shownItems)
  return items.map((item, at) => (
    <li key={keyOfItem(item)} className={classes.item} data-inner data-rest={at > 0}>
      <div className={classes.text}>{item.kind === 'proposal' ? <Proposed item={item} /> : <Guess item={item} />}</div>
      <OnlyFor needs="editor">
        <Decide item={item} actions={actions} />
      </OnlyFor>
    </li>
  ))
}

function fitsHere(item: ReviewItem): boolean {
  if (item.kind === 'unsure')
    return item.memories.every(({ excerpt, isWhole: all }) => all && excerpt.length <= maxChars)
  const chars = item.changes.reduce((sum, { before, after }) => sum + (before ?? '').length + (after ?? '').length, 0)
  return canAccept(item) && isWhole(item) && chars <= maxChars
}

function Decide({ item, actions }: { item: ReviewItem; actions: ReviewActions }) {
  const { accept, reject } = kinds[item.kind]
  return (
    <Group gap={6} className={classes.act}>
      <Button variant="default" size="xs" onClick={() => actions.decide([item], 'accept')}>
        {accept}
      </Button>
      <Button variant="default" size="xs" onClick={() => actions.decide([item], 'reject')}>
        {reject}
      </Button>
    </Group>
  )
}

function Guess({ item: { memories } }: { item: ReviewItem }) {
  const agentOf = useAgents()
  const [memory] = memories
  if (memory === undefined) return null
  const { id, excerpt, agentId, integrationId } = memory
  return (
    <>
      <Anchor c="inherit" className={classes.whole} renderRoot={(props) => <Link {...props} to={`/memories/${id}`} />}>
        {excerpt}
      </Anchor>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {nameAgent({ agentId, integrationId }, agentOf(integrationId))} isn’t sure
      </Text>
    </>
  )
}

function Proposed({ item }: { item: ReviewItem }) {
  const agentOf = useAgents()
  const nowMs = useNow()
  const { proposal } = item
  if (proposal === null) return null
  const changes = shownChanges(item)
  return (
    <>
      <Anchor c="inherit" className={classes.whole} renderRoot={(props) => <Link {...props} to="/review" />}>
        {proposal.title}
      </Anchor>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Proposed by {nameAgent(proposal.by, agentOf(proposal.by.integrationId))}
        {proposal.reason !== null && `: ${proposal.reason}`}
      </Text>
      <Text size="sm" mt={4}>
        {describeEffect(proposal, changes, nowMs)}
      </Text>
      {changes.length > 0 && <TextChanges changes={changes} />}
    </>
  )
}
