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

interface Judging {
  /** The memories of the run's integration that are judged. */
  own: ReadonlySet<string>
  /** Those that are archived afterwards. If one of them superseded a memory, that isn't a change. */
  gone: ReadonlySet<string>
  task: TaskState | undefined
}

export function judgeCreatedMemory(memory: Memory, run: RunId, { own, gone, task }: Judging): Kept | undefined {
  if (isGone(memory)) return { left: 'gone' }
  const { supersededById: successor } = memory
  const { supersededBy } = memory.head
  if (successor !== undefined && !gone.has(successor)) {
    // A memory of someone else as its successor protects nothing if the run's integration made it that.
    const isOwnDoing = supersededBy !== undefined && isByIntegration(supersededBy, run) && !own.has(successor)
    if (!isOwnDoing) return { left: 'changed', by: supersededBy }
  }
  return judgeWriter(lastWriterOf(memory), run) ?? judgeMoves(task, run)
}

export const judgeCreatedNote = (note: NoteOutline, run: RunId): Kept | undefined =>
  isGone(note) ? { left: 'gone' } : judgeWriter(noteWriter(note), run)

const judgeWriter = (last: Writer, run: RunId): Kept | undefined =>
  isByIntegration(last, run) ? undefined : { left: 'changed', by: last }

/** Someone else may have worked on the task. */
function judgeMoves(task: TaskState | undefined, run: RunId): Kept | undefined {
  const move = task?.detail.statusHistory.findLast((change) => !isByIntegration(change, run))
  return move && { left: 'moved', by: { ...move, route: 'update-task' } }
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
  supersededBy?: Writer | undefined
}

export const hiddenIn = (memory: Memory): Hidden => ({ ...memory, supersededBy: memory.head.supersededBy })

/**
 * Whether the run's integration archived it, superseded it, or moved it to the trash, since the run began. Who archived it is known of what a
 * person wrote or changed last, unless it was superseded, too.
 */
export function isHiddenSince(
  { archivedAt, trashedAt, supersededById, supersededBy, removedById }: Hidden,
  run: UndoneRun,
): boolean {
  if (supersededById !== undefined)
    return supersededBy !== undefined && isByIntegration(supersededBy, run) && supersededBy.at >= run.startedAt
  return (
    removedById !== undefined &&
    removedById === run.integrationId &&
    (archivedAt ?? trashedAt ?? -Infinity) >= run.startedAt
  )
}
