import { openProfile } from '../auth/integration-profile.ts'
import type { AgentActor } from '../auth/actor.ts'
import type { Keyring } from '../auth/keyring.ts'
import { defaultVault } from '../auth/vault-access.ts'
import type { Log } from '../core/log.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import type { AgentContext, AgentVaultContext, CallOutcome, RunCall, RunCounter } from '../operation/context.ts'
import { common } from '../operation/fields.ts'
import type { Operation } from '../operation/operation.ts'
import { calledKinds, type CalledRecord, type RecordRef } from '../operation/records.ts'
import { lockVault } from '../vault-index/lock-store.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { insertRunCalls } from './run-call-store.ts'
import { recordRun, type RunNews } from './run-store.ts'

/**
 * Counts the calls of each run and keeps what became of each. They are gathered in memory and written every few seconds, at
 * the stop, and before this process reads runs, so that no call waits for them. What a crash loses is these seconds.
 */

const flushEveryMs = 5000
/** Runs in one transaction: other writes get in between. */
const runsAtOnce = 200
/** While the store is away no more are kept; calls of further runs go uncounted. */
const maxPending = 10_000
/** Of one run between two writes; what is more is counted alone. */
const maxOutcomes = 1_000

interface Pending extends RunCall {
  vaultId: string
  calls: number
  firstAt: number
  reads: number
  writes: number
  failures: number
  checkpointAt: number | undefined
  outcomes: readonly CallOutcome[]
}

interface Deps {
  db: Database
  instance: Instance
  keyring: Keyring
  log: Log
}

