import type { KeyObject } from 'node:crypto'
import type { Actor, AgentActor, PersonActor } from '../auth/actor.ts'
import { scopesOf, type Scope } from '../auth/presets.ts'
import { holdsAnywhere, resolveVault, scopesIn } from '../auth/vault-access.ts'
import type { Authenticator, Credentials } from '../auth/authenticate.ts'
import { inactiveIntegration, invalid, missingScope, notFound, ServiceError, unavailable } from '../core/errors.ts'
import type { JsonValue } from '../core/json.ts'
import type {
  ActivityEntry,
  AgentContext,
  AgentVaultContext,
  PersonContext,
  PersonVaultContext,
  PublicContext,
  Services,
  SessionCookie,
  UnlockedVault,
} from '../operation/context.ts'
import { agentRunId } from '../operation/fields.ts'
import type { Route } from '../operation/operation.ts'
import type { RecordRef } from '../operation/records.ts'
import { classOf } from '../operation/request-class.ts'
import { noteCall } from '../sessions/count-runs.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { countedCall, counting, runCounted } from './count-call.ts'
import { errorResponse, successStatus } from './responses.ts'
import { validate } from './validate.ts'

/** A call as it came in, whatever carried it. The body is read only once the caller has been let in. */
export interface Call {
  requestId: string
  /** The X-Agent-Run-Id header as sent; only agents' calls look at it. */
  runId: string | undefined
  clientAddress: string
  userAgent: string | undefined
  credentials: Credentials
  sessionCookie: SessionCookie
  input(limitBytes: number): Promise<JsonValue>
}

export interface Answer {
  wasCreated: boolean
  body: unknown
}

export type Dispatch = (operation: Route, call: Call) => Promise<Answer>

/**
 * The same steps for every operation, in this order, and the only caller of `run`: credentials (401) → integration active
 * (403) → scope held anywhere (403) → limits of the user (429) → body (400, 413, 415) → vault resolved (400, 403) → scope held in that vault (403) →
 * vault exists (404) → encryption configured (403) → fields (400) → the operation itself.
 */
export function createDispatch(services: Services, authenticator: Authenticator): Dispatch {
  return async (operation, call) => {
    try {
      const base: PublicContext = {
        ...services,
        request: {
          requestId: call.requestId,
          operation: operation.name,
          runId: undefined,
          clientAddress: call.clientAddress,
          userAgent: call.userAgent,
          host: call.credentials.host,
        },
        sessionCookie: call.sessionCookie,
      }
      const body = await runFor(operation, call, base, authenticator)
      return { wasCreated: operation.created(body), body }
    } catch (error) {
      throw explain(error, services)
    }
  }
}

async function runFor(
  operation: Route,
  call: Call,
  base: PublicContext,
  authenticator: Authenticator,
): Promise<unknown> {
  switch (operation.audience) {
    case 'agent': {
      const beganAt = performance.now()
      const actor = await authenticator.agent(call.credentials)
      return runCounted({ operation, actor, beganAt }, base.calls, () =>
        runFollowed(operation, actor, base, (entry) => runForAgent(operation, call, base, actor, entry)),
      )
    }
    case 'person': {
      const actor = await authenticator.dashboard(call.credentials)
      return runFollowed(operation, actor, base, (entry) => runForPerson(operation, call, base, actor, entry))
    }
    case 'operator':
      authenticator.operator(call.credentials)
      return runForOperator(operation, call, base)
    case 'anyone': {
      const output = await operation.run(validate(operation, await readInput(operation, call)), base)
      const userId = userIdIn(operation, output)
      if (userId !== undefined) base.activity.noteSignIn(userId, base.request, successStatus(false))
      return output
    }
  }
}

async function runForOperator(operation: Route, call: Call, base: PublicContext): Promise<unknown> {
  const output = await operation.run(validate(operation, await readInput(operation, call)), base)
  const userId = userIdIn(operation, output)
  if (userId !== undefined && operation.effect !== 'read') base.activity.noteOperator(userId, base.request)
  return output
}

