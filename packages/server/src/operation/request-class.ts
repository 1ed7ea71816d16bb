import type { Operation } from './operation.ts'

/** What limits and quotas tell apart. Agents' requests are counted by class; people's are only kept from running away. */
export type CountedClass = 'read' | 'write' | 'search' | 'ingest'
export type RequestClass = CountedClass | 'dashboard'

/**
 * What hooks send by themselves while an agent works. Counted apart, so that they cannot use up the writes that the agent
 * itself wants to make.
 */
const ingesting: ReadonlySet<string> = new Set(['session-track', 'ingest-turn', 'context-checkpoint'])

/** Undefined for what is never limited: the operator's own, and what is called before anybody is known. */
export function classOf(
  operation: Pick<Operation, 'name' | 'audience' | 'scopes' | 'effect'>,
): RequestClass | undefined {
  if (operation.audience === 'dashboard') return 'dashboard'
  if (operation.audience !== 'agent') return undefined
  if (ingesting.has(operation.name)) return 'ingest'
  if (operation.scopes.includes('search')) return 'search'
  return operation.effect === 'read' ? 'read' : 'write'
}
