import { usePage } from '../../api/queries.ts'

/** How pages call whoever wrote, sent or is to do something; people are `user` to the server. */
export const nameOfAgent = (agentId: string | null) => (agentId === 'user' ? 'You' : (agentId ?? 'Unknown'))

const most = 100

/** The agents of a vault as far as they are known: those that were at work lately, and those that may be. Not `user`. */
export function useAgentNames(vaultId: string | undefined, others: readonly string[] = []): string[] {
  const input = { vaultId, withinDays: 90, limit: most }
  const { data: working } = usePage('list-active-agents', input, { enabled: vaultId !== undefined })
  const { data: allowed } = usePage('list-integrations', { limit: most })
  const names = [
    ...(working?.agents.map(({ agentId }) => agentId) ?? []),
    ...(allowed?.integrations.map(({ agentId, label }) => agentId ?? label) ?? []),
    ...others,
  ]
  return [...new Set(names)].filter((name) => name !== 'user').toSorted((a, b) => a.localeCompare(b))
}
