import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  HoldfastError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ScopeDeniedError,
} from '@holdfast/client'
import { counted } from './render/one-line.ts'
import { toArgumentName } from './check-arguments.ts'
import { operationTools } from './generated/operation-tools.ts'
import type { InputSchema } from './schema.ts'
import { argumentFor, type VaultDirectory } from './vault-directory.ts'
import { ToolProblem } from './tool-problem.ts'

interface Called {
  /** The vaults that the key can access. */
  vaults?: VaultDirectory['vaults'] | undefined
  /** The tool's schema, for its argument names. */
  inputSchema: InputSchema
}

/**
 * Explains a failed call to an agent: a code, what happened, and what to do. It never uses the message of an unexpected error,
 * which could contain anything.
 */
export function explainError(error: unknown, { vaults = [], inputSchema }: Called): string {
  if (error instanceof ToolProblem) return `${error.code}: ${error.message}`
  if (!(error instanceof HoldfastError)) return unavailable('internal error in this tool', undefined)
  if (error instanceof BadRequestError) return explainBadRequest(error, inputSchema)
  if (error instanceof AuthenticationError)
    return 'UNAUTHENTICATED: the key is missing, unknown, expired or revoked. Ask the user to create one (holdfast keys create) and to set it as HOLDFAST_KEY or in the client configuration. Do not retry until then.'
  if (error instanceof ScopeDeniedError) return explainScope(error, vaults)
  if (error instanceof PermissionError) return explainPermission(error)
  if (error instanceof NotFoundError && error.message === 'Vault not found')
    return 'NOT_FOUND: Vault not found. Check its id, or pass its name. Without vault, the default is used.'
  if (error instanceof NotFoundError && error.message === 'Message not found')
    return 'NOT_FOUND: no message to this agent has this id. Call read_messages for a list.'
  if (error instanceof NotFoundError)
    return `NOT_FOUND: ${error.message} in this vault. Check the id and the vault, or find it with search_memories (includeArchived=true for archived ones).`
  if (error instanceof ConflictError) return `CONFLICT: ${sentence(error.message)}`
  if (error instanceof QuotaError) return `QUOTA_EXCEEDED: ${sentence(error.message)} Tell the user; do not retry.`
  if (error instanceof RateLimitError) return explainTooMany(error.retryAfter ?? 60)
  return explainOutage(error)
}

export const explainTooMany = (waitSeconds: number) =>
  `RATE_LIMITED: too many requests. Wait ${counted(waitSeconds, 'second')} before the next call, and make fewer calls.`

function explainBadRequest({ status, message, fields }: BadRequestError, schema: InputSchema): string {
  if (status === 413) return `TOO_LARGE: ${sentence(message)} Send less, or split it into several calls.`
  const problems = Object.entries(fields).slice(0, 10)
  const text = problems
    .map(([path, problem]) => (path === '' ? problem : `${translatePath(schema, path)}: ${problem}`))
    .join('; ')
  return `VALIDATION: ${sentence(text === '' ? message.replace(/^Validation failed: /, '') : text)} Correct it and call again.`
}

/** Translates a field path such as `tags.0`. */
function translatePath(schema: InputSchema, path: string): string {
  const [field = '', ...deeper] = path.split('.')
  return [toArgumentName(schema, field), ...deeper].join('.')
}

function explainScope({ scope }: ScopeDeniedError, vaults: VaultDirectory['vaults']): string {
  if (scope !== undefined)
    return `SCOPE_DENIED: this key lacks '${scope}' there. Ask the user to give its integration a preset with this scope, or continue without it.`
  const names = vaults.slice(0, 20).map((vault) => JSON.stringify(argumentFor(vault)))
  return `SCOPE_DENIED: this key has no access to that vault. ${names.length === 0 ? 'Ask the user.' : `Allowed: ${names.join(', ')}.`}`
}

function explainPermission({ message }: PermissionError): string {
  if (message.startsWith('Integration encryption'))
    return 'ENCRYPTION_NOT_CONFIGURED: integration encryption is not configured. Ask the user to re-create the integration from the dashboard.'
  if (message === 'Integration is inactive')
    return 'INTEGRATION_INACTIVE: the integration of this key is inactive. Ask the user to activate it, and continue without memory until then.'
  return `FORBIDDEN: ${sentence(message)}`
}

function explainOutage(error: HoldfastError): string {
  const reason = error instanceof ConnectionError ? error.message : 'a temporary fault'
  return unavailable(reason.replace(/^T/, 't').replace(/\.$/, ''), error.requestId)
}

const unavailable = (reason: string, requestId: string | undefined) =>
  `MEMORY_UNAVAILABLE: ${reason}${requestId === undefined ? '' : ` (request ${requestId})`}. Continue without memory and tell the user once; do not retry in a loop.`

const sentence = (text: string) => useToolNames(/[.!?]$/.test(text) ? text : `${text}.`)

const operations = new Set<string>(operationTools.map(({ operation }) => operation))

/** Replaces operation names with tool names. */
const useToolNames = (text: string) =>
  text.replaceAll(/\b[a-z]+(?:-[a-z]+)+\b/g, (word) => (operations.has(word) ? word.replaceAll('-', '_') : word))
