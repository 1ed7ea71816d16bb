import type { ConnectOutput } from '@holdfast/client/dashboard'
import { Accordion, Code, List, Stack } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../text/code-block.tsx'
import { GuideStep } from './guide-step.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { RestGuide } from './rest-guide.tsx'

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
