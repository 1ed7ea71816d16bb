import type { TaskState } from '../memories/task-state.ts'
import { authorOf, lastWriterOf } from '../memories/authorship.ts'
import type { Memory } from '../memories/memory.ts'
import type { NoteOutline } from '../notes/note.ts'
import { lastWriter, type Writer } from '../operation/writer.ts'
import { isGone, type Kept, type KeepReason } from './archive-or-trash.ts'
import type { Run } from './run-store.ts'

/**
 * Decides what undoing a run leaves unchanged. A change by the run itself never counts, otherwise a run could protect what it wrote by
 * touching it again. For the same reason no change by its integration counts in a record that the run created, in whatever run or none.
 * The text counts by who shaped it last; archiving, restoring and moving aren't changes of it.
 */

export type RunId = Pick<Run, 'integrationId' | 'agentRunId'>

export const isByRun = (
  { integrationId, agentRunId }: Pick<Writer, 'integrationId' | 'agentRunId'>,
  run: RunId,
): boolean => integrationId === run.integrationId && agentRunId === run.agentRunId

type Who = Pick<Writer, 'integrationId' | 'agentId' | 'agentRunId'>

/** Whose changes count as the run's own in a record of this author. */
export function ownChangeTest(author: Who, run: RunId): (writer: Who) => boolean {
  if (run.integrationId === undefined || !isByRun(author, run)) return (writer) => isByRun(writer, run)
  return ({ integrationId }) => integrationId === run.integrationId
}

/** `restored`: it has its earlier text already. `lost`: that text isn't kept. `linked`: its title can't change back. */
export type LeaveReason = KeepReason | 'restored' | 'lost' | 'linked'

/** Why a change stays, and by whom the record was changed since, if it was. */
export type Left = Omit<Kept, 'left'> & { left: LeaveReason }

export const noteWriter = ({ head, createdAt }: Pick<NoteOutline, 'head' | 'createdAt'>): Writer =>
  lastWriter(head, createdAt)

/** `gone`: the run's records that are archived or in the trash afterwards. If one of them superseded a memory, that isn't a change. */
export function judgeCreatedMemory(
  memory: Memory,
  run: RunId,
  { gone, task }: { gone: ReadonlySet<string>; task: TaskState | undefined },
): Kept | undefined {
  if (isGone(memory)) return { left: 'gone' }
  if (memory.supersededById !== undefined && !gone.has(memory.supersededById)) return { left: 'changed' }
  const isOwn = ownChangeTest(authorOf(memory), run)
  return judgeWriter(lastWriterOf(memory), isOwn) ?? judgeMoves(task, isOwn)
}

export const judgeCreatedNote = (note: NoteOutline, run: RunId): Kept | undefined =>
  isGone(note) ? { left: 'gone' } : judgeWriter(noteWriter(note), ownChangeTest(note.head, run))

type OwnTest = ReturnType<typeof ownChangeTest>

const judgeWriter = (last: Writer, isOwn: OwnTest): Kept | undefined =>
  isOwn(last) ? undefined : { left: 'changed', by: last.agentId }

/** Someone else may have worked on the task. */
function judgeMoves(task: TaskState | undefined, isOwn: OwnTest): Kept | undefined {
  const move = task?.detail.statusHistory.findLast((change) => !isOwn(change))
  return move && { left: 'changed', by: move.agentId }
}

/** A record with a text of others that the run changed. */
interface Updated {
  isGone: boolean
  last: Writer
  /** The latest text that the run did not write, if it is kept. */
  former: { isCurrent: boolean } | undefined
  isOwn: OwnTest
}

export function judgeUpdated({ isGone: isHidden, last, former, isOwn }: Updated): Left | undefined {
  if (isHidden) return { left: 'gone' }
  if (!isOwn(last)) return former?.isCurrent === true ? { left: 'restored' } : judgeWriter(last, isOwn)
  return former === undefined ? { left: 'lost' } : undefined
}
