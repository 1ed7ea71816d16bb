import type { JsonObject } from '@holdfast/hosts/clients'

/** Whether an entry of a client's settings is one that was made here: `memory` is what other servers are called, too. */
export function isOurs(present: unknown, entry: JsonObject): boolean {
  if (typeof present !== 'object' || present === null) return false
  const found = present as Record<string, unknown>
  const address = addressOf(found)
  if (address !== undefined) {
    const isTools = /\/mcp\/?$/.test(address.pathname)
    return isTools && (address.host === addressOf(entry)?.host || hasOurKey(found))
  }
  const { args } = found
  return Array.isArray(args) && args.includes('mcp') && (hasOurKey(found) || args.some(isOurProgram))
}

// As the clients of our table call it.
function addressOf(entry: Readonly<Record<string, unknown>>): URL | undefined {
  const text = ['url', 'httpUrl', 'serverUrl', 'uri'].map((name) => entry[name]).find((value) => value !== undefined)
  return typeof text === 'string' ? (URL.parse(text) ?? undefined) : undefined
}

const isOurProgram = (text: unknown) =>
  typeof text === 'string' && /holdfast|packages[\\/]server[\\/]src[\\/]main\.ts$/.test(text)

function hasOurKey({ headers, env, bearer_token_env_var: variable }: Record<string, unknown>): boolean {
  const header = (headers as { Authorization?: unknown } | null | undefined)?.Authorization
  const isBearer =
    typeof header === 'string' && /^Bearer (?:svc_|\$?\{(?:env:)?HOLDFAST_KEY\}|\$\{input:holdfastKey\})/.test(header)
  const hasVariable = typeof env === 'object' && env !== null && ('HOLDFAST_KEY' in env || 'HOLDFAST_URL' in env)
  return isBearer || hasVariable || variable === 'HOLDFAST_KEY'
}
