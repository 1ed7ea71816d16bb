import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { refresh } from '../api/queries.ts'
import { toastError } from '../shell/toasts.tsx'

export const keyDays = 90

export interface NewAgent {
  integrationId: string
  agentKey: string
}

interface Wanted {
  label: string
  agentType: string
  /** Becomes this agent, whose keys nobody has been given; else one is made. */
  adopt?: string | undefined
}

/** An agent that can call at once: an integration that reads and writes, and a key for it. */
export function useMakeAgent(onMade: (agent: NewAgent) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: makeAgent,
    onSuccess(agent) {
      void refresh(client, ['list-integrations', 'list-keys'])
      onMade(agent)
    },
    onError: (error) => toastError(error),
  })
}

/** Another key for an agent that is there. */
export function useMakeKey(integrationId: string, onMade: (agentKey: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => makeKey(integrationId),
    onSuccess(agentKey) {
      void refresh(client, ['list-integrations', 'list-keys'])
      onMade(agentKey)
    },
    onError: (error) => toastError(error),
  })
}

async function makeAgent({ label, agentType, adopt }: Wanted): Promise<NewAgent> {
  const profile = { label, agentType, preset: 'read_write' } as const
  const { integration } =
    adopt === undefined
      ? await call('create-integration', profile)
      : await call('update-integration', { id: adopt, ...profile })
  return { integrationId: integration.id, agentKey: await makeKey(integration.id) }
}

async function makeKey(integrationId: string): Promise<string> {
  const expiresAt = new Date(Date.now() + keyDays * 86_400_000).toISOString()
  return (await call('create-key', { integrationId, expiresAt })).agentKey
}
