import type { ConnectOutput } from '@holdfast/client/dashboard'
import { Accordion, Button, List, Stack, Anchor, Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../text/code-block.tsx'
import { withCode } from '../text/with-code.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { useVaults } from '../../shell/vault.ts'
import type { ReactNode } from 'react'

export type ClientInfo = ConnectOutput['clients'][number]

/** The choice for people who write their own agent, which calls the API instead of MCP. */
export const ownCode = { id: 'own-code', title: 'My own code' } as const

/** The title of a client by its id. */
export const titleOfClient = (clients: readonly ClientInfo[], clientId: string): string | undefined =>
  [...clients, ownCode].find(({ id }) => id === clientId)?.title

const shownKey = 'svc_...'

/** The setup of each client for this server's address. `vault`: the name of a vault other than the agent's default. */
export const useClients = (vault: string | undefined) => useOperation('connect', { url: location.origin, vault })

interface Props {
  clientId: string
  vault?: string | undefined
  /** The secret, if the page has it. Otherwise people enter theirs. */
  agentKey?: string | undefined
}

/** The steps to connect one client, with the known values filled in. */
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
  // One way is enough to read. The other takes up half a screen.
  const hasShortWay = client.shell !== null || client.install !== null
  const settings = (
    <CodeBlock
      code={withKey(client.snippet)}
      label={paths.length === 0 ? 'Settings file' : [...new Set(paths)].join(' or ')}
    />
  )
  return (
    <Stack gap="md">
      {client.key === 'environment' && (
        <GuideStep title="Set the key before you start the program">
          <CodeBlock
            code={`export HOLDFAST_KEY=${agentKey ?? shownKey}`}
            label="In your shell or its profile"
            isWrapped
          />
        </GuideStep>
      )}
      {client.key === 'asked' && (
        <GuideStep title={`${client.title} asks for the key when it first starts`}>
          <CodeBlock code={agentKey ?? shownKey} label="Agent key" isWrapped />
        </GuideStep>
      )}
      {client.install !== null && (
        <GuideStep title="Add the server with one click">
          {/* Opens the program, not a page, so it must not be a new tab. */}
          <Button
            component="a"
            href={client.install.link}
            variant="default"
            leftSection={<Plus size={16} aria-hidden />}
          >
            Add to {client.title}
          </Button>
          {client.install.note !== null && (
            <Text size="sm" c="dimmed" mt={6}>
              {client.install.note}
            </Text>
          )}
        </GuideStep>
      )}
      {client.shell !== null && (
        <GuideStep title="Add the server with one command">
          <CodeBlock code={withKey(client.shell)} label="In a shell, for all your projects" isWrapped />
        </GuideStep>
      )}
      {!hasShortWay && <GuideStep title="Add the server to the settings">{settings}</GuideStep>}
      {client.notes.length > 0 && (
        <List size="sm" c="dimmed" spacing={4}>
          {client.notes.map((note) => (
            <List.Item key={note}>{withCode(note)}</List.Item>
          ))}
        </List>
      )}
      <Accordion variant="contained" order={3}>
        {client.plugin !== null && (
          <Accordion.Item value="plugin">
            <Accordion.Control>Install the plugin, for hooks and skills</Accordion.Control>
            <Accordion.Panel>
              <CodeBlock code={client.plugin} label="In a shell" isWrapped />
            </Accordion.Panel>
          </Accordion.Item>
        )}
        {hasShortWay && (
          <Accordion.Item value="settings">
            <Accordion.Control>Add it to the settings instead</Accordion.Control>
            <Accordion.Panel>{settings}</Accordion.Panel>
          </Accordion.Item>
        )}
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

/** For people who write their own agent: two commands, ready to run, that write a memory and find it. */
function RestGuide({ agentKey }: { agentKey: string }) {
  const { vault } = useVaults()
  const place = vault === undefined || vault.isDefault ? {} : { vaultId: vault.id }
  return (
    <Stack gap="md">
      <GuideStep title="Set the address and the key before you start your code">
        <CodeBlock
          code={`export HOLDFAST_URL=${location.origin}\nexport HOLDFAST_KEY=${agentKey}`}
          label="In your shell or its profile"
          isWrapped
        />
      </GuideStep>
      <GuideStep title="Write a memory">
        <CodeBlock
          code={curl('write-memory', { content: 'Ada prefers tabs to spaces.', ...place })}
          label="Write, in a shell"
        />
      </GuideStep>
      <GuideStep title="Search for it">
        <CodeBlock
          code={curl('search-memories', { query: 'How does Ada indent?', ...place })}
          label="Search, in a shell"
        />
      </GuideStep>
      <Text size="sm" c="dimmed">
        Every operation is described in the{' '}
        <Anchor href="/docs/reference" target="_blank" inherit underline="always">
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

function GuideStep({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text fw={600} mb={6}>
        {title}
      </Text>
      {children}
    </div>
  )
}
