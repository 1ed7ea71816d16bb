import { Anchor, Group, Text } from '@mantine/core'
import { useAction } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm.tsx'
import { memoryReads } from '../../components/records/use-memory-actions.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import classes from './review-card.module.css'
import { useAgents } from './use-review.ts'

interface Props {
  vaultId: string
  /** Integration ids, each with the number of its proposals that wait. */
  proposed: Readonly<Record<string, number>>
}

/** The agents with several proposals, each with a button to reject them all. */
export function ProposingAgents({ vaultId, proposed }: Props) {
  const { mutate } = useAction('decide-review', { refreshes: memoryReads })
  const agentOf = useAgents()
  const agents = Object.entries(proposed).filter(([, count]) => count > 1)
  if (agents.length === 0) return null
  const rejectAll = (integrationId: string, expectedCount: number) =>
    mutate(
      { vaultId, kind: 'proposal', decision: 'reject', integrationId, expectedCount },
      {
        onSuccess: ({ ids }) => toast(`${countOf(ids.length, 'proposal')} rejected`),
        onError: (error) => toastError(error),
      },
    )
  const ask = (integrationId: string, label: string, count: number) =>
    confirmStep({
      title: `Reject ${countOf(count, 'proposal')} of ${label}?`,
      body: 'Nothing changes in your records. If it proposes the same again, you won’t be asked for 30 days, unless the record changes.',
      confirmLabel: `Reject ${countOf(count, 'proposal')}`,
      onConfirm: () => rejectAll(integrationId, count),
    })
  return (
    <Group gap="xs" mb="md">
      <Text size="sm" c="dimmed">
        Several proposals:
      </Text>
      {agents.map(([id, count]) => {
        const label = agentOf(id)?.label ?? 'an agent'
        return (
          <Text key={id} size="sm" span className={classes.trusted}>
            {label}, {countOf(count, 'proposal')}{' '}
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-label={`Reject all proposals of ${label}`}
              onClick={() => ask(id, label, count)}
            >
              Reject all
            </Anchor>
          </Text>
        )
      })}
    </Group>
  )
}
