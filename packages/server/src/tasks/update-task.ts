import type { VaultScope } from '../crypto/keys.ts'
import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { isoTimeOrNull } from '../core/time.ts'
import type { Tx } from '../db/dialect.ts'
import { needsSeal } from '../memories/change-memory.ts'
import { prepareChange, settleChange } from '../memories/index-memory.ts'
import type { PreparedEntry } from '../vault-index/embed.ts'
import { updateMemory } from '../memories/store.ts'
import { updateTask as storeTask } from '../memories/task-store.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { nextSeq } from '../vaults/store.ts'
import { updateEntry } from '../vault-index/store.ts'
import { changeTask } from './change-task.ts'
import { getTask, refuseOtherState, taskFields, taskId, taskStatus, type Task } from './task.ts'

const bodyLimitBytes = 2 * 1024 * 1024

const input = z.object({
  taskId,
  title: taskFields.title.optional(),
  description: taskFields.description.describe('The rest of it, at most 100,000 characters; empty: none.'),
  status: taskStatus
    .optional()
    .describe('Where it stands from now on; any may follow any. `done` sets completedAt, leaving it clears it.'),
  priority: fields.importance.optional().describe('1 (whenever) to 5 (at once).'),
  assignedAgentId: taskFields.assignedAgentId.nullable().optional().describe('Who is to do it; null: nobody yet.'),
  doneWhen: taskFields.doneWhen
    .nullable()
    .describe('What must be true for it to be done, at most 10,000 characters; null or empty: nothing.'),
  blockedReason: taskFields.blockedReason
    .nullable()
    .describe(
      'What it waits for, at most 10,000 characters; null or empty: nothing. Gone once it is no longer blocked.',
    ),
  metadata: fields.metadata.optional().describe('Merged into what is there; a key set to null is deleted.'),
  comment: z.string().min(1).max(2000).optional().describe('Kept in the history of the task, beside who and when.'),
  expectedStatus: taskStatus
    .optional()
    .describe('Fail with 409 unless the task has this status: of several that claim it, one wins.'),
  expectedVersion: fields.expectedVersion,
  ...fields.inVault,
})

type Input = z.output<typeof input>

export const updateTask = operation({
  name: 'update-task',
  scopes: ['write'],
  vault: 'resolved',
  summary: 'Change a task: claim it, move it on, rewrite it. Fields left out stay as they are.',
  effect: 'write',
  alias: 'taskId',
  bodyLimitBytes,
  input,
  output: z.looseObject({
    taskId: z.uuid(),
    updated: z.boolean().describe('False where nothing was to change.'),
    status: taskStatus,
    previousStatus: taskStatus,
    version: z.int(),
    completedAt: fields.timestamp.nullable(),
    vaultId: z.uuid(),
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
    for (let attempt = 1; ; attempt++) {
      const answer = await tryUpdate(change, ctx, attempt === maxAttempts)
      if (answer !== undefined) return answer
    }
  },
})

const maxAttempts = 3

/** Undefined where the task changed meanwhile, so that its new text would have to be embedded, and this is not the last try. */
async function tryUpdate(change: Input, ctx: VaultContext, isLast: boolean) {
  const { db, vault } = ctx
  const before = await getTask(db.read, vault, change.taskId)
  const plan = planUpdate(change, ctx, before)
  if (plan === undefined) return describe(before, before, false)
  const planned = { ...memoriesOf(plan), entry: await prepareChange(ctx, memoriesOf(plan)) }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const current = await getTask(tx, vault, change.taskId)
    const isStale = current.memory.version !== before.memory.version
    const update = isStale ? planUpdate(change, ctx, current) : plan
    if (update === undefined) return describe(current, current, false)
    const entry = isStale ? await settleChange(ctx, planned, memoriesOf(update), isLast) : planned.entry
    if (entry === 'outdated') return undefined
    await store(tx, vault, seq, update, entry)
    return describe(update.before, update.after, true)
  })
}

interface Update {
  before: Task
  after: Task
}

const memoriesOf = ({ before, after }: Update) => ({ before: before.memory, after: after.memory })

/** Undefined where nothing is to change. */
function planUpdate(change: Input, ctx: VaultContext, before: Task): Update | undefined {
  refuseOtherState(before, change)
  const after = changeTask(before, change, ctx.now(), claimedAgentId(ctx, change.agentId))
  if (after === undefined) return undefined
  if (!fields.fitsMetadata(after.memory.head.metadata))
    throw invalid({ metadata: `${fields.metadataLimit}, once merged` })
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

const describe = (before: Task, { memory, state }: Task, updated: boolean) => ({
  taskId: memory.memoryId,
  updated,
  status: state.status,
  previousStatus: before.state.status,
  version: memory.version,
  completedAt: isoTimeOrNull(state.completedAt),
  vaultId: memory.vaultId,
})
