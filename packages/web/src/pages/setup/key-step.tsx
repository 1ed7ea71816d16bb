import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import type { StepProps } from './setup-page.tsx'

export function KeyStep({ onNext }: StepProps) {
  const system = useOperation('system', {})
  const [hasCopy, setHasCopy] = useState(false)
  return (
    <Stack>
      <Text>
        Everything that is stored here is sealed. One key opens it all, and a backup cannot be read without it: put a
        copy of this file, or of what is in it, somewhere else, such as a password manager or another disk.
      </Text>
      <Loaded query={system}>
        {({ server }) =>
          server === null ? (
            <Text>The owner of this server keeps the key.</Text>
          ) : (
            <CodeBlock
              code={server.rootKeyOrigin}
              label="The file that holds the key, on the server’s machine"
              isWrapped
            />
          )
        }
      </Loaded>
      <Checkbox
        label="I have put a copy elsewhere"
        checked={hasCopy}
        onChange={({ currentTarget }) => setHasCopy(currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button variant={hasCopy ? 'filled' : 'default'} onClick={onNext}>
          {hasCopy ? 'Continue' : 'Later'}
        </Button>
      </Group>
    </Stack>
  )
}
