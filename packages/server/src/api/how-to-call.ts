import type { Route } from '../operation/operation.ts'
import { hasBody } from './openapi.ts'

/** The audiences of operations in the order of the reference, and their credentials; `` ` `` encloses code. */
export const audiences: readonly { name: Route['audience']; title: string; credential: string }[] = [
  {
    name: 'agent',
    title: 'For agents',
    credential: 'With an agent key, `svc_…`. Create one with `holdfast keys create`.',
  },
  {
    name: 'person',
    title: 'For people',
    credential: `With a dashboard token, \`hfd_…\`, which \`holdfast setup\` prints; with the session cookie that login sets, plus the header
\`X-Requested-With\` on every change; or with the operator's token, which acts for the owner or for the user whose id
is in the header \`X-Holdfast-User\`. Agent keys don't work here.`,
  },
  {
    name: 'operator',
    title: 'For operators',
    credential:
      "With the operator's token, `hfo_…`, which a running server writes to `server.json` in its data folder.",
  },
  { name: 'anyone', title: 'For anyone', credential: 'Without a credential.' },
]

/** The shell variables of the examples: the first is for all, the others for one audience each. */
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

/** The operation's example as a shell command that uses `exampleVariables`. */
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
