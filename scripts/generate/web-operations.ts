import { changeTypes } from '../../packages/server/src/calls/call.ts'
import type { Route } from '../../packages/server/src/operation/operation.ts'
import { printClientTypes } from './client-types.ts'

/**
 * What the dashboard knows beyond the client: what a browser may call before anyone has signed in, and which changes make which
 * answers outdated.
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

/** What the stream of events reports as changed. */
export const changeTypes = [
${quoted(changeTypes)
  .map((type) => `  ${type},`)
  .join('\n')}
] as const
export type ChangeType = (typeof changeTypes)[number]

/** The changes that make an operation's answer outdated; nothing that is not listed changes while it is shown. */
export const outdatedBy: Readonly<Record<string, readonly ChangeType[]>> = {
${outdated.join('\n')}
}
`
}

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`)
