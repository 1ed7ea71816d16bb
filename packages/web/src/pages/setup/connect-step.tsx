import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isPassing } from '../../api/call-error.ts'
import { useOne, usePage } from '../../api/queries.ts'
import { ClientGuide, titleOfClient, useClients } from '../../components/connect/client-guide.tsx'
import { ClientTiles } from '../../components/connect/client-tiles.tsx'
import { Listening } from '../../components/connect/listening.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { keyDays, useMakeAgent, useMakeKey, type NewAgent } from '../../components/connect/make-agent.ts'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import type { StepProps } from './steps.tsx'
import classes from './connect-step.module.css'

/** Both are known once an agent is made, so that a reload goes on with it. */
const url = describeUrl({ client: '', agent: '' })

export function ConnectStep({ onNext }: StepProps) {
  const [{ client, agent }, setState] = useUrlState(url)
  const [clientId, setClientId] = useState(client)
  const [agentKey, setAgentKey] = useState<string>()
  const { error } = useOne('list-integrations', { id: agent }, { enabled: agent !== '' })
  // An address that somebody kept may name one that is gone.
  const isMade = agent !== '' && (error === null || isPassing(error))
  const onMade = (made: NewAgent) => {
    setAgentKey(made.agentKey)
    setState({ client: clientId, agent: made.integrationId })
  }
  const chooseAnother = () => {
    setAgentKey(undefined)
    setState({ agent: '' })
  }
  return (
    <Stack gap="lg">
      {isMade ? (
        <>
          {agentKey === undefined ? <LostKey integrationId={agent} onKey={setAgentKey} /> : <FilledIn />}
          <ClientGuide clientId={client} agentKey={agentKey} />
        </>
      ) : (
        <Choice clientId={clientId} onClient={setClientId} onMade={onMade} />
      )}
      <div className={isMade ? classes.foot : undefined}>
        {isMade && <Listening integrationId={agent} />}
        <Group justify="space-between" mt="md">
          {isMade && (
            <Button variant="subtle" onClick={chooseAnother}>
              Another program
            </Button>
          )}
          <Button ml="auto" variant={isMade ? 'filled' : 'default'} onClick={onNext}>
            {isMade ? 'Continue' : 'Later'}
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
          <Text>
            Pick the program: it gets a name and a key of its own, so that you can tell who wrote what, and shut it out.
          </Text>
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

const focus = (element: HTMLElement | null) => element?.focus()

/** Has the focus when it comes: what was pressed for the key is gone then. */
function FilledIn() {
  return (
    <Text tabIndex={-1} ref={focus}>
      The key is filled in already. It is shown here once, and ends in {keyDays} days.
    </Text>
  )
}

/** After a reload: the agent is there, and its key is known to nobody unless it was put in. */
function LostKey({ integrationId, onKey }: { integrationId: string; onKey: (agentKey: string) => void }) {
  const make = useMakeKey(integrationId, onKey, { replaces: true })
  return (
    <Group>
      <Text>Its key was shown once. If you have not put it in yet, make another in its place.</Text>
      <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        Make another key
      </Button>
    </Group>
  )
}
