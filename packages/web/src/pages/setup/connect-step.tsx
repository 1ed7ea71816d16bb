import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { isTransient } from '../../api/call-error.ts'
import { useOne } from '../../api/queries.ts'
import { ClientGuide, titleOfClient, useClients } from '../../components/connect/client-guide.tsx'
import { ClientTiles } from '../../components/connect/client-tiles.tsx'
import { KeyGuard } from '../../components/connect/key-guard.tsx'
import { useFirstCall } from '../../components/connect/listening.tsx'
import { keyDays, useMakeAgent, useMakeKey, type NewAgent } from '../../components/connect/make-agent.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import type { Place } from '../../components/forms/unsaved.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { FirstMemory, useNewestMemory } from './first-memory.tsx'
import { StepBody, type StepProps } from './step-body.tsx'

/** Set once the agent exists, so a reload continues with it. */
const url = describeUrl({ step: '', client: '', agent: '' })

export function ConnectStep({ onBack, onNext }: StepProps) {
  const [{ client, agent }, setState] = useUrlState(url)
  const [clientId, setClientId] = useState(client)
  const [agentKey, setAgentKey] = useState<string>()
  const { error } = useOne('list-integrations', { id: agent }, { enabled: agent !== '' })
  // A bookmarked URL may name a deleted agent.
  const hasAgent = agent !== '' && (error === null || isTransient(error))
  if (!hasAgent)
    return (
      <Choice
        clientId={clientId}
        onClient={setClientId}
        onBack={onBack}
        onNext={onNext}
        onCreated={(created) => {
          setAgentKey(created.agentKey)
          setState({ client: clientId, agent: created.integrationId })
        }}
      />
    )
  return (
    <Connection
      clientId={client}
      integrationId={agent}
      agentKey={agentKey}
      onKey={setAgentKey}
      onBack={() => setState({ agent: '' })}
      onNext={onNext}
    />
  )
}

interface ChoiceProps extends StepProps {
  clientId: string
  onClient: (clientId: string) => void
  onCreated: (agent: NewAgent) => void
}

function Choice({ clientId, onClient, onCreated, onBack, onNext }: ChoiceProps) {
  const clients = useClients(undefined)
  const create = useMakeAgent(onCreated)
  const title = titleOfClient(clients.data?.clients ?? [], clientId)
  return (
    <StepBody
      onBack={onBack}
      next={
        <Group>
          <Button variant="default" onClick={onNext}>
            Later
          </Button>
          {title !== undefined && (
            <Button loading={create.isPending} onClick={() => create.mutate({ label: title, agentType: clientId })}>
              Create key for {title}
            </Button>
          )}
        </Group>
      }
    >
      <Text>Choose your client. It gets its own name and key, so you can see what it wrote and revoke its access.</Text>
      <Loaded query={clients}>
        {({ clients: all }) => <ClientTiles clients={all} value={clientId} onChange={onClient} />}
      </Loaded>
    </StepBody>
  )
}

interface ConnectionProps extends StepProps {
  clientId: string
  integrationId: string
  agentKey: string | undefined
  onKey: (agentKey: string) => void
}

function Connection({ clientId, integrationId, agentKey, onKey, onBack, onNext }: ConnectionProps) {
  const call = useFirstCall(integrationId)
  const written = useNewestMemory()
  return (
    <KeyGuard agentKey={agentKey} isUsed={call.hasCalled} isLeaving={leavesGuide}>
      <StepBody
        onBack={onBack}
        status={<FirstMemory call={call} clientId={clientId} written={written} />}
        next={
          <Button variant={written === undefined ? 'default' : 'filled'} onClick={onNext}>
            Open dashboard
          </Button>
        }
      >
        {agentKey === undefined ? <LostKey integrationId={integrationId} onKey={onKey} /> : <FilledIn />}
        <ClientGuide clientId={clientId} agentKey={agentKey} />
      </StepBody>
    </KeyGuard>
  )
}

/** Another page, another step or another client. The navigation that opens the guide doesn't count. */
const leavesGuide = (from: Place, to: Place): boolean => {
  const [before, after] = [from, to].map(({ search }) => url.read(search as Readonly<Record<string, unknown>>))
  return from.pathname !== to.pathname || before?.step !== after?.step || before?.agent !== after?.agent
}

const focus = (element: HTMLElement | null) => element?.focus()

/** Takes the focus, because the button that created the key is gone. */
function FilledIn() {
  return (
    <Text tabIndex={-1} ref={focus}>
      Your key is already filled in. Copy it now: it is shown only once. It expires in {keyDays} days.
    </Text>
  )
}

/** After a reload, the agent exists but its key can't be shown again. */
function LostKey({ integrationId, onKey }: { integrationId: string; onKey: (agentKey: string) => void }) {
  const create = useMakeKey(integrationId, onKey, { replaces: true })
  return (
    <Group>
      <Text>The key was shown only once. If you haven’t saved it, create a new one.</Text>
      <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
        Create new key
      </Button>
    </Group>
  )
}
