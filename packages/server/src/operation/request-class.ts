import type { Route } from './operation.ts'

/** What limits and quotas tell apart. Agents' requests are counted by class; people's are only kept from running away. */
export type CountedClass = 'read' | 'write' | 'search' | 'ingest'
export type RequestClass = CountedClass | 'person'

/** Undefined for what is never limited: the operator's own, and what is called before anybody is known. */
export function classOf(route: Pick<Route, 'audience' | 'scopes' | 'effect' | 'for'>): RequestClass | undefined {
  if (route.audience === 'person') return 'person'
  if (route.audience !== 'agent') return undefined
  if (route.for.agent?.isSentByHooks) return 'ingest'
  if (route.scopes.includes('search')) return 'search'
  return route.effect === 'read' ? 'read' : 'write'
}
