/** What limits and quotas tell apart. Agents' requests are counted by class; people's are only kept from running away. */
export type CountedClass = 'read' | 'write' | 'search' | 'ingest'
export type RequestClass = CountedClass | 'person'

interface Asked {
  audience: string
  scopes: readonly string[]
  effect: string
  isSentByHooks: boolean
}

/** Undefined for what is never limited: the operator's own calls, and calls without a credential. */
export function classOf({ audience, scopes, effect, isSentByHooks }: Asked): RequestClass | undefined {
  if (audience === 'person') return 'person'
  if (audience !== 'agent') return undefined
  if (isSentByHooks) return 'ingest'
  if (scopes.includes('search')) return 'search'
  return effect === 'read' ? 'read' : 'write'
}
