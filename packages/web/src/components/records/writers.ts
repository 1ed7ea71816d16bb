/** Who shaped a text, as answers name them. */
export interface Written {
  /** The author. */
  agentId: string | null
  source: { integrationId: string | null; trust: string } | null
  changedBy: Name | null
}

interface Name {
  agentId: string | null
  integrationId: string | null
}

/**
 * `you`, `you, changed by codex` or `codex`. A text that an agent has shaped is never called yours alone, and agents' names that could
 * be read as more than a name are in quotation marks.
 */
export function nameWriters({ agentId, source, changedBy }: Written): string {
  if (source === null) return 'no one'
  if (source.trust === 'user_authored') return you
  const names = [{ agentId, integrationId: source.integrationId }, ...(changedBy === null ? [] : [changedBy])]
  if (names.every(isPerson)) return source.trust === 'imported' ? 'an imported file' : `${you} and agents`
  return [...new Set(names.map(nameWriter))].join(', changed by ')
}

const you = 'you'

/** No agent can call itself `user`. */
const isPerson = ({ agentId, integrationId }: Name) => integrationId === null && agentId === 'user'

export function nameWriter(name: Name): string {
  if (isPerson(name)) return you
  const { agentId } = name
  if (agentId === null) return 'unknown'
  return /^[\w.@/:-]+$/.test(agentId) && agentId.toLowerCase() !== you
    ? agentId
    : `“${agentId.replaceAll(/[“”]/g, '')}”`
}
