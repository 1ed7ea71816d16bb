import type { Actor } from '../auth/actor.ts'
import type { Authenticator, Credentials } from '../auth/authenticate.ts'
import { holdsAnywhere, resolveVault, type Scope, scopesIn, scopesOf } from '../auth/vault-access.ts'
import { presetOfRole } from '../auth/vault-roles.ts'
import type { OpenCall } from '../calls/call-log.ts'
import { refs } from '../calls/records.ts'
import type { RunClaim } from '../calls/call.ts'
import { meterEmbeddings, embedOnce } from '../embeddings/provider.ts'
import { inactiveIntegration, invalid, missingScope, notFound } from '../core/errors.ts'
import type { JsonValue } from '../core/json.ts'
import { refuseForeignName } from '../operation/claimed-agent.ts'
import type {
  AgentContext,
  AnswerParts,
  CallContext,
  PersonContext,
  OpenContext,
  PublicContext,
  Services,
  SessionCookie,
  UnlockedVault,
} from '../operation/context.ts'
import { agentRunId as runIdField, common, maxRunIdChars } from '../operation/fields.ts'
import type { Route } from '../operation/operation.ts'
import { validate } from '../operation/parse-input.ts'
import { openSharedVault } from '../vaults/shared-vault.ts'
import { findVaultKeys, hasKeys } from '../vaults/store.ts'
import { explainFailure } from './explain-failure.ts'
import { errorResponse, successStatus } from './payloads.ts'

/** An incoming call over any transport. The body is read after authentication. */
export interface Call {
  requestId: string
  /** The X-Agent-Run-Id header as sent; only used for agents' calls. */
  runId: string | undefined
  clientAddress: string
  userAgent: string | undefined
  credentials: Credentials
  sessionCookie: SessionCookie
  input(limitBytes: number): Promise<JsonValue>
  /** Undefined if the caller wants the whole answer at once. */
  parts?: AnswerParts
}

interface Answer {
  wasCreated: boolean
  body: unknown
}

export type Dispatch = (operation: Route, call: Call) => Promise<Answer>

type Raw = Readonly<Record<string, JsonValue>>

/** The same steps for every operation, and the only caller of `run`. Each step's comment lists the statuses that it may return. */
export function createDispatch(services: Services, authenticator: Authenticator): Dispatch {
  return async (route, call) => {
    const { sessionCookie, parts = noParts } = call
    const base = { ...services, request: describeRequest(route, call), sessionCookie, parts }
    try {
      if (route.audience === 'operator' || route.audience === 'anyone')
        return await runPublic(route, call, base, authenticator)
      const actor = await authenticator[route.audience](call.credentials) // 401
      const entry = services.callLog.begin({ operation: route.called, actor, request: base.request })
      try {
        return await runFor(route, call, { ...base, actor }, entry)
      } catch (error) {
        const explained = await explainFailure(error, services.db)
        entry.fail(errorResponse(explained).status)
        throw explained
      }
    } catch (error) {
      throw await explainFailure(error, services.db)
    }
  }
}

const noParts: AnswerParts = { send() {}, signal: new AbortController().signal }

async function runFor(
  route: Route,
  call: Call,
  caller: PublicContext & { actor: Actor },
  entry: OpenCall,
): Promise<Answer> {
  const { actor } = caller
  if (actor.kind === 'agent') requireScopes(route, actor) // 403
  const refund = await admit(route, caller) // 429
  try {
    const runId = actor.kind === 'agent' ? readRunId(call) : undefined // 400
    const raw = await readInput(route, call) // 400, 413, 415
    const agentId = claimedIn(raw, 'agentId')
    if (actor.kind === 'agent' && agentId !== undefined) await refuseForeignName({ ...caller, actor }, agentId) // 403
    const ctx = {
      ...caller,
      embeddings: meteredFor(route, caller, entry),
      request: { ...caller.request, runId },
      about: (kind, ids) => entry.about(refs(kind, ids)),
    } satisfies CallContext
    const place = await openPlace(route, raw, ctx) // 400, 403, 404
    const run = actor.kind === 'agent' ? claimRun(route, raw, runId) : undefined
    entry.enter({ vaultId: place.vault?.id ?? vaultIdIn(route, raw), vault: place.vault, run })
    const input = validate(route, raw) // 400
    const isDryRun = route.isDryRun?.(input) === true
    if (isDryRun) entry.changeNothing()
    if (route.about !== undefined) entry.about(route.about(input))
    const body = await route.run(input, { ...ctx, ...place, db: entry.within(ctx.db) }) // 404, 409, …
    if (route.effect === 'read' || isDryRun) await refuseErased(route, raw, ctx, place) // 404
    if (place.vault?.isWatched === true && route.effect !== 'read') ctx.webhooks.wake()
    const wasCreated = route.created?.(body) ?? false
    const returns = route.returns?.(body) ?? []
    entry.succeed({ status: successStatus(wasCreated), returns, answerChars: charsOf(body) })
    return { wasCreated, body }
  } catch (error) {
    refund()
    throw error
  }
}

