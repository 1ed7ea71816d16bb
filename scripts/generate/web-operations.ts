import { changeTypes } from '../../packages/server/src/operation/change-types.ts'
import type { Operation } from '../../packages/server/src/operation/operation.ts'
import { printClientTypes } from './client-types.ts'

/** What a browser may call before anybody has signed in, and what it is told has changed; the rest the dashboard has from the client. */
export function printPublicOperations(operations: readonly Operation[]): string {
  const routes = operations.map(({ name, method, path }) => `  '${name}': { method: '${method}', path: '${path}' },`)
  return `${printClientTypes(operations, { prefix: 'Public' })}
export const publicRoutes: Readonly<Record<PublicOperationName, { method: 'GET' | 'POST'; path: string }>> = {
${routes.join('\n')}
}

/** What the stream of events tells of. */
export const changeTypes = [
${changeTypes.map((type) => `  '${type}',`).join('\n')}
] as const
export type ChangeType = (typeof changeTypes)[number]
`
}
