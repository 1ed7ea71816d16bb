import type { ConnectOutput } from '@holdfast/client/dashboard'
import { Accordion, Code, List, Stack, Anchor, Text } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../text/code-block.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { useVaults } from '../../shell/vault.ts'
import type { ReactNode } from 'react'

export type ClientInfo = ConnectOutput['clients'][number]

/** For whoever writes the agent themselves: beside the programs, which speak MCP, the one that calls the API. */
export const ownCode = { id: 'own-code', title: 'My own code' } as const

/** What there is to choose from, by its id. */
export const titleOfClient = (clients: readonly ClientInfo[], clientId: string): string | undefined =>
  [...clients, ownCode].find(({ id }) => id === clientId)?.title

const shownKey = 'svc_...'

/** What the programs want to be told, as seen from here. `vault` is a name, for agents that are to work in another than their own. */
export const useClients = (vault: string | undefined) => useOperation('connect', { url: location.origin, vault })

interface Props {
  clientId: string
  vault?: string | undefined
  /** The secret, if it is known here; else people put in theirs. */
  agentKey?: string | undefined
}

/** How to connect one client, step by step, with everything filled in that is known. */
export function ClientGuide({ clientId, vault, agentKey }: Props) {
  const clients = useClients(vault)
  if (clientId === ownCode.id) return <RestGuide agentKey={agentKey ?? shownKey} />
  return (
    <Loaded query={clients}>
      {({ clients: all, agentsMd }) => {
        const client = all.find(({ id }) => id === clientId)
        return client === undefined ? null : <Guide client={client} agentsMd={agentsMd} agentKey={agentKey} />
      }}
    </Loaded>
  )
}

function Guide({ client, agentsMd, agentKey }: { client: ClientInfo; agentsMd: string; agentKey: string | undefined }) {
  const withKey = (text: string) => (agentKey === undefined ? text : text.replaceAll(shownKey, () => agentKey))
  const paths = client.files.map(({ path }) => path)
  return (
    <Stack gap="md">
      {client.key === 'environment' && (
        <GuideStep title="Put the key where the program is started">
          <CodeBlock
            code={`export HOLDFAST_KEY=${agentKey ?? shownKey}`}
            label="In the shell, or in its profile"
            isWrapped
          />
        </GuideStep>
      )}
      {client.key === 'asked' && (
        <GuideStep title={`${client.title} asks for the key at its first start`}>
          <CodeBlock code={agentKey ?? shownKey} label="Agent key" isWrapped />
        </GuideStep>
      )}
      {client.shell !== null && (
        <GuideStep title="Add the server with one command">
          <CodeBlock code={withKey(client.shell)} label="In a shell, for all your projects" isWrapped />
        </GuideStep>
      )}
      <GuideStep title={client.shell === null ? 'Add the server to its settings' : 'Or add it to its settings'}>
        <CodeBlock
          code={withKey(client.snippet)}
          label={paths.length === 0 ? 'Where it keeps its settings' : [...new Set(paths)].join(' or ')}
        />
      </GuideStep>
      {client.notes.length > 0 && (
        <List size="sm" c="dimmed" spacing={4}>
          {client.notes.map((note) => (
            <List.Item key={note}>{withCode(note)}</List.Item>
          ))}
        </List>
      )}
      <Accordion variant="contained" order={3}>
        <Accordion.Item value="agents-md">
          <Accordion.Control>Tell your agents when to use it (AGENTS.md)</Accordion.Control>
          <Accordion.Panel>
            <CodeBlock code={agentsMd} label="AGENTS.md in the project" isWrapped />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  )
}

/** What stands between backticks is code. */
const withCode = (text: string) =>
  text.split(/(`[^`]*`)/).map((part) => (part.startsWith('`') ? <Code key={part}>{part.slice(1, -1)}</Code> : part))

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

export function GuideStep({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text fw={600} mb={6}>
        {title}
      </Text>
      {children}
    </div>
  )
}