/** Operations for anyone or for the operator: sign-in, set-up, and changes of accounts from the command line. */
async function runPublic(route: Route, call: Call, ctx: PublicContext, authenticator: Authenticator): Promise<Answer> {
  if (route.audience === 'operator') authenticator.operator(call.credentials)
  const openContext = { ...ctx, isOperator: route.audience === 'operator' } satisfies OpenContext
  const body = await route.run(validate(route, await readInput(route, call)), openContext)
  if (route.effect !== 'read') recordForUser(route, body, openContext)
  return { wasCreated: route.created?.(body) ?? false, body }
}

function recordForUser({ returns }: Route, body: unknown, { isOperator, callLog, request }: OpenContext): void {
  const userId = returns?.(body).find(({ kind }) => kind === 'user')?.id
  if (userId === undefined) return
  if (isOperator) callLog.recordOperatorChange(userId, request)
  else callLog.recordSignIn(userId, request, successStatus(false))
}

const describeRequest = (route: Route, call: Call): PublicContext['request'] => ({
  requestId: call.requestId,
  operation: route.name,
  runId: undefined,
  clientAddress: call.clientAddress,
  userAgent: call.userAgent,
  host: call.credentials.host,
})

function requireScopes({ scopes }: Route, actor: AgentContext['actor']): void {
  if (!actor.isActive) throw inactiveIntegration()
  for (const scope of scopes) if (!holdsAnywhere(actor, scope)) throw missingScope(scope)
}

/** After the scopes, so that a key can't use up limits of operations that it may not call; before the body, so that excess isn't read. */
async function admit(
  { limitedAs }: Route,
  { limits, actor }: Pick<Services, 'limits'> & { actor: Actor },
): Promise<() => void> {
  // The operator acting for a person has no credential of theirs and is not limited.
  const isUnlimited = actor.kind === 'person' && actor.credentialId === undefined
  if (limitedAs === undefined || isUnlimited) return () => {}
  return limits.admit(actor.userId, limitedAs, actor.kind === 'agent' ? actor.keyId : undefined)
}

async function readInput({ bodyLimitBytes }: Route, call: Call): Promise<Raw> {
  const input = await call.input(bodyLimitBytes)
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw invalid({ '': 'the body must be a JSON object' })
  return input
}

const claimedIn = (raw: Raw, name: keyof typeof common): string | undefined =>
  raw[name] === undefined ? undefined : common[name].safeParse(raw[name]).data

/** The header has the same limits as the field in a body. */
function readRunId({ runId }: Call): string | undefined {
  if (runId === undefined || runId === '') return undefined
  if (!runIdField.safeParse(runId).success)
    throw invalid({ 'X-Agent-Run-Id': `this header must have at most ${maxRunIdChars} characters` })
  return runId
}

/** How the call names its run and its agent. The body isn't validated yet: an invalid field counts as missing. */
function claimRun(route: Route, raw: Raw, runId: string | undefined): RunClaim | undefined {
  // It records its run itself; only its tool events count as calls.
  if (route.for.agent?.recordsOwnRun) return undefined
  const claimed = (name: keyof typeof common) =>
    raw[name] === undefined ? undefined : common[name].safeParse(raw[name]).data
  return { agentRunId: claimed('agentRunId') ?? runId, agentId: claimed('agentId'), modelId: claimed('modelId') }
}

/** The provider for this call, which embeds each text once and counts tokens. Agents' calls outside of vaults embed nothing. */
function meteredFor(
  route: Route,
  { embeddings, limits, actor }: Pick<Services, 'embeddings' | 'limits'> & { actor: Actor },
  entry: OpenCall,
): Services['embeddings'] {
  if (embeddings === undefined || (actor.kind === 'agent' && route.vault === 'none')) return embeddings
  const metered = meterEmbeddings(embeddings, (tokens) => {
    limits.addTokens(actor.userId, tokens)
    entry.addTokens(tokens)
  })
  return embedOnce(metered)
}

