import { Alert, Stack, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import { ownCode } from '../../components/connect/client-guide.tsx'
import { Listening, Waiting, type FirstCall } from '../../components/connect/listening.tsx'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { useVaults } from '../../shell/vault.ts'

interface Props {
  call: FirstCall
  clientId: string
  /** The newest memory that an agent has written. */
  written: string | undefined
}

/** Waits for the agent's first call, then for its first memory, and shows it. */
export function FirstMemory({ call, clientId, written }: Props) {
  const isOwnCode = clientId === ownCode.id
  if (written === undefined && !call.hasCalled) return <Listening {...call} />
  if (written === undefined)
    return (
      <Stack gap="xs">
        <Text>
          {isOwnCode
            ? 'Connected. Now write a memory with the second command.'
            : 'Connected. Now tell your agent something worth remembering:'}
        </Text>
        {!isOwnCode && <CodeBlock code="Remember that I prefer tabs to spaces." label="Say to the agent" />}
        <div role="status">
          <Waiting title="Waiting for the first memory…">It appears here automatically.</Waiting>
        </div>
      </Stack>
    )
  return (
    <div role="status">
      <Alert color="kelp" variant="light" icon={<CircleCheck size={18} aria-hidden />} title="Saved">
        <Text component="blockquote" fw={550} mx={0} my={4} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {written}
        </Text>
        {!isOwnCode && <Text>Open a new session and ask what you prefer.</Text>}
      </Alert>
    </div>
  )
}

const maxItems = 100

/** The newest memory written by one of the user's agents. Imported memories don't count, even if an agent once wrote them. */
export function useNewestMemory(): string | undefined {
  const { vault } = useVaults()
  const { data: agents } = usePage('list-integrations', { limit: maxItems })
  const newest = { vaultId: vault?.id ?? '', state: 'all', limit: maxItems } as const
  const { data: memories } = usePage('list-memories', newest, { enabled: vault !== undefined })
  const ids = new Set(agents?.integrations.map(({ id }) => id))
  return memories?.memories.find(({ source }) => source.integrationId !== null && ids.has(source.integrationId))?.title
}
