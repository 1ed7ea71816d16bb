import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { describeNodes } from '../graph/nodes.ts'
import type { VaultContext } from '../operation/context.ts'
import type { CallOutcome } from '../calls/call.ts'
import type { CreatedKind } from '../calls/records.ts'
import { readRunCalls } from './run-call-store.ts'
import { findRun } from './run-store.ts'
import { isGone, type KeepReason, type RecordState } from './archive-or-trash.ts'
import { choiceTest, slotsOf } from '../vault-index/choose-items.ts'
import { keyedIn } from '../memories/find-page.ts'
import { listMemoryStates, type MemoryState } from '../memories/list-store.ts'
import { findOutlines } from '../notes/store.ts'
import type { Run } from './run-store.ts'

export interface RevertPlan {
  /** Records unchanged since, latest first. These will be reverted. */
  due: RunWrite[]
  left: RunWrite[]
  calls: CallOutcome[]
}

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'createdKinds' | 'now'>

export async function planRunRevert(ctx: Context & Pick<VaultContext, 'runs'>, runId: string): Promise<RevertPlan> {
  const { db, vault, runs } = ctx
  await runs.flush(vault.id)
  const run = await findRun(db.read, vault, runId)
  if (run === undefined) throw notFound('Run')
  const calls = await readRunCalls(db.read, vault, runId)
  const writes = await findRunWrites(ctx, run, calls)
  return {
    due: writes.filter(({ left }) => left === undefined),
    left: writes.filter(({ left }) => left !== undefined),
    calls,
  }
}

export const maxShown = 50

const reasons: Record<KeepReason, string> = {
  deleted: 'deleted',
  gone: 'archived or in the trash already',
  changed: 'changed since it was written',
}

export const shownRecord = z.looseObject({ type: z.enum(['memory', 'note']), id: z.uuid(), title: z.string() })
export const leftRecord = shownRecord.extend({ reason: z.string() })

/** The first of these records, with their titles. */
export async function nameRecords(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  writes: readonly RunWrite[],
) {
  const shown = writes.slice(0, maxShown)
  const nodes = await describeNodes(db.read, vault, shown, now())
  return shown.map(({ type, id, left }) => ({
    type,
    id,
    title: nodes.get(id)?.title ?? '',
    reason: left === undefined ? '' : reasons[left],
  }))
}

/** A record that a run created. */
export interface RunWrite {
  type: CreatedKind
  id: string
  /** Undefined if it can be taken back. */
  left: KeepReason | undefined
}

const notesAtOnce = 100

/**
 * Latest first. Memories, including tasks and session summaries, store their run. Notes are found through the run's calls,
 * as long as those are kept.
 */
async function findRunWrites(ctx: Context, run: Run, calls: readonly CallOutcome[]): Promise<RunWrite[]> {
  const writes = [...judge(await findRunMemories(ctx, run)), ...(await findNotesOf(ctx, run, calls))]
  return writes.toSorted(byIdFalling)
}

/** The run's memories, latest first. */
export async function findRunMemories(
  { db, vault, indexes, now }: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
  { agentRunId, integrationId }: Run,
): Promise<MemoryState[]> {
  const ids = await indexes.read(vault, (index) => {
    const choice = { state: 'all' as const, at: now(), kinds: ['memory'], agentRunId }
    return slotsOf(index, choiceTest(index, choice, keyedIn(vault))).map((slot) => index.itemIdOf(slot))
  })
  const states = await listMemoryStates(db.read, vault, ids)
  return states.filter((state) => (state.integrationId ?? undefined) === integrationId).toSorted(byIdFalling)
}

const byIdFalling = (a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : -1)

/** Latest first, because a memory must be checked before the one that it superseded. */
function judge(memories: readonly MemoryState[]): RunWrite[] {
  const gone = new Set<string>()
  return memories.map((memory) => {
    const left = findKeepReason(memory, gone)
    if (isGoneAfterRevert({ left })) gone.add(memory.id)
    return { type: 'memory', id: memory.id, left }
  })
}

async function findNotesOf(
  { db, vault, createdKinds }: Pick<VaultContext, 'db' | 'vault' | 'createdKinds'>,
  { agentRunId }: Run,
  calls: readonly CallOutcome[],
): Promise<RunWrite[]> {
  const made = calls.filter(({ operation }) => createdKinds.get(operation) === 'note')
  const ids = [
    ...new Set(made.flatMap(({ records }) => records.filter(({ kind }) => kind === 'note').map(({ id }) => id))),
  ]
  const found: RunWrite[] = []
  for (let at = 0; at < ids.length; at += notesAtOnce)
    for (const note of await findOutlines(db.read, vault, ids.slice(at, at + notesAtOnce)))
      if (note.head.agentRunId === agentRunId) found.push({ type: 'note', id: note.noteId, left: findKeepReason(note) })
  return found
}

/** Whether it is archived or in the trash after the run has been reverted. */
export const isGoneAfterRevert = ({ left }: Pick<RunWrite, 'left'>) => left === undefined || left === 'gone'

/** `gone`: records that are reverted together with this one. If one of them superseded it, that doesn't count as a change. */
export function findKeepReason(record: RecordState, gone: ReadonlySet<string> = new Set()): KeepReason | undefined {
  if (isGone(record)) return 'gone'
  const ownChanges = gone.has(record.supersededById ?? '') ? 1 : 0
  return record.version - ownChanges === 1 ? undefined : 'changed'
}
