import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import { ownCode } from '../../components/connect/client-guide.tsx'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { useVaults } from '../../shell/vault.ts'
import type { StepProps } from './setup-page.tsx'

const most = 100
const shown = { client: '' }

export function TryStep({ onNext }: StepProps) {
  const written = useFirstWritten()
  const [{ client }] = useUrlState(shown)
  return (
    <Stack>
      {client === ownCode.id ? (
        <Text>Have your code write a memory, or send the first command of the step before.</Text>
      ) : (
        <>
          <Text>Tell your agent something that is worth keeping:</Text>
          <CodeBlock code="Remember that I prefer tabs to spaces." label="Say to the agent" />
        </>
      )}
      <div role="status">
        {written === undefined ? (
          <Alert
            color="gray"
            variant="light"
            icon={<Loader size={16} aria-hidden />}
            title="Waiting for the first memory…"
          >
            It appears here by itself.
          </Alert>
        ) : (
          <Alert color="kelp" variant="light" icon={<CircleCheck size={18} aria-hidden />} title="It is remembered">
            <Text component="blockquote" fw={550} mx={0} my={4} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
              {written}
            </Text>
            {client !== ownCode.id && <Text>Open a new session and ask what you prefer.</Text>}
          </Alert>
        )}
      </div>
      <Group justify="flex-end">
        <Button variant={written === undefined ? 'default' : 'filled'} onClick={onNext}>
          To the dashboard
        </Button>
      </Group>
    </Stack>
  )
}

/** The newest memory of an agent that is here. What people bring along is none, even where it says that an agent once wrote it. */
function useFirstWritten(): string | undefined {
  const { vault } = useVaults()
  const { data: agents } = usePage('list-integrations', { limit: most })
  const newest = { vaultId: vault?.id ?? '', state: 'all', limit: most } as const
  const { data: memories } = usePage('list-memories', newest, { enabled: vault !== undefined })
  const ids = new Set(agents?.integrations.map(({ id }) => id))
  return memories?.memories.find(({ source }) => source.integrationId !== null && ids.has(source.integrationId))?.title
}