export function createRunCounter(deps: Deps): RunCounter {
  const { log } = deps
  const pending = new Map<string, Pending>()
  let flushing = Promise.resolve()

  function add(run: Pending): void {
    const name = `${run.actor.integrationId} ${run.vaultId} ${run.agentRunId}`
    const before = pending.get(name)
    if (before === undefined && pending.size >= maxPending) return
    pending.set(name, before === undefined ? run : joinRuns(before, run))
  }

  async function write(vaultId: string | undefined): Promise<void> {
    const due = [...pending].filter(([, run]) => vaultId === undefined || run.vaultId === vaultId)
    for (const [name] of due) pending.delete(name)
    const byVault = Map.groupBy(
      due.map(([, run]) => run),
      (run) => run.vaultId,
    )
    for (const runs of byVault.values())
      for (let from = 0; from < runs.length; from += runsAtOnce) {
        const some = runs.slice(from, from + runsAtOnce)
        await writeRuns(deps, some).catch((error: unknown) => {
          log.warn('runs were not counted yet', { error })
          some.forEach(add)
        })
      }
  }

  // One after the other, so that who waits for a flush also waits for the one that has taken his calls.
  const flush = (vaultId?: string) => (flushing = flushing.then(() => write(vaultId)))
  const timer = setInterval(() => void flush(), flushEveryMs).unref()

  function addTo(call: RunCall, counts: Partial<Pending>): void {
    const vaultId = call.vault?.id ?? defaultVault(call.actor)
    if (vaultId !== undefined) add({ ...nothing, ...call, vaultId, firstAt: call.at, ...counts })
  }

  return {
    note: (call) => addTo(call, { calls: 1 }),
    noteOutcome: (call, outcome) => addTo(call, countsOf(outcome)),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const nothing = { calls: 0, reads: 0, writes: 0, failures: 0, checkpointAt: undefined, outcomes: [] }

function countsOf(outcome: CallOutcome): Partial<Pending> {
  const { operation, isWrite, status, at } = outcome
  const isFailure = status >= 400
  return {
    reads: isWrite || isFailure ? 0 : 1,
    writes: isWrite && !isFailure ? 1 : 0,
    failures: isFailure ? 1 : 0,
    checkpointAt: operation === 'context-checkpoint' && !isFailure ? at : undefined,
    outcomes: [outcome],
  }
}

const joinRuns = (before: Pending, after: Pending): Pending => ({
  ...after,
  vault: after.vault ?? before.vault,
  agentId: after.agentId ?? before.agentId,
  modelId: after.modelId ?? before.modelId,
  calls: before.calls + after.calls,
  reads: before.reads + after.reads,
  writes: before.writes + after.writes,
  failures: before.failures + after.failures,
  checkpointAt: after.checkpointAt ?? before.checkpointAt,
  outcomes: before.outcomes.length < maxOutcomes ? [...before.outcomes, ...after.outcomes] : before.outcomes,
  firstAt: Math.min(before.firstAt, after.firstAt),
  at: Math.max(before.at, after.at),
})

/** All of one vault. A vault that is gone by now has no runs to count. */
async function writeRuns({ db, instance, keyring }: Deps, runs: readonly Pending[]): Promise<void> {
  const [first] = runs
  if (first === undefined) return
  const { actor, vaultId } = first
  const keys =
    runs.find(({ vault }) => vault !== undefined)?.vault?.keys ?? (await unlock({ db, keyring }, actor, vaultId))
  if (keys === undefined) return
  const news = runs.map((run) => ({ run: newsOf(instance, run), outcomes: run.outcomes }))
  const scope = { id: vaultId, userId: actor.userId, keys }
  await db.write(async (tx) => {
    if (!(await lockVault(tx, actor.userId, vaultId))) return
    for (const { run, outcomes } of news) {
      const { id } = await recordRun(tx, scope, run)
      await insertRunCalls(tx, scope, id, outcomes)
    }
  })
}

async function unlock(
  { db, keyring }: Pick<Deps, 'db' | 'keyring'>,
  actor: AgentActor,
  vaultId: string,
): Promise<ScopeKeys | undefined> {
  const found = await findVaultKeys(db.read, actor.userId, vaultId)
  if (found === undefined || actor.wrappedMek === undefined) return undefined
  return keyring.vault(keyring.mek(actor), actor.userId, vaultId, found.keys)
}

function newsOf(instance: Instance, run: Pending): RunNews {
  const { actor, agentRunId, agentId, modelId, calls, reads, writes, failures, checkpointAt, firstAt, at } = run
  const name = { agentId: agentId ?? nameOf(instance, actor), isNamed: agentId !== undefined }
  const counts = { calls, reads, writes, failures, checkpointAt, firstAt, lastAt: at }
  return { agentRunId, ...name, modelId, integrationId: actor.integrationId, ...counts }
}

function nameOf(instance: Instance, actor: AgentActor): string {
  const { agentId, label } = openProfile(instance, actor, actor.profile)
  return agentId ?? label
}

/** What a call is answered with. */
interface Answered {
  status: number
  durationMs: number
  /** What a call that succeeded was about. */
  records: readonly RecordRef[]
}

/**
 * Notes a call that has been let in, where it belongs to a run. `input` may not have been validated yet. Returns how to tell
 * what became of it.
 */
export function noteCall(
  ctx: AgentContext | AgentVaultContext,
  { name: operation, effect }: Operation,
  input: unknown,
): (answered: Answered) => void {
  // It tells of a run by itself; only its tool events are calls.
  if (operation === 'session-track') return () => {}
  const claims = readClaims(input)
  const runId = claims.agentRunId ?? ctx.request.runId
  if (runId === undefined) return () => {}
  const at = ctx.now()
  const call = { actor: ctx.actor, vault: 'vault' in ctx ? ctx.vault : undefined, ...claims, agentRunId: runId, at }
  ctx.runs.note(call)
  return ({ status, durationMs, records }) =>
    ctx.runs.noteOutcome(call, {
      operation,
      isWrite: effect !== 'read',
      at,
      durationMs,
      status,
      ...listCalledRecords(records),
    })
}

/** So many are kept of a call; a search may find a hundred. */
const maxKept = 10

export function listCalledRecords(records: readonly RecordRef[]): { records: CalledRecord[]; recordCount: number } {
  const found = new Map(records.filter(isKept).map((record) => [record.id, record]))
  return { records: [...found.values()].slice(0, maxKept), recordCount: found.size }
}

const isKept = (record: RecordRef): record is CalledRecord => (calledKinds as readonly string[]).includes(record.kind)

/** What a call says of who makes it, as far as it may be said so. */
function readClaims(input: unknown) {
  const given = input as Record<string, unknown>
  const claim = (name: keyof typeof common) => {
    const { success, data } = common[name].safeParse(given[name])
    return success ? data : undefined
  }
  return { agentRunId: claim('agentRunId'), agentId: claim('agentId'), modelId: claim('modelId') }
}