/** Whose account a call without a person's credential was about. */
const userIdIn = (operation: Route, output: unknown) =>
  operation.returns(output).find(({ kind }) => kind === 'user')?.id

/** From here on it is known who calls: what becomes of the call is written down. */
async function runFollowed(
  operation: Route,
  actor: Actor,
  { activity, request }: PublicContext,
  work: (entry: ActivityEntry) => Promise<unknown>,
): Promise<unknown> {
  const entry = activity.begin({ operation, actor, request })
  try {
    const output = await work(entry)
    entry.succeed(operation.returns(output))
    return output
  } catch (error) {
    entry.fail(errorResponse(error).status)
    throw error
  }
}

function runForPerson(
  operation: Route,
  call: Call,
  base: PublicContext,
  actor: PersonActor,
  entry: ActivityEntry,
): Promise<unknown> {
  const work = async () => {
    const input = validate(operation, await readInput(operation, call))
    const counted = counting(base, (tokens) => base.limits.noteTokens(actor.userId, tokens))
    const ctx = await personsContext(operation, input, { ...counted, concerns: concerning(entry) }, actor)
    return operation.run(input, { ...ctx, db: entry.within(ctx.db, operation.about(input), vaultIn(input)) })
  }
  // The operator in somebody's place has no credential of theirs, and may do as much as it takes.
  return actor.credentialId === undefined ? work() : runWithinLimits(operation, base, actor.userId, work)
}

const concerning =
  (entry: ActivityEntry) =>
  (kind: RecordRef['kind'], id: string): void =>
    entry.concerns({ kind, id })

const vaultIn = (input: unknown) => (input as { vaultId?: string }).vaultId?.toLowerCase()

async function personsContext(
  operation: Route,
  input: unknown,
  base: PublicContext & Pick<PersonContext, 'concerns'>,
  actor: PersonActor,
): Promise<PersonContext | PersonVaultContext> {
  const ctx = { ...base, actor, mek: base.keyring.mek(actor) }
  if (operation.vault === 'none' || operation.vault === 'all') return ctx
  const { vaultId } = input as { vaultId: string }
  return { ...ctx, vault: await unlock(ctx, () => ctx.mek, vaultId.toLowerCase(), scopesOf('admin')) }
}

async function runForAgent(
  operation: Route,
  call: Call,
  base: PublicContext,
  actor: AgentActor,
  entry: ActivityEntry,
): Promise<unknown> {
  if (!actor.isActive) throw inactiveIntegration()
  for (const scope of operation.scopes) if (!holdsAnywhere(actor, scope)) throw missingScope(scope)
  return runWithinLimits(operation, base, actor.userId, () => runLetIn(operation, call, base, actor, entry))
}

/** Only now, so that a key cannot use up what it may not do; and before the body, so that what is too much is not read. */
function runWithinLimits(
  operation: Route,
  { limits }: PublicContext,
  userId: string,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const requestClass = classOf(operation)
  return requestClass === undefined ? work() : limits.run(userId, requestClass, work)
}

async function runLetIn(
  operation: Route,
  call: Call,
  base: PublicContext,
  actor: AgentActor,
  entry: ActivityEntry,
): Promise<unknown> {
  const noteTokens = (tokens: number) => {
    base.limits.noteTokens(actor.userId, tokens)
    base.calls.noteTokens(countedCall(operation, actor), tokens)
  }
  const ctx: AgentContext = {
    ...counting(base, noteTokens),
    actor,
    concerns: concerning(entry),
    request: { ...base.request, runId: runIdOf(call) },
  }
  const raw = await readInput(operation, call)
  if (operation.vault === 'none') return runNoted(operation, raw, ctx, entry)
  if (operation.vault === 'all') {
    const mayNameVault = 'vaultId' in operation.input.shape
    if (mayNameVault && (raw.vaultId ?? undefined) !== undefined) await unlockVault(operation, ctx, raw.vaultId)
    const withKey = { ...ctx, mek: ctx.keyring.mek(actor) }
    return runNoted(operation, raw, withKey, entry)
  }
  const vaultId = raw.vaultId ?? (await operation.for.agent?.findVaultId?.(raw, ctx))
  return runNoted(operation, raw, { ...ctx, vault: await unlockVault(operation, ctx, vaultId) }, entry)
}

