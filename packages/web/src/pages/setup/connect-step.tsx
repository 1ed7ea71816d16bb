import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isTransient } from '../../api/call-error.ts'
import { useOne } from '../../api/queries.ts'
import { ClientGuide, titleOfClient, useClients } from '../../components/connect/client-guide.tsx'
import { ClientTiles } from '../../components/connect/client-tiles.tsx'
import { Listening } from '../../components/connect/listening.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { keyDays, useMakeAgent, useMakeKey, type NewAgent } from '../../components/connect/make-agent.ts'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import type { StepProps } from './steps.tsx'
import classes from './connect-step.module.css'

/** Set once the agent exists, so a reload continues with it. */
const url = describeUrl({ client: '', agent: '' })

export function ConnectStep({ onNext }: StepProps) {
  const [{ client, agent }, setState] = useUrlState(url)
  const [clientId, setClientId] = useState(client)
  const [agentKey, setAgentKey] = useState<string>()
  const { error } = useOne('list-integrations', { id: agent }, { enabled: agent !== '' })
  // A bookmarked URL may name a deleted agent.
  const hasAgent = agent !== '' && (error === null || isTransient(error))
  const onCreated = (made: NewAgent) => {
    setAgentKey(made.agentKey)
    setState({ client: clientId, agent: made.integrationId })
  }
  const chooseAnother = () => {
    setAgentKey(undefined)
    setState({ agent: '' })
  }
  return (
    <Stack gap="lg">
      {hasAgent ? (
        <>
          {agentKey === undefined ? <LostKey integrationId={agent} onKey={setAgentKey} /> : <FilledIn />}
          <ClientGuide clientId={client} agentKey={agentKey} />
        </>
      ) : (
        <Choice clientId={clientId} onClient={setClientId} onCreated={onCreated} />
      )}
      <div className={hasAgent ? classes.foot : undefined}>
        {hasAgent && <Listening integrationId={agent} />}
        <Group justify="space-between" mt="md">
          {hasAgent && (
            <Button variant="subtle" onClick={chooseAnother}>
              Choose another client
            </Button>
          )}
          <Button ml="auto" variant={hasAgent ? 'filled' : 'default'} onClick={onNext}>
            {hasAgent ? 'Continue' : 'Later'}
          </Button>
        </Group>
      </div>
    </Stack>
  )
}

interface ChoiceProps {
  clientId: string
  onClient: (clientId: string) => void
  onCreated: (agent: NewAgent) => void
}

function Choice({ clientId, onClient, onCreated }: ChoiceProps) {
  const clients = useClients(undefined)
  return (
    <Loaded query={clients}>
      {({ clients: all }) => (
        <>
          <Text>
            Choose your client. It gets its own name and key, so you can see what it wrote and revoke its access.
          </Text>
          <ClientTiles clients={all} value={clientId} onChange={onClient} />
          <CreateKeyButton title={titleOfClient(all, clientId)} clientId={clientId} onCreated={onCreated} />
        </>
      )}
    </Loaded>
  )
}

interface CreateKeyProps {
  title: string | undefined
  clientId: string
  onCreated: (agent: NewAgent) => void
}

function CreateKeyButton({ title, clientId, onCreated }: CreateKeyProps) {
  const create = useMakeAgent(onCreated)
  if (title === undefined) return null
  return (
    <Group>
      <Button loading={create.isPending} onClick={() => create.mutate({ label: title, agentType: clientId })}>
        Create key for {title}
      </Button>
    </Group>
  )
}

const focus = (element: HTMLElement | null) => element?.focus()

/** Takes the focus, because the button that created the key is gone. */
function FilledIn() {
  return (
    <Text tabIndex={-1} ref={focus}>
      Your key is already filled in. It is shown only once and expires in {keyDays} days.
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
