import type { ReviewItem } from '@holdfast/client/dashboard'
import { Anchor, Group, Text } from '@mantine/core'
import { useAction } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { memoryReads } from '../../components/records/use-memory-actions.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import classes from './review-card.module.css'
import { useAgents } from './use-review.ts'

interface Props {
  vaultId: string
  /** Integration ids, each with the number of its proposals that wait. */
  proposed: Readonly<Record<string, number>>
  /** The proposals on the page. Only these are rejected: nobody rejects what they haven't seen. */
  items: readonly ReviewItem[]
}

/** The agents with several proposals, each with a button to reject all of them that are on the page. */
export function ProposingAgents({ vaultId, proposed, items }: Props) {
  const { mutate } = useAction('decide-review', { refreshes: memoryReads })
  const agentOf = useAgents()
  const agents = Object.entries(proposed)
    .map(([id, count]) => ({ id, count, shown: idsOf(id, items) }))
    .filter(({ shown }) => shown.length > 1)
  if (agents.length === 0) return null
  const rejectAll = (ids: string[]) =>
    mutate(
      { vaultId, kind: 'proposal', decision: 'reject', ids },
      {
        onSuccess: (done) => toastUndo(`${countOf(done.ids.length, 'proposal')} rejected`, () => reopen(done.ids)),
        onError: (error) => toastError(error),
      },
    )
  const reopen = (ids: string[]) =>
    mutate(
      { vaultId, kind: 'proposal', decision: 'reopen', ids },
      { onSuccess: () => toast('Back in review'), onError: (error) => toastError(error) },
    )
  const ask = (label: string, ids: string[]) =>
    confirmStep({
      title: `Reject ${countOf(ids.length, 'proposal')} of ${label}?`,
      body: 'Nothing changes in your records. If it proposes the same, you won’t be asked again for 30 days, unless the record changes.',
      confirmLabel: `Reject ${countOf(ids.length, 'proposal')}`,
      onConfirm: () => rejectAll(ids),
    })
  return (
    <Group gap="xs" mb="md">
      <Text size="sm" c="dimmed">
        Several proposals:
      </Text>
      {agents.map(({ id, count, shown }) => {
        const label = agentOf(id)?.label ?? 'an agent'
        return (
          <Text key={id} size="sm" span className={classes.trusted}>
            {label}, {countOf(count, 'proposal')}{' '}
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-label={`Reject all proposals of ${label}${shown.length < count ? ' that are shown' : ''}`}
              onClick={() => ask(label, shown)}
            >
              {shown.length < count ? `Reject the ${shown.length} shown` : 'Reject all'}
            </Anchor>
          </Text>
        )
      })}
    </Group>
  )
}

/** Most that one call takes. */
const most = 100

const idsOf = (integrationId: string, items: readonly ReviewItem[]): string[] =>
  [
    ...new Set(
      items.flatMap(({ proposal }) => (proposal?.by.integrationId === integrationId ? proposal.proposalId : [])),
    ),
  ].slice(0, most)
