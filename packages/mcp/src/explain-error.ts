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
import { argumentNameOf } from './check-arguments.ts'
import { operationTools } from './generated/operation-tools.ts'
import type { InputSchema } from './schema.ts'
import { argumentFor, type VaultDirectory } from './vault-directory.ts'
import { ToolProblem } from './tool-problem.ts'

interface Called {
  /** Where the key may work. */
  vaults?: VaultDirectory['vaults'] | undefined
  /** The tool's: fields are named as it names them. */
  inputSchema: InputSchema
}

/**
 * What an agent is told of a call that failed: a code, what happened, and what to do. Never the text of an error that we did
 * not make, which could hold anything.
 */
export function explainError(error: unknown, { vaults = [], inputSchema }: Called): string {
  if (error instanceof ToolProblem) return `${error.code}: ${error.message}`
  if (!(error instanceof HoldfastError)) return unavailable('this tool failed where it should not have', undefined)
  if (error instanceof BadRequestError) return explainBadRequest(error, inputSchema)
  if (error instanceof AuthenticationError)
    return 'UNAUTHENTICATED: the key is missing, unknown, expired or revoked. Ask the user for a new one (holdfast keys create), set as HOLDFAST_KEY or in the configuration of this client; do not retry until then.'
  if (error instanceof ScopeDeniedError) return explainScope(error, vaults)
  if (error instanceof PermissionError) return explainPermission(error)
  if (error instanceof NotFoundError && error.message === 'Vault not found')
    return 'NOT_FOUND: Vault not found. Check its id, or name it; without vault the default one is used.'
  if (error instanceof NotFoundError && error.message === 'Message not found')
    return 'NOT_FOUND: no message to this agent has this id. read_messages lists them.'
  if (error instanceof NotFoundError)
    return `NOT_FOUND: ${error.message} in this vault. Check the id and the vault; search_memories finds what is there, with includeArchived=true also what was archived.`
  if (error instanceof ConflictError) return `CONFLICT: ${sentence(error.message)}`
  if (error instanceof QuotaError) return `QUOTA_EXCEEDED: ${sentence(error.message)} Tell the user; do not retry.`
  if (error instanceof RateLimitError) return explainTooMany(error.retryAfter ?? 60)
  return explainOutage(error)
}

export const explainTooMany = (waitSeconds: number) =>
  `RATE_LIMITED: too many requests. Wait ${waitSeconds} seconds before the next call, and make fewer.`

function explainBadRequest({ status, message, fields }: BadRequestError, schema: InputSchema): string {
  if (status === 413) return `TOO_LARGE: ${sentence(message)} Send less, or in several calls.`
  const problems = Object.entries(fields).slice(0, 10)
  const text = problems
    .map(([path, problem]) => (path === '' ? problem : `${pathIn(schema, path)}: ${problem}`))
    .join('; ')
  return `VALIDATION: ${sentence(text === '' ? message.replace(/^Validation failed: /, '') : text)} Correct it and call again.`
}

/** Such as `tags.0`. */
function pathIn(schema: InputSchema, path: string): string {
  const [field = '', ...deeper] = path.split('.')
  return [argumentNameOf(schema, field), ...deeper].join('.')
}

function explainScope({ scope }: ScopeDeniedError, vaults: VaultDirectory['vaults']): string {
  if (scope !== undefined)
    return `SCOPE_DENIED: this key lacks '${scope}' there. Ask the user to give its integration a preset that has it, or go on without.`
  const names = vaults.slice(0, 20).map((vault) => JSON.stringify(argumentFor(vault)))
  return `SCOPE_DENIED: this key has no access to that vault. ${names.length === 0 ? 'Ask the user.' : `Allowed: ${names.join(', ')}.`}`
}

function explainPermission({ message }: PermissionError): string {
  if (message.startsWith('Integration encryption'))
    return 'ENCRYPTION_NOT_CONFIGURED: integration encryption is not configured. Ask the user to re-create the integration from the dashboard.'
  if (message === 'Integration is inactive')
    return 'INTEGRATION_INACTIVE: the integration of this key is switched off. Ask the user to switch it on; continue without memory until then.'
  return `FORBIDDEN: ${sentence(message)}`
}

function explainOutage(error: HoldfastError): string {
  const reason = error instanceof ConnectionError ? error.message : 'a temporary fault'
  return unavailable(reason.replace(/^T/, 't').replace(/\.$/, ''), error.requestId)
}

const unavailable = (reason: string, requestId: string | undefined) =>
  `MEMORY_UNAVAILABLE: ${reason}${requestId === undefined ? '' : ` (request ${requestId})`}. Continue without memory and tell the user once; do not retry in a loop.`

const sentence = (text: string) => withToolNames(/[.!?]$/.test(text) ? text : `${text}.`)

const operations = new Set<string>(operationTools.map(({ operation }) => operation))

/** The service names operations; here each is a tool. */
const withToolNames = (text: string) =>
  text.replaceAll(/\b[a-z]+(?:-[a-z]+)+\b/g, (word) => (operations.has(word) ? word.replaceAll('-', '_') : word))