/**
 * A vault that is deleted while a call reads it loses its keys first and then its rows, so the call may have found some or none of them.
 * Writes need no check: they lock the vault's row.
 */
async function refuseErased(route: Route, raw: Raw, { actor, db }: CallContext, { vault }: Place): Promise<void> {
  const named = route.vault === 'all' ? vaultIdIn(route, raw) : undefined
  const vaultId = vault?.id ?? named
  if (vaultId !== undefined && !(await hasKeys(db.read, vault?.userId ?? actor.userId, vaultId)))
    throw notFound('Vault')
}

type Place = Partial<Pick<PersonContext, 'mek' | 'actor'>> & { vault?: UnlockedVault }

/** What the operation works with: one vault with its keys, the owner's key, or nothing encrypted. */
async function openPlace(route: Route, raw: Raw, ctx: CallContext): Promise<Place> {
  const { actor, keyring } = ctx
  const { isInVault } = route
  if (actor.kind === 'person') {
    const mek = keyring.mek(actor)
    return isInVault ? { mek, ...(await openPersonsVault(route, raw, { ...ctx, actor })) } : { mek }
  }
  if (route.vault === 'none') return {}
  if (isInVault) {
    const named = raw.vaultId ?? (await route.for.agent?.findVaultId?.(raw, ctx as AgentContext))
    return { vault: await openVault(route, named, ctx as AgentContext) }
  }
  // Across vaults: a named vault must be accessible.
  if ('vaultId' in route.input.shape && (raw.vaultId ?? undefined) !== undefined)
    await openVault(route, raw.vaultId, ctx as AgentContext)
  return { mek: keyring.mek(actor) }
}

/** A vault of this person, or one that is shared with them in a role that may call the operation. */
async function openPersonsVault(
  { vault: mode, leastRole }: Route,
  raw: Raw,
  ctx: CallContext & Pick<PersonContext, 'actor'>,
): Promise<Pick<Place, 'actor'> & { vault: UnlockedVault }> {
  const field = mode === 'named' ? 'id' : 'vaultId'
  const vaultId = readVaultId(raw[field], field) ?? requiredVault(field)
  const own = await unlock(ctx, vaultId, scopesOf(presetOfRole.owner))
  if (own !== undefined) return { vault: { ...own, role: 'owner' } }
  const shared = await openSharedVault(ctx, vaultId, leastRole)
  if (shared === undefined) throw notFound('Vault')
  return { vault: shared, actor: { ...ctx.actor, isMember: true } }
}

async function openVault(route: Route, requested: JsonValue | undefined, ctx: AgentContext): Promise<UnlockedVault> {
  const named = readVaultId(requested)
  if (named === undefined && route.vault === 'required') requiredVault()
  const vaultId = resolveVault(ctx.actor, named)
  const scopes = scopesIn(ctx.actor, vaultId)
  for (const scope of route.scopes) if (!scopes.includes(scope)) throw missingScope(scope)
  const vault = await unlock(ctx, vaultId, scopes)
  if (vault === undefined) throw notFound('Vault')
  return vault
}

/** Undefined for a vault of someone else, before any error about keys. */
async function unlock(
  { actor, db, keyring }: Pick<CallContext, 'actor' | 'db' | 'keyring'>,
  vaultId: string,
  scopes: readonly Scope[],
): Promise<UnlockedVault | undefined> {
  const found = await findVaultKeys(db.read, actor.userId, vaultId)
  if (found === undefined) return undefined
  const keys = keyring.vault(keyring.mek(actor), actor.userId, vaultId, found.keys)
  const { seq, settings, isWatched } = found
  return { id: vaultId, userId: actor.userId, seq, keys, settings, scopes, isWatched }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function readVaultId(requested: JsonValue | undefined, field = 'vaultId'): string | undefined {
  if (requested === undefined || requested === null) return undefined
  if (typeof requested !== 'string' || !uuid.test(requested))
    throw invalid({ [field]: 'must be a UUID, such as 0198c5f0-0000-7000-8000-000000000001' })
  return requested.toLowerCase()
}

function requiredVault(field = 'vaultId'): never {
  throw invalid({ [field]: 'required (string)' })
}

/** The vault that a call names without working in it. */
const vaultIdIn = ({ input }: Route, { vaultId }: Raw) =>
  'vaultId' in input.shape && typeof vaultId === 'string' && uuid.test(vaultId) ? vaultId.toLowerCase() : undefined

/** The length of answers with a length limit. */
const charsOf = (body: unknown) => (body as { budget?: { usedChars?: number } }).budget?.usedChars
