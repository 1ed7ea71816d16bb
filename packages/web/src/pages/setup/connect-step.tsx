import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { usePage } from '../../api/queries.ts'
import { ClientGuide, titleOfClient, useClients } from '../../components/client-guide.tsx'
import { ClientTiles } from '../../components/client-tiles.tsx'
import { Listening } from '../../components/listening.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useMakeAgent, useMakeKey, type NewAgent } from '../../components/make-agent.ts'
import { useUrlState } from '../../shell/url-state.ts'
import type { StepProps } from './setup-page.tsx'
import classes from './connect-step.module.css'

/** Both are known once an agent is made, so that a reload goes on with it. */
const shown = { client: '', agent: '' }

export function ConnectStep({ onNext }: StepProps) {
  const [{ client, agent }, setState] = useUrlState(shown)
  const [clientId, setClientId] = useState(client)
  const [agentKey, setAgentKey] = useState<string>()
  const onMade = (made: NewAgent) => {
    setAgentKey(made.agentKey)
    setState({ client: clientId, agent: made.integrationId })
  }
  return (
    <Stack gap="lg">
      <Text>
        Pick the program: it gets a name and a key of its own, so that you can tell who wrote what, and shut it out.
      </Text>
      {agent === '' ? (
        <Choice clientId={clientId} onClient={setClientId} onMade={onMade} />
      ) : (
        <>
          {agentKey === undefined ? (
            <LostKey integrationId={agent} onKey={setAgentKey} />
          ) : (
            <Text>The key is filled in already. It is shown here once.</Text>
          )}
          <ClientGuide clientId={client} agentKey={agentKey} />
        </>
      )}
      <div className={classes.foot}>
        {agent !== '' && <Listening integrationId={agent} />}
        <Group justify="flex-end" mt="md">
          <Button variant={agent === '' ? 'default' : 'filled'} onClick={onNext}>
            {agent === '' ? 'Later' : 'Continue'}
          </Button>
        </Group>
      </div>
    </Stack>
  )
}

interface ChoiceProps {
  clientId: string
  onClient: (clientId: string) => void
  onMade: (agent: NewAgent) => void
}

function Choice({ clientId, onClient, onMade }: ChoiceProps) {
  const clients = useClients(undefined)
  return (
    <Loaded query={clients}>
      {({ clients: all }) => (
        <>
          <ClientTiles clients={all} value={clientId} onChange={onClient} />
          <MakeButton title={titleOfClient(all, clientId)} clientId={clientId} onMade={onMade} />
        </>
      )}
    </Loaded>
  )
}

interface MakeProps {
  title: string | undefined
  clientId: string
  onMade: (agent: NewAgent) => void
}

function MakeButton({ title, clientId, onMade }: MakeProps) {
  const integrations = usePage('list-integrations', { limit: 1 })
  const make = useMakeAgent(onMade)
  if (title === undefined || integrations.data === undefined) return null
  const { integrations: found, total } = integrations.data
  // The one that came with the account has never called, since nobody was shown its key.
  const adopt = total === 1 && found[0]?.lastUsedAt === null ? found[0].id : undefined
  return (
    <Group>
      <Button loading={make.isPending} onClick={() => make.mutate({ label: title, agentType: clientId, adopt })}>
        Make a key for {title}
      </Button>
    </Group>
  )
}

/** After a reload: the agent is there, and its key is known to nobody unless it was put in. */
function LostKey({ integrationId, onKey }: { integrationId: string; onKey: (agentKey: string) => void }) {
  const make = useMakeKey(integrationId, onKey)
  return (
    <Group>
      <Text>Its key was shown once. If you have not put it in yet, make another.</Text>
      <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        Make another key
      </Button>
    </Group>
  )
}
