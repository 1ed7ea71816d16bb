import { Button, Group, Stack, Text } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { EmbeddingsState } from '../../components/feedback/state-badge.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import type { StepProps } from './setup-page.tsx'

export function SearchStep({ onNext }: StepProps) {
  const system = useOperation('system', {})
  return (
    <Stack>
      <Text>
        Search finds words, links, and with a model also what means the same. The built-in model needs nothing: no
        download, no key, no network.
      </Text>
      <Loaded query={system}>
        {({ embeddings }) => <FactList facts={[['Model', <EmbeddingsState key="model" embeddings={embeddings} />]]} />}
      </Loaded>
      <Text size="sm" c="dimmed">
        Another one, on this machine or behind an address, can be set at any time with <code>HOLDFAST_EMBEDDINGS</code>;
        what is stored by then is taken along.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onNext}>Continue</Button>
      </Group>
    </Stack>
  )
}
