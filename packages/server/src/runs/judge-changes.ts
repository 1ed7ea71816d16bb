import type { TaskState } from '../memories/task-state.ts'
import { lastWriterOf } from '../memories/authorship.ts'
import type { Memory } from '../memories/memory.ts'
import type { NoteOutline } from '../notes/note.ts'
import { lastWriter, type Writer } from '../operation/writer.ts'
import { isGone, type Kept, type KeepReason, type Placed } from './archive-or-trash.ts'
import type { Run } from './run-store.ts'

/**
 * Decides what undoing a run leaves unchanged. No later change by the run's integration counts, in whatever run or none: otherwise an agent
 * could protect what a run wrote by one more call. The text counts by who shaped it last; archiving, restoring and moving aren't changes of
 * it.
 */

export type RunId = Pick<Run, 'integrationId' | 'agentRunId'>
export type UndoneRun = RunId & Pick<Run, 'startedAt'>

export const isByRun = (
  { integrationId, agentRunId }: Pick<Writer, 'integrationId' | 'agentRunId'>,
  run: RunId,
): boolean => integrationId === run.integrationId && agentRunId === run.agentRunId

/** Whose changes, since the run began to change a record, count as its own. */
export const isByIntegration = ({ integrationId }: Pick<Writer, 'integrationId'>, run: RunId): boolean =>
  integrationId !== undefined && integrationId === run.integrationId

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
  isByIntegration(last, run) ? undefined : { left: 'changed', by: last }

/** Someone else may have worked on the task. */
function judgeMoves(task: TaskState | undefined, run: RunId): Kept | undefined {
  const move = task?.detail.statusHistory.findLast((change) => !isByIntegration(change, run))
  return move && { left: 'changed', by: { ...move, route: 'update-task' } }
}

/** A record with a text of others that the run changed. */
interface Updated {
  /** Whether it comes back from the archive or the trash, too. */
  comesBack: boolean
  last: Writer
  /** The text that it returns to, if it is kept. `isCurrent`: it says the same already. */
  former: { isCurrent: boolean; writer: Writer } | undefined
}

export function judgeUpdated({ comesBack, last, former }: Updated, run: RunId): Left | undefined {
  const kept = judgeWriter(last, run)
  // A run can also have written the same text again: then its writer differs.
  const isBack = former?.isCurrent === true && (kept !== undefined || isSameWrite(last, former.writer))
  if (isBack) return comesBack ? undefined : { left: 'restored' }
  return kept ?? (former === undefined ? { left: 'lost' } : undefined)
}

const isSameWrite = (a: Writer, b: Writer): boolean =>
  a.integrationId === b.integrationId && a.agentRunId === b.agentRunId && a.at === b.at

interface Hidden extends Placed {
  supersededById?: string | undefined
  removedById?: string | undefined
}

/**
 * Whether the run's integration archived it, or moved it to the trash, since the run began. Who did is known of what a person wrote or
 * changed last, unless it was superseded, too.
 */
export const isHiddenSince = (
  { archivedAt, trashedAt, supersededById, removedById }: Hidden,
  { integrationId, startedAt }: UndoneRun,
): boolean =>
  removedById !== undefined &&
  removedById === integrationId &&
  supersededById === undefined &&
  (archivedAt ?? trashedAt ?? -Infinity) >= startedAt
