import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useOne, usePage } from '../../api/queries.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import type { StepProps } from './setup-page.tsx'

/** The latest changes that agents made: what people brought along is not what this step waits for. */
const agentsChanges = { actor: 'agent', class: 'content', failed: 'false', limit: 20 } as const

export function TryStep({ onNext }: StepProps) {
  const { data } = usePage('browse-activity', agentsChanges)
  const written = data?.activity.find(({ recordType }) => recordType === 'memories')
  return (
    <Stack>
      <Text>Tell your agent something that is worth keeping:</Text>
      <CodeBlock code="Remember that I prefer tabs to spaces." label="Say to the agent" />
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
            <Remembered vaultId={written.vaultId} id={written.recordId} />
            <Text>Open a new session and ask what you prefer.</Text>
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

/** As it was stored; nothing where it is gone already. */
function Remembered({ vaultId, id }: { vaultId: string | null; id: string | null }) {
  const { data } = useOne(
    'browse-memories',
    { vaultId: vaultId ?? '', id: id ?? '' },
    { enabled: vaultId !== null && id !== null },
  )
  if (data === undefined) return null
  return (
    <Text component="blockquote" fw={550} mx={0} my={4} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
      {data.memory.content}
    </Text>
  )
}
