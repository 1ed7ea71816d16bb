import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { countOf } from '../../components/time-text.ts'
import type { StepProps } from './setup-page.tsx'

const maxVaults = 100

export function TryStep({ onNext }: StepProps) {
  const { data } = usePage('browse-vaults', { limit: maxVaults })
  const count = data?.vaults.reduce((sum, { memoryCount }) => sum + memoryCount, 0)
  const isThere = count !== undefined && count > 0
  return (
    <Stack>
      <Text>Tell your agent something that is worth keeping:</Text>
      <CodeBlock code="Remember that I prefer tabs to spaces." label="Say to the agent" />
      <div role="status">
        {isThere ? (
          <Alert color="kelp" variant="light" icon={<CircleCheck size={18} aria-hidden />} title="It is remembered">
            {countOf(count, 'memory is', 'memories are')} stored. Open a new session and ask what you prefer.
          </Alert>
        ) : (
          <Alert
            color="gray"
            variant="light"
            icon={<Loader size={16} aria-hidden />}
            title="Waiting for the first memory…"
          >
            It appears here by itself.
          </Alert>
        )}
      </div>
      <Group justify="flex-end">
        <Button variant={isThere ? 'filled' : 'default'} onClick={onNext}>
          To the dashboard
        </Button>
      </Group>
    </Stack>
  )
}
