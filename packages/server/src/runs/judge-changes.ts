import type { TaskState } from '../memories/task-state.ts'
import { lastWriterOf } from '../memories/authorship.ts'
import type { Memory } from '../memories/memory.ts'
import type { NoteOutline } from '../notes/note.ts'
import { lastWriter, type Writer } from '../operation/writer.ts'
import { isGone, type Kept, type KeepReason } from './archive-or-trash.ts'
import type { Run } from './run-store.ts'

/**
 * Decides what undoing a run leaves unchanged. A change by the run itself never counts, otherwise a run could protect what it wrote by
 * touching it again. The text counts by who shaped it last; archiving, restoring and moving aren't changes of it.
 */

export type RunId = Pick<Run, 'integrationId' | 'agentRunId'>

export const isByRun = (
  { integrationId, agentRunId }: Pick<Writer, 'integrationId' | 'agentRunId'>,
  run: RunId,
): boolean => integrationId === run.integrationId && agentRunId === run.agentRunId

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
  return judgeWriter(lastWriterOf(memory), run) ?? judgeMoves(task, run)
}

export const judgeCreatedNote = (note: NoteOutline, run: RunId): Kept | undefined =>
  isGone(note) ? { left: 'gone' } : judgeWriter(noteWriter(note), run)

const judgeWriter = (last: Writer, run: RunId): Kept | undefined =>
  isByRun(last, run) ? undefined : { left: 'changed', by: last.agentId }

/** Someone else may have worked on the task. */
function judgeMoves(task: TaskState | undefined, run: RunId): Kept | undefined {
  const move = task?.detail.statusHistory.findLast((change) => !isByRun(change, run))
  return move && { left: 'changed', by: move.agentId }
}

/** A record with a text of others that the run changed. */
interface Updated {
  isGone: boolean
  last: Writer
  /** The latest text that the run did not write, if it is kept. */
  former: { isCurrent: boolean } | undefined
}

export function judgeUpdated({ isGone: isHidden, last, former }: Updated, run: RunId): Left | undefined {
  if (isHidden) return { left: 'gone' }
  if (!isByRun(last, run)) return former?.isCurrent === true ? { left: 'restored' } : judgeWriter(last, run)
  return former === undefined ? { left: 'lost' } : undefined
}
