import { defaultWritePolicy } from '../../packages/server/src/auth/write-policy.ts'
import { changeTypes } from '../../packages/server/src/calls/call.ts'
import type { Route } from '../../packages/server/src/operation/operation.ts'
import { printClientTypes } from './client-types.ts'

/**
 * Prints what the dashboard needs in addition to the client: the operations that need no session, which changes make which
 * responses outdated, and the default that a form begins with.
 */
export function printWebOperations(routes: readonly Route[]): string {
  const open = routes.filter(({ audience }) => audience === 'anyone')
  const addresses = open.map(({ name, method, path }) => `  '${name}': { method: '${method}', path: '${path}' },`)
  const live = routes.filter(({ audience, outdatedBy }) => audience === 'person' && outdatedBy.length > 0)
  const outdated = live.map(({ name, outdatedBy }) => `  '${name}': [${quoted(outdatedBy).join(', ')}],`)
  return `${printClientTypes(open, { prefix: 'Public' })}
export const publicRoutes: Readonly<Record<PublicOperationName, { method: 'GET' | 'POST'; path: string }>> = {
${addresses.join('\n')}
}

/** The record types in the stream of events. */
export const changeTypes = [
${quoted(changeTypes)
  .map((type) => `  ${type},`)
  .join('\n')}
] as const
export type ChangeType = (typeof changeTypes)[number]

/** The changes that make an operation's response outdated. Responses of unlisted operations are not refetched. */
export const outdatedBy: Readonly<Record<string, readonly ChangeType[]>> = {
${outdated.join('\n')}
}

/** What a new agent may do to records that someone else wrote. */
export const defaultWritePolicy = { persons: '${defaultWritePolicy.persons}', agents: '${defaultWritePolicy.agents}' } as const
`
}

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`)
