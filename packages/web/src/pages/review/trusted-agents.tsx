import { Anchor, Group, Text } from '@mantine/core'
import { Moment } from '../../components/text/moment.tsx'
import classes from './review-card.module.css'
import { useLabels } from './use-labels.ts'
import { useTrust } from './use-trust.ts'

interface Props {
  vaultId: string
  /** Integrations, and since when. */
  trusted: Readonly<Record<string, string>>
}

/** Whose guesses are accepted, with a way back. */
export function TrustedAgents({ vaultId, trusted }: Props) {
  const trust = useTrust(vaultId)
  const labelOf = useLabels()
  const agents = Object.entries(trusted)
  if (agents.length === 0) return null
  return (
    <Group gap="xs" mb="md">
      <Text size="sm" c="dimmed">
        Accepted without a look:
      </Text>
      {agents.map(([id, at]) => {
        const label = labelOf(id) ?? 'An agent'
        return (
          <Text key={id} size="sm" span className={classes.trusted}>
            {label}, since <Moment at={at} />{' '}
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-label={`Ask again about the guesses of ${label}`}
              onClick={() => {
                // The button goes, and the focus is not to go with it.
                document.querySelector<HTMLElement>('main')?.focus()
                trust(id, label, false)
              }}
            >
              Ask again
            </Anchor>
          </Text>
        )
      })}
    </Group>
  )
}
