import { Anchor, Group, Text } from '@mantine/core'
import { formatDay } from '../../components/text/time-text.ts'
import classes from './review-card.module.css'
import { useAgents, useTrust } from './use-review.ts'

interface Props {
  vaultId: string
  /** Integration ids, each with the time since when its guesses are accepted. */
  trusted: Readonly<Record<string, string>>
}

/** The agents whose guesses are accepted without review, each with a button to stop that. */
export function TrustedAgents({ vaultId, trusted }: Props) {
  const trust = useTrust(vaultId)
  const agentOf = useAgents()
  const agents = Object.entries(trusted)
  if (agents.length === 0) return null
  return (
    <Group gap="xs" mb="md">
      <Text size="sm" c="dimmed">
        Accepted without review:
      </Text>
      {agents.map(([id, at]) => {
        const label = agentOf(id)?.label ?? 'An agent'
        return (
          <Text key={id} size="sm" span className={classes.trusted}>
            {label}, since {formatDay(at)}{' '}
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-label={`Review again: guesses from ${label}`}
              onClick={() => {
                // The button is about to disappear: move the focus first.
                document.querySelector<HTMLElement>('main')?.focus()
                trust(id, label, false)
              }}
            >
              Review again
            </Anchor>
          </Text>
        )
      })}
    </Group>
  )
}
