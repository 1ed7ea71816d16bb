import { invalid } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { needsSeal } from '../memories/change-memory.ts'
import { prepareChange, settleChange } from '../memories/index-memory.ts'
import { updateMemory } from '../memories/store.ts'
import { updateTask as storeTask } from '../memories/task-store.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import { fitsMetadata, metadataLimit } from '../operation/fields.ts'
import type { PreparedEntry } from '../vault-index/index-record.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { changeTask, type TaskChange } from './change-task.ts'
import { getTask, refuseOtherState, type Task } from './task.ts'

/** A change of a task that is there, with what it is expected to be. */
export interface TaskUpdate extends TaskChange {
  taskId: string
  expectedStatus?: string | undefined
  expectedVersion?: number | undefined
  agentId?: string | undefined
  /** Default: the run of the request. */
  agentRunId?: string | undefined
}

export interface SavedTask {
  before: Task
  after: Task
  /** False where nothing was to change. */
  updated: boolean
}

const maxAttempts = 3

/** 404 where it is not there. What is new in its text is embedded before the transaction. */
export async function saveTask(ctx: VaultContext, change: TaskUpdate): Promise<SavedTask> {
  for (let attempt = 1; ; attempt++) {
    const saved = await tryUpdate(change, ctx, attempt === maxAttempts)
    if (saved !== undefined) return saved
  }
}

/** Undefined where the task changed meanwhile, so that its new text would have to be embedded, and this is not the last try. */
async function tryUpdate(change: TaskUpdate, ctx: VaultContext, isLast: boolean): Promise<SavedTask | undefined> {
  const { db, vault } = ctx
  const before = await getTask(db.read, vault, change.taskId)
  const plan = planUpdate(change, ctx, before)
  if (plan === undefined) return { before, after: before, updated: false }
  const planned = { ...memoriesOf(plan), entry: await prepareChange(ctx, memoriesOf(plan)) }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const current = await getTask(tx, vault, change.taskId)
    const isStale = current.memory.version !== before.memory.version
    const update = isStale ? planUpdate(change, ctx, current) : plan
    if (update === undefined) return { before: current, after: current, updated: false }
    const entry = isStale ? await settleChange(ctx, planned, memoriesOf(update), isLast) : planned.entry
    if (entry === 'outdated') return undefined
    await store(tx, vault, seq, update, entry)
    return { ...update, updated: true }
  })
}

interface Update {
  before: Task
  after: Task
}

const memoriesOf = ({ before, after }: Update) => ({ before: before.memory, after: after.memory })

/** Undefined where nothing is to change. */
function planUpdate(change: TaskUpdate, ctx: VaultContext, before: Task): Update | undefined {
  refuseOtherState(before, change)
  const agentRunId = change.agentRunId ?? ctx.request.runId
  const after = changeTask(before, change, ctx.now(), { agentId: claimedAgentId(ctx, change.agentId), agentRunId })
  if (after === undefined) return undefined
  if (!fitsMetadata(after.memory.head.metadata)) throw invalid({ metadata: `${metadataLimit}, once merged` })
  return { before, after }
}

async function store(
  tx: Tx,
  vault: VaultScope,
  seq: number,
  { before, after }: Update,
  /** Left out where search finds the task as before. */
  entry: PreparedEntry | undefined,
): Promise<void> {
  const { memory, state } = after
  await updateMemory(tx, vault, memory, { resealed: needsSeal(before.memory, memory) })
  if (state.revision !== before.state.revision) await storeTask(tx, vault, memory.memoryId, state)
  // Also where search finds the task as before: by the entries' numbers sessions count what has changed.
  const facts = { importance: memory.importance, ...entry?.facts }
  await updateEntry(tx, vault, memory.memoryId, seq, facts, entry?.bytes)
}
