import { Alert, Button, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { GitMerge } from 'lucide-react'
import { CodeBlock } from '../text/code-block.tsx'
import { Loaded, SkeletonList } from '../feedback/loaded.tsx'

interface Props<Data, Saved extends { version: number }> {
  /** The record as it is now. */
  query: UseQueryResult<Data>
  read: (data: Data) => Saved
  /** What of it may differ from what was edited. */
  print: (newest: Saved) => string
  /** What was edited here. */
  version: number
  onKeepMine: (newest: Saved) => void
  onTakeTheirs: (newest: Saved) => void
}

/** Somebody else changed the record while it was edited here. Nothing is lost: both are shown, and one is chosen. */
export function EditConflict<Data, Saved extends { version: number }>(props: Props<Data, Saved>) {
  const { query, read, print, version, onKeepMine, onTakeTheirs } = props
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<GitMerge size={18} aria-hidden />}
      title="It was changed meanwhile"
      role="alert"
    >
      <Loaded query={query} skeleton={<SkeletonList rows={1} />}>
        {(data) => {
          const newest = read(data)
          // Until the newer one is here, what is known is what was edited.
          if (newest.version === version) return <SkeletonList rows={1} />
          return (
            <>
              <Text mb="xs">Your text below is not saved yet. Now it says:</Text>
              <CodeBlock isWrapped label={`Version ${newest.version}`} code={print(newest)} />
              <Group gap="xs" mt="sm">
                <Button size="xs" variant="default" onClick={() => onKeepMine(newest)}>
                  Keep mine, and save over it
                </Button>
                <Button size="xs" variant="default" onClick={() => onTakeTheirs(newest)}>
                  Begin anew from it
                </Button>
              </Group>
            </>
          )
        }}
      </Loaded>
    </Alert>
  )
}
