import type { Writer } from '../operation/writer.ts'

/**
 * The state that a task adds to its memory. Title and description are the memory's content, the priority is its importance,
 * and the version its version, so task and memory never differ.
 */

export const taskStatuses = ['backlog', 'todo', 'in_progress', 'done', 'blocked'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export interface TaskState {
  status: TaskStatus
  /** When it was last done, also if it no longer is: a person may take back the move (`completionOf`). */
  completedAt: number | undefined
  detail: TaskDetail
  /** Revision of the stored row; 1 for a new task. */
  revision: number
}

export interface TaskDetail {
  assignedAgentId?: string | undefined
  /** What must be true for it to be done. */
  doneWhen?: string | undefined
  /** Only while it is blocked. */
  blockedReason?: string | undefined
  /** Who wrote the reason. Undefined if there is none, or if an earlier release or a file of it stored the task. */
  blockedBy?: Writer | undefined
  /** Oldest first. */
  statusHistory: StatusChange[]
}

export interface StatusChange {
  from: TaskStatus
  to: TaskStatus
  at: number
  /** Undefined for people. */
  integrationId?: string | undefined
  agentId: string
  agentRunId?: string | undefined
  comment?: string | undefined
}

/** The state of a memory that was written with the type task. */
export const plainTask = (): TaskState => ({
  status: 'todo',
  completedAt: undefined,
  detail: { statusHistory: [] },
  revision: 1,
})

/** When the task was done; undefined if it isn't. */
export const completionOf = ({ status, completedAt }: Pick<TaskState, 'status' | 'completedAt'>): number | undefined =>
  status === 'done' ? completedAt : undefined

/** Separates title and description in a task's content. */
const gap = '\n\n'

export const taskContent = (title: string, description: string | undefined): string =>
  description === undefined || description === '' ? title : title + gap + description

/**
 * Title and description of a task's content. `titleChars` is where the title ends in content joined from both. In other
 * content the first line that isn't blank is the title.
 */
export function splitTask(
  content: string,
  titleChars: number | undefined,
): { title: string; description: string | undefined } {
  if (titleChars !== undefined) return { title: content.slice(0, titleChars), description: after(content, titleChars) }
  const [, blank = '', title = content] = /^(\s*?)(\S[^\r\n]*)/.exec(content) ?? []
  const rest = content.slice(blank.length + title.length).replace(/^[\r\n]+/, '')
  return { title, description: rest === '' ? undefined : rest }
}

const after = (content: string, titleChars: number): string | undefined =>
  content.length === titleChars ? undefined : content.slice(titleChars + gap.length)
