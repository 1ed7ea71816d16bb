import { Anchor, Stack, Text } from '@mantine/core'
import { useVaults } from '../../shell/vault.ts'
import { CodeBlock } from '../text/code-block.tsx'
import { GuideStep } from './guide-step.tsx'

/** For people who write the agent themselves: a memory written and found again, by two commands that work as they stand. */
export function RestGuide({ agentKey }: { agentKey: string }) {
  const { vault } = useVaults()
  const place = vault === undefined || vault.isDefault ? {} : { vaultId: vault.id }
  return (
    <Stack gap="md">
      <GuideStep title="Put the address and the key where your code is started">
        <CodeBlock
          code={`export HOLDFAST_URL=${location.origin}\nexport HOLDFAST_KEY=${agentKey}`}
          label="In the shell, or in its profile"
          isWrapped
        />
      </GuideStep>
      <GuideStep title="Write a memory">
        <CodeBlock
          code={curl('write-memory', { content: 'Ada prefers tabs to spaces.', ...place })}
          label="Writing, in a shell"
        />
      </GuideStep>
      <GuideStep title="Find it again">
        <CodeBlock
          code={curl('search-memories', { query: 'How does Ada indent?', ...place })}
          label="Searching, in a shell"
        />
      </GuideStep>
      <Text size="sm" c="dimmed">
        Every operation is described in the{' '}
        <Anchor href="/docs" target="_blank" inherit underline="always">
          API reference
        </Anchor>{' '}
        and, for language models, in{' '}
        <Anchor href="/llms.txt" target="_blank" inherit underline="always">
          llms.txt
        </Anchor>
        .
      </Text>
    </Stack>
  )
}

const curl = (operation: string, body: object) =>
  [
    `curl -s "$HOLDFAST_URL/api/agent/${operation}"`,
    '-H "Authorization: Bearer $HOLDFAST_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ')
