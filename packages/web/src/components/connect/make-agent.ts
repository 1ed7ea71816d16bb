import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { refresh, type PageOf } from '../../api/queries.ts'
import { toastError } from '../../shell/toasts.tsx'
import { callWithProof } from '../forms/call-with-proof.tsx'

export const keyDays = 90
const maxKeys = 100

export interface NewAgent {
  integrationId: string
  agentKey: string
}

interface Wanted {
  label: string
  agentType: string
}

/** Creates an agent that is ready to call: an integration that can read and write, and a key. */
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

/** Creates another key for an agent. `replaces`: revokes its keys that have an expiry date and were never used, because their secrets are lost. */
export function useMakeKey(
  integrationId: string,
  onMade: (agentKey: string) => void,
  { replaces = false }: { replaces?: boolean } = {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      if (replaces) await revokeUnused(integrationId)
      return makeKey(integrationId)
    },
    onSuccess(agentKey) {
      void refresh(client, ['list-integrations', 'list-keys'])
      onMade(agentKey)
    },
    onError: (error) => toastError(error),
  })
}

async function makeAgent({ label, agentType }: Wanted): Promise<NewAgent> {
  const { integration } = await call('create-integration', { label, agentType, preset: 'read_write' })
  return { integrationId: integration.id, agentKey: await makeKey(integration.id) }
}

async function revokeUnused(integrationId: string): Promise<void> {
  const { keys } = (await call('list-keys', { integrationId, limit: maxKeys })) as PageOf<'list-keys'>
  const unused = keys.filter((key) => key.state === 'valid' && key.lastUsedAt === null && key.expiresAt !== null)
  for (const { id } of unused) await call('revoke-key', { id })
}

async function makeKey(integrationId: string): Promise<string> {
  const expiresAt = new Date(Date.now() + keyDays * 86_400_000).toISOString()
  return secretIn(await callWithProof('create-key', { integrationId, expiresAt }))
}

/** The secret of a key that the person copies. Only keys of programs have none. */
export function secretIn({ agentKey }: { agentKey?: string | undefined }): string {
  if (agentKey === undefined) throw new TypeError('the answer has no secret')
  return agentKey
}

/** The permissions of a key. */
export const presets = [
  { value: 'read_only', label: 'Read only', allows: 'Search and read.' },
  { value: 'read_write', label: 'Read and write', allows: 'Search, read, store, change and archive.' },
  { value: 'admin', label: 'Admin', allows: 'Read, write, and manage settings and vaults.' },
] as const

export type Preset = (typeof presets)[number]['value']

export const nameOfPreset = (preset: string) => presets.find(({ value }) => value === preset)?.label ?? preset

export const describePreset = (preset: string) => presets.find(({ value }) => value === preset)?.allows
