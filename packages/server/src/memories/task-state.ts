/**
 * What a memory of type `task` is beyond a memory. The rest of a task is the memory's own: title and description are its
 * content, the priority is its importance, the version its version, so that both can never be out of step.
 */

export const taskStatuses = ['backlog', 'todo', 'in_progress', 'done', 'blocked'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export interface TaskState {
  status: TaskStatus
  completedAt: number | undefined
  detail: TaskDetail
  /** Of the stored row; 1 where it was just made. */
  revision: number
}

export interface TaskDetail {
  assignedAgentId?: string | undefined
  /** What must be true for it to be done. */
  doneWhen?: string | undefined
  /** Only while it is blocked. */
  blockedReason?: string | undefined
  /** Oldest first. */
  statusHistory: StatusChange[]
}

export interface StatusChange {
  from: TaskStatus
  to: TaskStatus
  at: number
  agentId: string
  agentRunId?: string | undefined
  comment?: string | undefined
}

/** A memory that was written as a task, and of which nothing else was said. */
export const plainTask = (): TaskState => ({
  status: 'todo',
  completedAt: undefined,
  detail: { statusHistory: [] },
  revision: 1,
})

/** What stands between title and description in a task's content. */
const gap = '\n\n'

export const taskContent = (title: string, description: string | undefined): string =>
  description === undefined || description === '' ? title : title + gap + description

/**
 * Title and description of a task's content. `titleChars` says where the title ends in contents that were put together
 * of both; contents that were written whole have their first line that says something as the title.
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
