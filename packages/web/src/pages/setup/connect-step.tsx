import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { usePage } from '../../api/queries.ts'
import { ClientGuide, useClients } from '../../components/client-guide.tsx'
import { ClientTiles } from '../../components/client-tiles.tsx'
import { Listening } from '../../components/listening.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useMakeAgent, type NewAgent } from '../../components/make-agent.ts'
import { toastError } from '../../shell/toasts.tsx'
import type { StepProps } from './setup-page.tsx'

export function ConnectStep({ onNext }: StepProps) {
  const clients = useClients(undefined)
  const [clientId, setClientId] = useState('')
  const [made, setMade] = useState<NewAgent>()
  const [since] = useState(() => new Date().toISOString())
  return (
    <Stack gap="lg">
      <Text>
        Pick the program: it gets a name and a key of its own, so that you can tell who wrote what, and shut it out.
      </Text>
      <Loaded query={clients}>
        {({ clients: all }) => (
          <>
            {made === undefined && <ClientTiles clients={all} value={clientId} onChange={setClientId} />}
            {made === undefined && (
              <MakeButton title={all.find(({ id }) => id === clientId)?.title} clientId={clientId} onMade={setMade} />
            )}
          </>
        )}
      </Loaded>
      {made !== undefined && (
        <>
          <Text>The key is filled in already. It is shown here once.</Text>
          <ClientGuide clientId={clientId} agentKey={made.agentKey} />
          <Listening integrationId={made.integrationId} since={since} />
        </>
      )}
      <Group justify="flex-end">
        <Button variant={made === undefined ? 'default' : 'filled'} onClick={onNext}>
          {made === undefined ? 'Later' : 'Continue'}
        </Button>
      </Group>
    </Stack>
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
      <Button
        loading={make.isPending}
        onClick={() =>
          make.mutate({ label: title, agentType: clientId, adopt }, { onError: (error) => toastError(error) })
        }
      >
        Make a key for {title}
      </Button>
    </Group>
  )
}