async function runNoted(
  operation: Route,
  raw: Record<string, JsonValue>,
  ctx: AgentContext | AgentVaultContext,
  entry: ActivityEntry,
): Promise<unknown> {
  const noteAnswer = noteCall(ctx, operation, raw)
  const beganAt = performance.now()
  const since = () => performance.now() - beganAt
  try {
    const input = validate(operation, raw)
    const vaultId = 'vault' in ctx ? ctx.vault.id : vaultIn(input)
    const about = operation.about(input)
    const body = await operation.run(input, { ...ctx, db: entry.within(ctx.db, about, vaultId) })
    const records = operation.returns(body)
    const status = successStatus(operation.created(body))
    noteAnswer({ status, durationMs: since(), records: records.length === 0 ? about : records })
    return body
  } catch (error) {
    noteAnswer({ status: errorResponse(explain(error, ctx)).status, durationMs: since(), records: [] })
    throw error
  }
}

/** Held to what the field of that name takes in a body. */
function runIdOf({ runId }: Call): string | undefined {
  if (runId === undefined || runId === '') return undefined
  const parsed = agentRunId.safeParse(runId)
  if (!parsed.success) throw invalid({ 'X-Agent-Run-Id': parsed.error.issues[0]?.message ?? 'not a run id' })
  return parsed.data
}

async function readInput(operation: Route, call: Call): Promise<Record<string, JsonValue>> {
  const input = await call.input(operation.bodyLimitBytes)
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw invalid({ '': 'the body must be a JSON object' })
  return input
}

async function unlockVault(
  operation: Route,
  ctx: AgentContext,
  requested: JsonValue | undefined,
): Promise<UnlockedVault> {
  const { actor } = ctx
  const vaultId = resolveVault(actor, vaultIdOf(operation, requested))
  const scopes = scopesIn(actor, vaultId)
  for (const scope of operation.scopes) if (!scopes.includes(scope)) throw missingScope(scope)
  return unlock(ctx, () => ctx.keyring.mek(actor), vaultId, scopes)
}

/** 404 for a vault that is not theirs, before anything is said of keys. */
async function unlock(
  { actor: { userId }, db, keyring }: AgentContext | PersonContext,
  mek: () => KeyObject,
  vaultId: string,
  scopes: readonly Scope[],
): Promise<UnlockedVault> {
  const found = await findVaultKeys(db.read, userId, vaultId)
  if (found === undefined) throw notFound('Vault')
  const keys = keyring.vault(mek(), userId, vaultId, found.keys)
  return { id: vaultId, userId, seq: found.seq, keys, settings: found.settings, scopes }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function vaultIdOf(operation: Route, requested: JsonValue | undefined): string | undefined {
  if (requested === undefined || requested === null) {
    if (operation.vault === 'required') throw invalid({ vaultId: 'required (string)' })
    return undefined
  }
  if (typeof requested !== 'string' || !uuid.test(requested))
    throw invalid({ vaultId: 'must be a UUID, such as 0198c5f0-0000-7000-8000-000000000001' })
  return requested.toLowerCase()
}

/** Errors of the store become an honest outage; everything else that is not a ServiceError stays what it is: our mistake. */
function explain(error: unknown, { db }: Services): unknown {
  if (error instanceof ServiceError) return error
  const failure = db.explainFailure(error)
  if (failure === undefined) return error
  return unavailable(failure.reason, { cause: error })
}
