import { Button, Divider, Group, Select, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import { useState } from 'react'
import { usePage } from '../../api/queries.ts'
import { ClientGuide, titleOfClient, useClients } from '../../components/connect/client-guide.tsx'
import { ClientTiles } from '../../components/connect/client-tiles.tsx'
import { KeyGuard } from '../../components/connect/key-guard.tsx'
import { Listening, useFirstCall } from '../../components/connect/listening.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { keyDays, useMakeAgent, useMakeKey, type NewAgent } from '../../components/connect/make-agent.ts'
import type { Place } from '../../components/forms/unsaved.tsx'
import { Page } from '../../components/frame/page.tsx'
import { SecretOnce } from '../../components/text/code-block.tsx'
import { useMay } from '../../shell/role.ts'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { useVaults } from '../../shell/vault.ts'

const url = describeUrl({ client: '', agent: '' })
const maxAgents = 100
const lead = 'Set up an agent to use this server.'

export function ConnectPage() {
  const { vault } = useVaults()
  const isOwn = useMay('owner')
  if (vault !== undefined && !isOwn) return <OwnersAgentsOnly vaultName={vault.name} />
  return <ConnectSteps vaultName={vault === undefined || vault.isDefault ? undefined : vault.name} />
}

/** Instead of commands that the server would refuse. */
function OwnersAgentsOnly({ vaultName }: { vaultName: string }) {
  const { own } = useVaults()
  const mine = own.find(({ isDefault }) => isDefault) ?? own[0]
  return (
    <Page title="Connect" lead={lead}>
      <EmptyState
        icon={Cable}
        action={
          mine !== undefined && (
            <Button
              renderRoot={(props) => (
                <Link {...props} to="/connect" search={(before) => ({ ...before, vaultId: mine.id })} />
              )}
            >
              Use your own vault
            </Button>
          )
        }
      >
        Only its owner’s agents can work in {vaultName}. Connect yours to a vault of your own.
      </EmptyState>
    </Page>
  )
}

/** `vaultName`: undefined for the person's default vault. */
function ConnectSteps({ vaultName }: { vaultName: string | undefined }) {
  const [{ client: clientId, agent }, setState] = useUrlState(url)
  const clients = useClients(vaultName)
  // Someone who follows a link has chosen already.
  const [isFolded, setFolded] = useState(clientId !== '')
  return (
    <Page
      keepsLead
      title="Connect"
      lead={
        <>
          {lead} It will work in {vaultName === undefined ? 'its default vault' : <b>{vaultName}</b>}.
        </>
      }
    >
      <Loaded query={clients}>
        {({ clients: all }) => {
          const title = titleOfClient(all, clientId)
          return (
            <Stack gap="xl" maw={860}>
              {isFolded && title !== undefined ? (
                <Group gap="xs">
                  <Text>
                    Your agent runs in <b>{title}</b>.
                  </Text>
                  <Button variant="subtle" size="compact-sm" onClick={() => setFolded(false)}>
                    Change
                  </Button>
                </Group>
              ) : (
                <ClientTiles clients={all} value={clientId} onChange={(client) => setState({ client })} />
              )}
              {title !== undefined && (
                <Connection
                  key={`${clientId} ${agent}`}
                  clientId={clientId}
                  title={title}
                  vault={vaultName}
                  agent={agent}
                  onAgent={(chosen) => setState({ agent: chosen })}
                />
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Page>
  )
}

interface ConnectionProps {
  clientId: string
  title: string
  vault: string | undefined
  /** The id of an existing integration, or empty for a new one. */
  agent: string
  onAgent: (integrationId: string) => void
}

function Connection({ clientId, title, vault, agent, onAgent }: ConnectionProps) {
  const [created, setCreated] = useState<NewAgent>()
  const [since] = useState(() => new Date().toISOString())
  const makeAgent = useMakeAgent(setCreated)
  const makeKey = useMakeKey(agent, (agentKey) => setCreated({ integrationId: agent, agentKey }))
  const integrationId = created?.integrationId ?? (agent === '' ? undefined : agent)
  const call = useFirstCall(integrationId ?? '', since)
  return (
    <KeyGuard agentKey={created?.agentKey} isUsed={call.hasCalled} isLeaving={leavesConnection}>
      <Stack gap="lg">
        <Divider />
        <AgentSelect value={agent} onChange={onAgent} title={title} isFixed={created !== undefined} />
        {created === undefined && (
          <Group>
            <Button
              loading={makeAgent.isPending || makeKey.isPending}
              onClick={() =>
                agent === '' ? makeAgent.mutate({ label: title, agentType: clientId }) : makeKey.mutate()
              }
            >
              {agent === '' ? 'Create agent and key' : 'Create key'}
            </Button>
            <Text c="dimmed">or replace svc_... below with a key that you have</Text>
          </Group>
        )}
        {created !== undefined && (
          <SecretOnce secret={created.agentKey} label="Agent key">
            {`Your key is filled in below. Copy it now: it is shown only once. It expires in ${keyDays} days.`}
          </SecretOnce>
        )}
        <section>
          <Title order={2} mb="md">
            {title}
          </Title>
          <ClientGuide clientId={clientId} vault={vault} agentKey={created?.agentKey} />
        </section>
        {integrationId !== undefined && <Listening {...call} />}
      </Stack>
    </KeyGuard>
  )
}

/** Another page, vault, client or agent. */
const leavesConnection = (from: Place, to: Place): boolean => {
  const [before, after] = [from, to].map(({ search }) => url.read(search as Readonly<Record<string, unknown>>))
  return from.pathname !== to.pathname || before?.client !== after?.client || before?.agent !== after?.agent
}

interface AgentSelectProps {
  value: string
  onChange: (integrationId: string) => void
  title: string
  isFixed: boolean
}

function AgentSelect({ value, onChange, title, isFixed }: AgentSelectProps) {
  const { data } = usePage('list-integrations', { limit: maxAgents })
  const agents = data?.integrations.map(({ id, label }) => ({ value: id, label })) ?? []
  return (
    <Select
      label="Agent"
      description="Each memory shows which agent wrote it."
      maw={400}
      data={[{ value: '', label: `New agent: ${title}` }, ...agents]}
      value={value}
      onChange={(chosen) => onChange(chosen ?? '')}
      allowDeselect={false}
      disabled={isFixed}
      searchable={agents.length > 10}
    />
  )
}
