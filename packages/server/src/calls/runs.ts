import type { AgentActor } from '../auth/actor.ts'
import { defaultVault } from '../auth/vault-access.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { CallOutcome, CallRecord, RunClaim } from './call.ts'
import { calledKinds, type CalledRecord, type RecordRef } from './records.ts'
import { WriteBehind } from './write-behind.ts'

/**
 * Counts the calls of each run and keeps the outcome of each call, for the pages that show runs and for agents that ask who is active.
 * Calls without a run id count for their agent alone.
 */
export interface RunCounts {
  /** A call that begins; only calls by agents count. */
  begin(call: CallRecord): void
  /** Call when a call has ended. */
  end(call: CallRecord): void
  /** Writes what was counted so far, for one vault or for all. */
  flush(vaultId?: string): Promise<void>
  stop(): Promise<void>
}

/** What a run, or an agent without one, has done since it was last written. */
export interface RunNews extends RunClaim {
  actor: AgentActor
  /** Calls across vaults count in the integration's default vault. */
  vaultId: string
  calls: number
  reads: number
  writes: number
  failures: number
  checkpointAt: number | undefined
  firstAt: number
  lastAt: number
  outcomes: CallOutcome[]
}

interface Deps {
  db: Database
  /** Writes runs of one vault, in one transaction. */
  write(runs: readonly RunNews[]): Promise<void>
  beforeWrites(): void
  log: Log
}

/** The most that wait while the store is unavailable; calls of further runs aren't counted. */
const maxPending = 10_000
/** Per run between two writes; further calls are counted but not listed. */
const maxOutcomes = 1_000

export function createRunCounts({ db, write, beforeWrites, log }: Deps): RunCounts {
  const pending = new WriteBehind<RunNews>({
    db,
    write,
    join: addNews,
    groupOf: ({ vaultId }) => vaultId,
    beforeWrites,
    maxPending,
    warning: 'runs were not counted yet',
    log,
  })

  function add(call: CallRecord, counts: Partial<RunNews>): void {
    const { actor, run, vault, at } = call
    if (run === undefined || actor.kind !== 'agent') return
    const vaultId = vault?.id ?? defaultVault(actor)
    if (vaultId === undefined) return
    const begin = () => ({ ...noNews(), ...run, actor, vaultId, firstAt: at, lastAt: at })
    const name = run.agentRunId === undefined ? `agent ${run.agentId ?? ''}` : `run ${run.agentRunId}`
    const sum = pending.pending(`${actor.integrationId} ${vaultId} ${name}`, begin)
    addNews(sum, { ...begin(), ...counts })
  }

  return {
    begin: (call) => add(call, { calls: 1 }),
    end: (call) => {
      if (call.run?.agentRunId !== undefined) add(call, countsOf(call))
    },
    flush: (vaultId) => pending.flush(vaultId === undefined ? undefined : (run) => run.vaultId === vaultId),
    stop: () => pending.stop(),
  }
}

const noNews = () => ({ calls: 0, reads: 0, writes: 0, failures: 0, checkpointAt: undefined, outcomes: [] })

function countsOf({ operation, at, durationMs, status, about, returns }: CallRecord): Partial<RunNews> {
  const isFailure = status >= 400
  const { name, isWrite, isCheckpoint } = operation
  const records = isFailure ? [] : returns.length === 0 ? about : returns
  return {
    reads: isWrite || isFailure ? 0 : 1,
    writes: isWrite && !isFailure ? 1 : 0,
    failures: isFailure ? 1 : 0,
    checkpointAt: isCheckpoint && !isFailure ? at : undefined,
    outcomes: [{ operation: name, isWrite, at, durationMs, status, ...listCalledRecords(records) }],
  }
}

function addNews(sum: RunNews, more: RunNews): void {
  sum.agentId = more.agentId ?? sum.agentId
  sum.modelId = more.modelId ?? sum.modelId
  sum.actor = more.actor
  sum.calls += more.calls
  sum.reads += more.reads
  sum.writes += more.writes
  sum.failures += more.failures
  sum.checkpointAt = more.checkpointAt ?? sum.checkpointAt
  if (sum.outcomes.length < maxOutcomes) sum.outcomes.push(...more.outcomes)
  sum.firstAt = Math.min(sum.firstAt, more.firstAt)
  sum.lastAt = Math.max(sum.lastAt, more.lastAt)
}

/** Records kept per call; a search may find a hundred. */
const maxKept = 10

export function listCalledRecords(records: readonly RecordRef[]): { records: CalledRecord[]; recordCount: number } {
  const found = new Map(records.filter(isKept).map((record) => [record.id, record]))
  return { records: [...found.values()].slice(0, maxKept), recordCount: found.size }
}

const isKept = (record: RecordRef): record is CalledRecord => (calledKinds as readonly string[]).includes(record.kind)
