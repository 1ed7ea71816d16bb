import type { Route } from '../operation/operation.ts'
import { hasBody } from './openapi.ts'

/** What the shell variables of the examples hold; the first line stands for all, the others for one audience each. */
export const exampleVariables = `export HOLDFAST_URL=http://127.0.0.1:8420
export HOLDFAST_KEY=svc_...              # for agents: an agent key
export HOLDFAST_TOKEN=hfd_...            # for people: a dashboard token
export HOLDFAST_OPERATOR_TOKEN=hfo_...   # for operators: the token in server.json`

const credentials: Record<Route['audience'], string | undefined> = {
  agent: 'HOLDFAST_KEY',
  person: 'HOLDFAST_TOKEN',
  operator: 'HOLDFAST_OPERATOR_TOKEN',
  anyone: undefined,
}

/** The operation's example as a command for the shell, with `exampleVariables`. */
export function printCurl(operation: Route): string {
  const { audience, method, path, examples } = operation
  const credential = credentials[audience]
  const query = hasBody(operation) ? '' : new URLSearchParams(Object.entries(examples.input as object)).toString()
  const parts = [
    `curl -s${method === 'GET' || method === 'POST' ? '' : ` -X ${method}`} "$HOLDFAST_URL${path}${query === '' ? '' : `?${query}`}"`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...(hasBody(operation)
      ? [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(examples.input).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ]
  return parts.join(' \\\n  ')
}
