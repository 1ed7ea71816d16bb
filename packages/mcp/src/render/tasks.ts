import type { Task } from '@holdfast/client'
import { entryLine } from './compose.ts'
import { dated, oneLine } from './one-line.ts'

/** `- [t:id] in_progress p4 @claude-code 2026-10-02 (3d) · Rotate the key; done when all verify` */
export function taskLine(task: Task, now: number): string {
  const { title, description, doneWhen, blockedReason } = task
  const parts = [
    oneLine(title, 300),
    ...(description === null ? [] : [oneLine(description, 200)]),
    ...(doneWhen === null ? [] : [`done when ${oneLine(doneWhen, 160)}`]),
    ...(blockedReason === null ? [] : [`blocked: ${oneLine(blockedReason, 160)}`]),
  ]
  return entryLine(
    [
      `[t:${task.taskId}]`,
      task.status,
      `p${task.priority}`,
      task.assignedAgentId === null ? undefined : `@${oneLine(task.assignedAgentId, 60)}`,
      dated(task.createdAt, now),
      task.archivedAt === null ? undefined : 'archived',
    ],
    parts.join('; '),
  )
}

export const countsText = (counts: Partial<Record<Task['status'], number>>): string =>
  Object.entries(counts)
    .flatMap(([status, count]) => (count === 0 ? [] : [`${count} ${status}`]))
    .join(', ')
