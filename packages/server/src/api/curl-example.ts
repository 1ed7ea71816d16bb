import type { Operation } from '../operation/operation.ts'
import { hasBody } from './openapi.ts'

/** The operation's example as a command for the shell, with `HOLDFAST_URL` and `HOLDFAST_KEY` as its variables. */
export function printCurl(operation: Operation): string {
  const { audience, method, path, examples } = operation
  const query = hasBody(operation) ? '' : new URLSearchParams(Object.entries(examples.input as object)).toString()
  const parts = [
    `curl -s${method === 'GET' || method === 'POST' ? '' : ` -X ${method}`} "$HOLDFAST_URL${path}${query === '' ? '' : `?${query}`}"`,
    ...(audience === 'public' ? [] : ['-H "Authorization: Bearer $HOLDFAST_KEY"']),
    ...(hasBody(operation)
      ? [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(examples.input).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ]
  return parts.join(' \\\n  ')
}
