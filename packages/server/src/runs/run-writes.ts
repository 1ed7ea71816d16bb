import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { listDocumentTypes } from '../documents/store.ts'
import { describeNodes } from '../graph/nodes.ts'
import type { VaultContext } from '../operation/context.ts'
import type { CallOutcome } from '../calls/call.ts'
import type { CreatedKind } from '../calls/records.ts'
import { readRunCalls } from './run-call-store.ts'
import { findRun } from './run-store.ts'
import { isGone, type Kept } from './archive-or-trash.ts'
import { isByRun, judgeCreatedMemory, judgeCreatedNote, type LeaveReason } from './judge-changes.ts'
import { findRunRemovals, type RunRemoval } from './run-removals.ts'
import { findRunSupersedes, type RunSupersede } from './run-supersedes.ts'
import { findRunUpdates, type RunUpdate, type TouchedIds } from './run-updates.ts'
import { choiceTest, slotsOf } from '../vault-index/choose-items.ts'
import { keyedIn } from '../memories/find-page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { describeKnownWriter, describeWriter, writerRecord, type Writer } from '../operation/writer.ts'
import { previewOf } from '../text/excerpts.ts'
import { listMemoryStates, listSuperseded, type MemoryState } from '../memories/list-store.ts'
import type { Memory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import { findTasks } from '../memories/task-store.ts'
import type { TaskState } from '../memories/task-state.ts'
import type { NoteOutline } from '../notes/note.ts'
import { findOutlines } from '../notes/store.ts'
import type { Run } from './run-store.ts'

export interface RevertPlan {
  run: Run
  /** Records that the run created and that will be archived or moved to the trash, latest first. */
  due: RunWrite[]
  /** Records whose text by someone else the run changed, and that will get it back, latest first. */
  updates: RunUpdate[]
  /** Memories that the run superseded with older ones, and that will be active again, latest first. */
  supersedes: RunSupersede[]
  /** What people wrote and the run archived or trashed, and that will be active again, latest first. */
  removals: RunRemoval[]
  left: RunChange[]
  calls: CallOutcome[]
}

export type RunChange = RunWrite | RunUpdate | RunSupersede | RunRemoval

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'createdKinds' | 'now'>

export async function planRunRevert(ctx: Context & Pick<VaultContext, 'runs'>, runId: string): Promise<RevertPlan> {
  const { db, vault, runs } = ctx
  await runs.flush(vault.id)
  const run = await findRun(db.read, vault, runId)
  if (run === undefined) throw notFound('Run')
  const calls = await readRunCalls(db.read, vault, runId)
  const created = { memories: await findRunMemories(ctx, run), notes: await findRunNotes(ctx, run, calls) }
  const updates = (await findRunUpdates(db.read, vault, run, touchedIdsOf(created))).toSorted(byIdFalling)
  const memories = [...created.memories, ...(await findOwnSuccessors(db.read, vault, run, created.memories))]
  const updated = new Set(updates.map(({ id }) => id))
  const writes = await judgeWrites(ctx, run, { ...created, memories }, updated)
  const own = new Set(writes.map(({ id }) => id))
  const supersedes = await findRunSupersedes(db.read, vault, { run, calls, created: own, updated })
  const known = new Set([...own, ...updated])
  const removals = (await findRunRemovals(db.read, vault, { run, calls, known })).toSorted(byIdFalling)
  return {
    run,
    due: writes.filter(isDue),
    updates: updates.filter(isDue),
    supersedes: supersedes.toSorted(byIdFalling),
    removals,
    left: [...writes, ...updates].filter((change) => !isDue(change)).toSorted(byIdFalling),
    calls,
  }
}

const isDue = ({ left }: Pick<RunChange, 'left'>) => left === undefined

export const maxShown = 50

const reasons: Record<LeaveReason, string> = {
  deleted: 'deleted',
  gone: 'archived or in the trash already',
  changed: 'changed since it was written',
  moved: 'someone else changed its status',
  restored: 'has its earlier text already',
  lost: 'its earlier text is no longer kept',
  linked: 'too many notes link to its title',
}

export const changedTypes = ['memory', 'note', 'document'] as const
export const shownRecord = z.looseObject({
  type: z.enum(changedTypes).describe('A task is a memory.'),
  id: z.uuid(),
  title: z.string().describe('Of a document: its type.'),
})
export const leftRecord = shownRecord.extend({
  reason: z.string(),
  changedBy: writerRecord.nullable().describe('Who has changed it since; null if nobody has, or it is not known.'),
})

export type NamingContext = Pick<VaultContext, 'db' | 'vault' | 'now' | 'actor' | 'instance'>

/** The first of these records, with their titles. */
export async function nameRecords({ db, vault, now }: NamingContext, changes: readonly RunChange[]) {
  const shown = changes.slice(0, maxShown)
  const refs = shown.flatMap(({ type, id }) => (type === 'document' ? [] : [{ type, id }]))
  const nodes = await describeNodes(db.read, vault, refs, { now: now() })
  const documents = await listDocumentTypes(db.read, vault)
  return shown.map((change) => ({
    type: change.type,
    id: change.id,
    title: nodes.get(change.id)?.title ?? documents.get(change.id) ?? '',
  }))
}

/** The first of these records, which are kept, with the reason. */
export async function nameLeft(
  ctx: NamingContext,
  changes: readonly RunChange[],
): Promise<z.input<typeof leftRecord>[]> {
  const named = (await nameRecords(ctx, changes)).map((record, at) => {
    const { left, by } = changes[at] ?? {}
    const reason = left === undefined ? '' : reasons[left]
    return { ...record, reason, changedBy: describeWriter(left === 'changed' || left === 'moved' ? by : undefined) }
  })
  await addKeyLabels(ctx, named)
  return named
}

/** A record with the text that it returns to. */
export const returningRecord = shownRecord.extend({
  returnsTo: z
    .looseObject({
      version: z.int(),
      writtenBy: writerRecord,
      preview: z.string().describe('The beginning of the text, in one line of at most 200 characters.'),
    })
    .nullable()
    .describe('The latest text that the run did not write; null: a document that had none.'),
})

export async function nameUpdates(ctx: NamingContext, updates: readonly RunUpdate[]) {
  const named = await nameRecords(ctx, updates)
  const returning = named.map((record, at) => ({ ...record, returnsTo: describeFormer(updates[at]?.former) }))
  await addKeyLabels(
    ctx,
    returning.flatMap(({ returnsTo }) => returnsTo ?? []),
  )
  return returning
}

const describeFormer = (former: RunUpdate['former']): z.input<typeof returningRecord>['returnsTo'] =>
  former === undefined || former.version === 0
    ? null
    : {
        version: former.version,
        writtenBy: describeKnownWriter(former.writer),
        preview: previewOf(former.content),
      }

/** A record that a run created, or a memory of the same integration that superseded one. */
export interface RunWrite {
  type: CreatedKind
  id: string
  /** Undefined if it can be taken back. */
  left: LeaveReason | undefined
  /** Who has changed it since. */
  by?: Writer | undefined
}

const notesAtOnce = 100

/** What a run created. */
interface Created {
  memories: MemoryState[]
  notes: NoteOutline[]
}

const isTouched = (state: MemoryState): boolean => state.version > 1 && !isGone(state)

const touchedIdsOf = ({ memories, notes }: Created): TouchedIds => ({
  memories: memories.filter(isTouched).map(({ id }) => id),
  notes: notes.filter((note) => note.version > 1 && !isGone(note)).map(({ noteId }) => noteId),
})

/** Latest first. `rewritten`: records that others have rewritten, which return to their texts instead. */
async function judgeWrites(
  ctx: Context,
  run: Run,
  { memories, notes }: Created,
  rewritten: ReadonlySet<string>,
): Promise<RunWrite[]> {
  const states = memories.filter(({ id }) => !rewritten.has(id))
  const outlines = notes.filter(({ noteId }) => !rewritten.has(noteId))
  const judgedNotes = outlines.map((note): RunWrite => {
    const kept = judgeCreatedNote(note, run)
    return { type: 'note', id: note.noteId, left: kept?.left, by: kept?.by }
  })
  return [...(await judgeMemories(ctx, run, states)), ...judgedNotes].toSorted(byIdFalling)
}

/** Memories, including tasks and session summaries, store their run. Latest first. */
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

/**
 * The memories by which the run's integration superseded these later, directly or through others, in whatever run or none: otherwise an
 * agent could keep what the run superseded hidden by one more call.
 */
async function findOwnSuccessors(
  db: Reader,
  vault: VaultScope,
  { integrationId }: Run,
  created: readonly MemoryState[],
): Promise<MemoryState[]> {
  const known = new Set(created.map(({ id }) => id))
  const found: MemoryState[] = []
  for (let last = created; last.length > 0; found.push(...last)) {
    const ids = last.map(({ supersededById }) => supersededById).filter((id) => id !== null)
    const states = await listMemoryStates(
      db,
      vault,
      [...new Set(ids)].filter((id) => !known.has(id)),
    )
    last = states.filter((state) => (state.integrationId ?? undefined) === integrationId)
    for (const { id } of last) known.add(id)
  }
  return found
}

async function judgeMemories(ctx: Context, run: Run, states: readonly MemoryState[]): Promise<RunWrite[]> {
  const touched = await openTouched(ctx, states)
  const gone = new Set<string>()
  const own = new Set(states.map(({ id }) => id))
  const judged = successorsFirst(states).map((state): RunWrite => {
    const found = touched.get(state.id)
    const kept =
      found === undefined ? judgeState(state) : judgeCreatedMemory(found.memory, run, { own, gone, ...found })
    const { left } = kept ?? {}
    if (isGoneAfterRevert({ left })) gone.add(state.id)
    return { type: 'memory', id: state.id, left, by: kept?.by }
  })
  const hidden = await listSuperseded(ctx.db.read, ctx.vault, [...gone])
  const hiding = new Set(hidden.filter(({ id }) => !gone.has(id)).map(({ supersededById }) => supersededById))
  // One that is archived already is due as long as what it superseded is hidden.
  return judged.map((write) => (write.left === 'gone' && hiding.has(write.id) ? { ...write, left: undefined } : write))
}

/** A memory must be judged before those that it superseded. */
function successorsFirst(states: readonly MemoryState[]): MemoryState[] {
  const byId = new Map(states.map((state) => [state.id, state]))
  const sorted = new Set<MemoryState>()
  for (const state of states) {
    const chain = new Set<MemoryState>()
    let next: MemoryState | undefined = state
    while (next !== undefined && !sorted.has(next) && !chain.has(next)) {
      chain.add(next)
      next = byId.get(next.supersededById ?? '')
    }
    for (const one of [...chain].toReversed()) sorted.add(one)
  }
  return [...sorted]
}

const judgeState = (state: MemoryState): Kept | undefined => (isGone(state) ? { left: 'gone' } : undefined)

const memoriesAtOnce = 100

/** Only memories that something has changed since need to be opened. */
async function openTouched(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  states: readonly MemoryState[],
): Promise<Map<string, { memory: Memory; task: TaskState | undefined }>> {
  const ids = states.filter(isTouched).map(({ id }) => id)
  const opened = new Map<string, { memory: Memory; task: TaskState | undefined }>()
  for (let at = 0; at < ids.length; at += memoriesAtOnce) {
    const some = ids.slice(at, at + memoriesAtOnce)
    const tasks = await findTasks(db.read, vault, some)
    for (const memory of await findMemories(db.read, vault, some))
      opened.set(memory.memoryId, { memory, task: tasks.get(memory.memoryId) })
  }
  return opened
}

/** Notes are found through the run's calls, as long as those are kept. */
async function findRunNotes(
  { db, vault, createdKinds }: Pick<VaultContext, 'db' | 'vault' | 'createdKinds'>,
  run: Run,
  calls: readonly CallOutcome[],
): Promise<NoteOutline[]> {
  const made = calls.filter(({ operation }) => createdKinds.get(operation) === 'note')
  const ids = [
    ...new Set(made.flatMap(({ records }) => records.filter(({ kind }) => kind === 'note').map(({ id }) => id))),
  ]
  const found: NoteOutline[] = []
  for (let at = 0; at < ids.length; at += notesAtOnce)
    found.push(...(await findOutlines(db.read, vault, ids.slice(at, at + notesAtOnce))))
  return found.filter(({ head }) => isByRun(head, run))
}

/** Whether it is archived or in the trash after the run has been reverted. */
export const isGoneAfterRevert = ({ left }: Pick<RunWrite, 'left'>) => left === undefined || left === 'gone'
