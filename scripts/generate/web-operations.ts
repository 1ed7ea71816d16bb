import type { Operation } from '../../packages/server/src/operation/operation.ts'
import { printClientTypes } from './client-types.ts'

/** What the dashboard may call: types of inputs and answers, and where each operation is found. */
export function printWebOperations(operations: readonly Operation[]): string {
  const routes = operations.map(({ name, method, path }) => `  '${name}': { method: '${method}', path: '${path}' },`)
  return `${printClientTypes(operations)}
export const routes: Readonly<Record<OperationName, { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string }>> = {
${routes.join('\n')}
}
`
}
