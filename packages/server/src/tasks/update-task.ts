import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { invalid, notFound } from '../core/errors.ts'
import { isoTimeOrNull } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { needsSeal } from '../memories/change-memory.ts'
import { prepareChange, settleChange } from '../memories/index-memory.ts'
import { updateMemory } from '../memories/store.ts'
import { completionOf } from '../memories/task-state.ts'
import { updateTask as storeTask } from '../memories/task-store.ts'
import { askedMemory, isShapedAlike } from '../memories/authorship.ts'
import { bodyLimitBytes } from '../memories/memory.ts'
import {
  refuseOtherFields,
  saveUpdate,
  type MemoryChanger,
  type MemoryUpdateContext,
} from '../memories/update-memory.ts'
import { findFormerText, keepFormerText } from '../memories/version-store.ts'
import { permitOf } from '../memories/related-memories.ts'
import { writerOf } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { fitsMetadata, metadataLimit } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import type { NamedWriter } from '../operation/writer.ts'
import { enforce, type AskedRecord } from '../proposals/permit.ts'
import { proposalNotice, proposeInstead } from '../proposals/propose.ts'
import type { PreparedEntry } from '../vault-index/index-record.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { changeTask, type TaskChange } from './change-task.ts'
import { getTask, refuseOtherState, type Task, taskChangeFields, taskId, taskStatus } from './task.ts'

const input = z.object({ taskId, ...taskChangeFields, fromVersion: fields.fromVersion, ...fields.inVault })

export const updateTask = operation({
  name: 'update-task',
  for: { agent: { toolset: 'tasks', scopes: ['write'] }, person: 'PATCH /api/tasks' },
  vault: 'resolved',
  summary:
    'Change a task: claim it, change its status, assign or rewrite it, or restore an older version. Omitted fields stay unchanged.',
  effect: 'write',
  changes: ['tasks', 'memories'],
  about: ({ taskId: id }) => refs('task', id),
  alias: 'taskId',
  bodyLimitBytes,
  input,
  output: z.looseObject({
    taskId: z.uuid(),
    updated: z.boolean().describe('False if there was nothing to change.'),
    status: taskStatus,
    previousStatus: taskStatus,
    version: z.int(),
    completedAt: fields.timestamp.nullable(),
    vaultId: z.uuid(),
    proposal: proposalNotice,
  }),
  examples: {
    input: {
      taskId: '0198c5f0-0000-7000-8000-000000000201',
      status: 'in_progress',
      expectedStatus: 'todo',
      assignedAgentId: 'claude-code',
    },
    output: {
      taskId: '0198c5f0-0000-7000-8000-000000000201',
      updated: true,
      status: 'in_progress',
      previousStatus: 'todo',
      version: 2,
      completedAt: null,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  async run(change, ctx) {
    const by = writerOf(ctx, change)
    const changer = { by, permit: permitOf(ctx) }
    const saved = await saveChange(ctx, change, changer).catch((error: unknown) => proposeTexts(ctx, error, change, by))
    const { before, after, updated } = saved
    return { ...describe(before, after, updated), ...('proposal' in saved && { proposal: saved.proposal }) }
  },
})

type Input = z.output<typeof input>
type Context = MemoryUpdateContext
export type TaskChanger = MemoryChanger & { by: NamedWriter }

/** Changes a task, or restores a former text. */
export const saveChange = (ctx: Context, change: TaskUpdate, changer: TaskChanger): Promise<SavedTask> =>
  change.fromVersion === undefined
    ? saveTask(ctx, change, changer)
    : restoreVersion(ctx, { ...change, fromVersion: change.fromVersion }, changer)

/**
 * Proposes other texts for a task, if `error` says that a person decides about them. What the agent says about its work on the task is no
 * such text and is stored at once.
 */
async function proposeTexts(ctx: Context, error: unknown, change: Input, by: NamedWriter) {
  const { status, assignedAgentId, blockedReason, comment, ...texts } = change
  const { proposal } = await proposeInstead(ctx, error, { operation: 'update-task', input: texts, by })
  const { taskId: id, expectedStatus, expectedVersion } = change
  const work = { taskId: id, status, assignedAgentId, blockedReason, comment, expectedStatus, expectedVersion }
  return { ...(await saveTask(ctx, work, { by })), proposal }
}

/** Restores a former text. The task keeps its status and assignee. */
async function restoreVersion(
  ctx: Context,
  change: TaskUpdate & { fromVersion: number },
  changer: TaskChanger,
): Promise<SavedTask> {
  const { taskId: memoryId, fromVersion: version, expectedVersion } = change
  refuseOtherFields(
    change,
    Object.keys(taskChangeFields).filter((name) => name !== 'expectedVersion'),
  )
  const before = await getTask(ctx.db.read, ctx.vault, memoryId)
  const former = await findFormerText(ctx.db.read, ctx.vault, memoryId, version)
  if (former?.shape.memoryType !== 'task') throw notFound('Version')
  const { memory } = await saveUpdate(ctx, { memoryId, fromVersion: version, expectedVersion }, changer)
  return { before, after: { ...before, memory }, updated: true }
}

const describe = (before: Task, { memory, state }: Task, updated: boolean) => ({
  taskId: memory.memoryId,
  updated,
  status: state.status,
  previousStatus: before.state.status,
  version: memory.version,
  completedAt: isoTimeOrNull(completionOf(state)),
  vaultId: memory.vaultId,
})

/** A change of a task, and the state in which the caller expects it. */
export interface TaskUpdate extends TaskChange {
  taskId: string
  fromVersion?: number | undefined
  expectedStatus?: string | undefined
  expectedVersion?: number | undefined
}

export interface SavedTask {
  before: Task
  after: Task
  /** False if there was nothing to change. */
  updated: boolean
}

const maxAttempts = 3

/** 404 if the task doesn't exist. New text is embedded before the transaction. */
async function saveTask(ctx: Context, change: TaskUpdate, changer: TaskChanger): Promise<SavedTask> {
  for (let attempt = 1; ; attempt++) {
    const saved = await tryUpdate(ctx, change, changer, attempt === maxAttempts)
    if (saved !== undefined) return saved
  }
}

/** Undefined if the task changed in the meantime so that its text has to be embedded again, and this isn't the last attempt. */
async function tryUpdate(
  ctx: Context,
  change: TaskUpdate,
  { by, permit }: TaskChanger,
  isLast: boolean,
): Promise<SavedTask | undefined> {
  const { db, vault } = ctx
  const before = await getTask(db.read, vault, change.taskId)
  const plan = planUpdate(change, by, before)
  if (plan === undefined) return { before, after: before, updated: false }
  const planned = { ...memoriesOf(plan), entry: await prepareChange(ctx, memoriesOf(plan)) }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const current = await getTask(tx, vault, change.taskId)
    const isStale = current.memory.version !== before.memory.version
    const update = isStale ? planUpdate(change, by, current) : plan
    if (update === undefined) return { before: current, after: current, updated: false }
    const entry = isStale ? await settleChange(ctx, planned, memoriesOf(update), isLast) : planned.entry
    if (entry === 'outdated') return undefined
    if (changesText(update)) enforce(await permit?.(tx, current.memory), () => askedTask(current))
    await store(tx, vault, seq, { ...update, entry })
    return { ...update, updated: true }
  })
}

