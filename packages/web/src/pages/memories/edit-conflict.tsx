import { Alert, Button, Group, Text } from '@mantine/core'
import { GitMerge } from 'lucide-react'
import { useOne } from '../../api/queries.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Loaded, SkeletonList } from '../../components/loaded.tsx'
import type { Memory } from '../../generated/operations.ts'

interface Props {
  vaultId: string
  id: string
  /** What was edited here. */
  version: number
  onKeepMine: (newest: Memory) => void
  onTakeTheirs: (newest: Memory) => void
}

/** Somebody else changed the memory while it was edited here. Nothing is lost: both are shown, and one is chosen. */
export function EditConflict({ vaultId, id, version, onKeepMine, onTakeTheirs }: Props) {
  const newest = useOne('browse-memories', { vaultId, id })
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<GitMerge size={18} aria-hidden />}
      title="It was changed meanwhile"
      role="alert"
    >
      <Loaded query={newest} skeleton={<SkeletonList rows={1} />}>
        {({ memory }) =>
          // Until the newer one is here, what is known is what was edited.
          memory.version === version ? (
            <SkeletonList rows={1} />
          ) : (
            <>
              <Text mb="xs">Your text below is not saved yet. Now it says:</Text>
              <CodeBlock isWrapped label={`Version ${memory.version}`} code={memory.content} />
              <Group gap="xs" mt="sm">
                <Button size="xs" variant="default" onClick={() => onKeepMine(memory)}>
                  Keep mine, and save over it
                </Button>
                <Button size="xs" variant="default" onClick={() => onTakeTheirs(memory)}>
                  Begin anew from it
                </Button>
              </Group>
            </>
          )
        }
      </Loaded>
    </Alert>
  )
}
