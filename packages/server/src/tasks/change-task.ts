import type { JsonValue } from '../core/json.ts'
import { changeMemory, isUnchanged } from '../memories/change-memory.ts'
import type { NamedWriter } from '../operation/writer.ts'
import {
  splitTask,
  taskContent,
  type StatusChange,
  type TaskDetail,
  type TaskState,
  type TaskStatus,
} from '../memories/task-state.ts'
import type { Task } from './task.ts'

/** A change of a task. Omitted fields stay unchanged. */
export interface TaskChange {
  title?: string | undefined
  /** Empty: none. */
  description?: string | undefined
  status?: TaskStatus | undefined
  priority?: number | undefined
  /** Null clears it. */
  assignedAgentId?: string | null | undefined
  /** Null or empty: none. */
  doneWhen?: string | null | undefined
  blockedReason?: string | null | undefined
  entities?: string[] | undefined
  metadata?: Record<string, JsonValue> | undefined
  comment?: string | undefined
}

const maxHistory = 200

/** Longer than the dashboard offers to undo a move, and shorter than work on a task that a person opens again. */
const regretMs = 10 * 60_000

type Reason = Pick<TaskDetail, 'blockedReason' | 'blockedBy'>

/** The changed task, with the next version. Undefined if there is nothing to change. */
export function changeTask(before: Task, change: TaskChange, by: NamedWriter): Task | undefined {
  const state = changeState(before, change, by)
  const { priority: importance, entities, metadata } = change
  const changesTask = before.state.detail.doneWhen !== state.detail.doneWhen
  const memory = changeMemory(
    before.memory,
    { ...contentChange(before, change), importance, entities, metadata, changesTask },
    by,
  )
  const isSame = JSON.stringify(state) === JSON.stringify(before.state)
  if (isSame && isUnchanged(before.memory, memory)) return undefined
  return { memory, state: isSame ? state : { ...state, revision: before.state.revision + 1 } }
}

function contentChange({ memory }: Task, change: TaskChange) {
  if (change.title === undefined && change.description === undefined) return {}
  const before = splitTask(memory.content, memory.head.titleChars)
  const { title = before.title, description = before.description } = change
  if (title === before.title && description === before.description) return {}
  return { content: taskContent(title, description), titleChars: title.length }
}

function changeState(task: Task, change: TaskChange, by: NamedWriter): TaskState {
  const before = task.state
  const { detail } = before
  const status = change.status ?? before.status
  const { assignedAgentId = detail.assignedAgentId } = change
  const isFinished = status === 'done' && before.status !== 'done' && !isTakenBack(task, by)
  const isFreed = before.status === 'blocked' && status !== 'blocked'
  return {
    ...before,
    status,
    completedAt: isFinished ? by.at : before.completedAt,
    detail: {
      assignedAgentId: assignedAgentId ?? undefined,
      doneWhen: textOf(change.doneWhen, detail.doneWhen),
      ...reasonOf(change, isFreed ? {} : detail, by),
      statusHistory: [...detail.statusHistory, ...describeMove(before.status, status, change.comment, by)].slice(
        -maxHistory,
      ),
    },
  }
}

/** Whether a person who moves the task to `done` takes back their own move out of it, before anything else changes. */
function isTakenBack({ memory, state }: Task, by: NamedWriter): boolean {
  const last = state.detail.statusHistory.at(-1)
  if (last?.from !== 'done' || last.at !== memory.updatedAt || by.at - last.at > regretMs) return false
  return by.integrationId === undefined && last.integrationId === undefined && last.agentId === by.agentId
}

/** The reason is work on the task and no part of its text, so it has a writer of its own. */
function reasonOf(change: TaskChange, before: Reason, by: NamedWriter): Reason {
  const blockedReason = textOf(change.blockedReason, before.blockedReason)
  if (blockedReason === before.blockedReason) return { blockedReason, blockedBy: before.blockedBy }
  return { blockedReason, blockedBy: blockedReason === undefined ? undefined : by }
}

/** Null and an empty text clear the field. */
const textOf = (changed: string | null | undefined, before: string | undefined): string | undefined =>
  changed === undefined ? before : changed || undefined

/** A comment is kept even if the status stays the same. */
function describeMove(
  from: TaskStatus,
  to: TaskStatus,
  comment: string | undefined,
  { at, integrationId, agentId, agentRunId }: NamedWriter,
): StatusChange[] {
  if (from === to && comment === undefined) return []
  const by = {
    ...(integrationId !== undefined && { integrationId }),
    agentId,
    ...(agentRunId !== undefined && { agentRunId }),
  }
  return [{ from, to, at, ...by, ...(comment !== undefined && { comment }) }]
}
