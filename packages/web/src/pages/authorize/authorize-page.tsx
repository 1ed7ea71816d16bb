import type { Integration } from '@holdfast/client/dashboard'
import { Alert, Button, Code, Group, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useAction, usePage } from '../../api/queries.ts'
import { describeAccess } from '../../components/connect/agent-access.ts'
import { AgentForm } from '../../components/connect/agent-form.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { callWithProof } from '../../components/forms/call-with-proof.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Page } from '../../components/frame/page.tsx'
import { toastError } from '../../shell/toasts.tsx'
import { useVaults } from '../../shell/vault.ts'
import { readRequest, type AccessRequest } from './read-request.ts'

const maxAgents = 100

/** Where a person decides whether a program may connect. Nothing is chosen in advance, so no single click can allow anything. */
export function AuthorizePage() {
  const { request }: { request?: unknown } = useSearch({ strict: false })
  const packed = typeof request === 'string' ? request : ''
  const asked = useQuery({
    queryKey: ['access-request', packed],
    queryFn: ({ signal }) => readRequest(packed, signal),
    retry: false,
    // Reading it again would make the server ask the program's host again.
    staleTime: Infinity,
  })
  return (
    <Page title="Connect a program" keepsLead lead="A program asks for access to your memory through the MCP server.">
      <Loaded query={asked}>{(found) => <Decision asked={found} />}</Loaded>
    </Page>
  )
}

function Decision({ asked: { asker, request, problem, backTo } }: { asked: AccessRequest }) {
  const goBack = () => location.assign(backTo)
  return (
    <Stack gap="lg" maw={640}>
      <Asker asker={asker} />
      {request === undefined ? (
        <>
          <Alert color="red" role="alert" title="This request can’t be allowed">
            {problem}
          </Alert>
          <Group>
            <Button variant="default" onClick={goBack}>
              Return to {asker.redirectHost}
            </Button>
          </Group>
        </>
      ) : (
        <Choice name={asker.name} request={request} onDeny={goBack} />
      )}
    </Stack>
  )
}

function Asker({ asker: { name, documentHost, redirectHost, isOnThisMachine } }: Pick<AccessRequest, 'asker'>) {
  return (
    <>
      <FactList
        facts={[
          ['Calls itself', `“${name}”`],
          ...(documentHost === null ? [] : [['Described at', <Code key="document">{documentHost}</Code>] as const]),
          [
            'Gets access at',
            <span key="redirect">
              <Code>{redirectHost}</Code>
              {isOnThisMachine && ' (a program on this computer)'}
            </span>,
          ],
        ]}
      />
      <Alert color="yellow" icon={<TriangleAlert size={16} aria-hidden />}>
        Any program can call itself “{name}”. Allow it only if you have just started this yourself and you know{' '}
        <b>{redirectHost}</b>.
      </Alert>
    </>
  )
}

interface ChoiceProps {
  name: string
  request: NonNullable<AccessRequest['request']>
  onDeny: () => void
}

function Choice({ name, request, onDeny }: ChoiceProps) {
  const { data } = usePage('list-integrations', { limit: maxAgents })
  const agents = data?.integrations ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [isAdding, adding] = useDisclosure()
  const agent = agents.find(({ id }) => id === chosen)
  const allow = useAction('create-key', {
    refreshes: ['list-keys', 'list-integrations'],
    send: callWithProof,
    onDone({ redirectTo }) {
      if (redirectTo !== undefined) location.assign(redirectTo)
    },
  })
  return (
    <>
      <Group align="flex-end">
        <Select
          label="Agent"
          description="What it writes is shown with this name, and it can do what this agent can do."
          placeholder="Choose an agent"
          flex={1}
          data={agents.map(({ id, label }) => ({ value: id, label }))}
          value={chosen}
          onChange={setChosen}
          searchable={agents.length > 10}
        />
        <Button variant="default" onClick={adding.open}>
          New agent
        </Button>
      </Group>
      {agent !== undefined && <Access agent={agent} />}
      <Text size="sm" c="dimmed">
        The access ends after 90 days without use. You can end it at any time in Agents &amp; keys.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDeny}>
          Deny
        </Button>
        <Button
          disabled={agent === undefined}
          loading={allow.isPending || allow.isSuccess}
          onClick={() =>
            agent !== undefined &&
            allow.mutate({ integrationId: agent.id, authorization: request }, { onError: (error) => toastError(error) })
          }
        >
          Allow access
        </Button>
      </Group>
      <AgentForm isOpen={isAdding} onClose={adding.close} onCreated={setChosen} label={name} />
    </>
  )
}

function Access({ agent }: { agent: Integration }) {
  const { own: vaults } = useVaults()
  return <FactList facts={[...describeAccess(agent, vaults), ['State', agent.isActive ? 'Active' : 'Paused']]} />
}