interface Update {
  before: Task
  after: Task
}

/** Whether the task itself changes, and not only what its assignee says about the work on it. */
const changesText = ({ before, after }: Update): boolean =>
  !isShapedAlike(before.memory, after.memory) || before.state.detail.doneWhen !== after.state.detail.doneWhen

export const askedTask = ({ memory, state }: Task): AskedRecord => askedMemory(memory, state.detail.doneWhen)

const memoriesOf = ({ before, after }: Update) => ({ before: before.memory, after: after.memory })

/** Undefined if there is nothing to change. */
function planUpdate(change: TaskUpdate, by: NamedWriter, before: Task): Update | undefined {
  refuseOtherState(before, change)
  const after = changeTask(before, change, by)
  if (after === undefined) return undefined
  if (!fitsMetadata(after.memory.head.metadata)) throw invalid({ metadata: `${metadataLimit}, once merged` })
  return { before, after }
}

async function store(
  tx: Tx,
  vault: VaultScope,
  seq: number,
  /** Without a new `entry`, searches find the task by the same words. */
  { before, after, entry }: Update & { entry: PreparedEntry | undefined },
): Promise<void> {
  const { memory, state } = after
  await keepFormerText(tx, vault, { before: before.memory, after: memory })
  const isCompleted = state.status === 'done' && before.state.status !== 'done'
  const resealed = needsSeal(before.memory, memory)
  await updateMemory(tx, vault, memory, { resealed, change: isCompleted ? 'completed' : 'updated' })
  if (state.revision !== before.state.revision) await storeTask(tx, vault, memory.memoryId, state)
  // Even without new words: sessions count changes by the numbers of the entries.
  const facts = { importance: memory.importance, ...entry?.facts }
  await updateEntry(tx, vault, seq, { itemId: memory.memoryId, facts, entry: entry?.bytes })
}
