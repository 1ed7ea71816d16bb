import { openProfile } from '../auth/integration-profile.ts'
import type { AgentActor } from '../auth/actor.ts'
import type { Keyring } from '../auth/keyring.ts'
import { defaultVault } from '../auth/vault-access.ts'
import type { Log } from '../core/log.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import type { AgentContext, AgentVaultContext, RunCall, RunCounter } from '../operation/context.ts'
import { lockVault } from '../vault-index/lock-store.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { recordRun, type RunNews } from './run-store.ts'

/**
 * Counts the calls of each run. They are gathered in memory and written every few seconds, at the stop, and before this
 * process reads runs, so that no call waits for them. What a crash loses is these seconds of a count.
 */

const flushEveryMs = 5000
/** Runs in one transaction: other writes get in between. */
const runsAtOnce = 200
/** While the store is away no more are kept; calls of further runs go uncounted. */
const maxPending = 10_000

interface Pending extends RunCall {
  vaultId: string
  calls: number
  firstAt: number
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

  return {
    note(call) {
      const vaultId = call.vault?.id ?? defaultVault(call.actor)
      if (vaultId !== undefined) add({ ...call, vaultId, calls: 1, firstAt: call.at })
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const joinRuns = (before: Pending, after: Pending): Pending => ({
  ...after,
  vault: after.vault ?? before.vault,
  agentId: after.agentId ?? before.agentId,
  modelId: after.modelId ?? before.modelId,
  calls: before.calls + after.calls,
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
  const news = runs.map((run) => newsOf(instance, run))
  await db.write(async (tx) => {
    if (!(await lockVault(tx, actor.userId, vaultId))) return
    for (const one of news) await recordRun(tx, { id: vaultId, userId: actor.userId, keys }, one)
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

function newsOf(instance: Instance, { actor, agentRunId, agentId, modelId, calls, firstAt, at }: Pending): RunNews {
  const { integrationId } = actor
  const name = { agentId: agentId ?? nameOf(instance, actor), isNamed: agentId !== undefined }
  return { agentRunId, ...name, modelId, integrationId, calls, firstAt, lastAt: at }
}

function nameOf(instance: Instance, actor: AgentActor): string {
  const { agentId, label } = openProfile(instance, actor, actor.profile)
  return agentId ?? label
}

/** Notes a call that has been let in, where it belongs to a run. */
export function noteCall(ctx: AgentContext | AgentVaultContext, operation: string, input: unknown): void {
  // It tells of a run by itself; only its tool events are calls.
  if (operation === 'session-track') return
  const { agentRunId, agentId, modelId } = input as { agentRunId?: string; agentId?: string; modelId?: string }
  const runId = agentRunId ?? ctx.request.runId
  if (runId === undefined) return
  ctx.runs.note({
    actor: ctx.actor,
    vault: 'vault' in ctx ? ctx.vault : undefined,
    agentRunId: runId,
    agentId,
    modelId,
    at: ctx.now(),
  })
}
