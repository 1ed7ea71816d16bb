import type { Operation } from './operation.ts'

/** What limits and quotas tell apart. Agents' requests are counted by class; people's are only kept from running away. */
export type CountedClass = 'read' | 'write' | 'search' | 'ingest'
export type RequestClass = CountedClass | 'dashboard'

/** Undefined for what is never limited: the operator's own, and what is called before anybody is known. */
export function classOf(
  operation: Pick<Operation, 'audience' | 'scopes' | 'effect' | 'isSentByHooks'>,
): RequestClass | undefined {
  if (operation.audience === 'dashboard') return 'dashboard'
  if (operation.audience !== 'agent') return undefined
  if (operation.isSentByHooks) return 'ingest'
  if (operation.scopes.includes('search')) return 'search'
  return operation.effect === 'read' ? 'read' : 'write'
}
