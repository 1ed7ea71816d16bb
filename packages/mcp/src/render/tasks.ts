import { printName, printParty, printSender, printWriters, writersOf, type Task } from '@holdfast/client'
import { entryLine, type WholeItem } from './compose.ts'
import { writers } from './memories.ts'
import { dated, displayName, oneLine } from './one-line.ts'
import { item } from './recall-fence.ts'

/** `- [t:id] in_progress p4 @claude-code 2026-10-02 (3d) by planner · Rotate the key; done when all verify` */
export function taskLine(task: Task, now: number): string {
  const { title, description, doneWhen, blockedReason } = task
  const parts = [
    oneLine(title, 300),
    ...(description === null ? [] : [oneLine(description, 200)]),
    ...(doneWhen === null ? [] : [`done when ${oneLine(doneWhen, 160)}`]),
    ...(blockedReason === null ? [] : [`blocked${printBlocker(task)}: ${oneLine(blockedReason, 160)}`]),
  ]
  return entryLine(
    [
      `[t:${task.taskId}]`,
      task.status,
      `p${task.priority}`,
      task.assignedAgentId === null ? undefined : `@${printName(task.assignedAgentId)}`,
      dated(task.createdAt, now),
      task.archivedAt === null ? undefined : 'archived',
      printWriters(writersOf(task)),
    ],
    parts.join('; '),
  )
}

/** A task in full, in parts. */
export function wholeTask(task: Task, now: number): WholeItem {
  const { title, description, doneWhen, blockedReason, statusHistory } = task
  const history = statusHistory.map(
    ({ from, to, at, comment, ...by }) =>
      `- ${at.slice(0, 16)}Z ${from === to ? to : `${from} → ${to}`} ${printMover(task, by)}${comment === undefined ? '' : `: ${oneLine(comment, 2_000)}`}`,
  )
  const parts = [
    // First, so that no text can contain a history that comes before it.
    history.length === 0 ? '' : `History:\n${history.join('\n')}`,
    title,
    description ?? '',
    doneWhen === null ? '' : `Done when: ${doneWhen}`,
    blockedReason === null ? '' : `Blocked${printBlocker(task)}: ${blockedReason}`,
  ]
  const about = {
    id: `t:${task.taskId}`,
    type: 'task',
    status: task.status,
    priority: task.priority,
    assigned: task.assignedAgentId === null ? undefined : displayName(task.assignedAgentId),
    created: dated(task.createdAt, now),
    completed: task.completedAt === null ? undefined : dated(task.completedAt, now),
    ...writers(task),
    marks: task.archivedAt === null ? undefined : 'archived',
    version: task.version,
  }
  const text = parts.filter((part) => part !== '').join('\n\n')
  return { id: `t:${task.taskId}`, text, show: (part) => item(about, part) }
}

export const countsText = (counts: Partial<Record<Task['status'], number>>): string =>
  Object.entries(counts)
    .flatMap(([status, count]) => (count === 0 ? [] : [`${count} ${status}`]))
    .join(', ')

/** The reason isn't part of the task's text: whoever works on the task can write it. */
function printBlocker({ blockedBy }: Pick<Task, 'blockedBy'>): string {
  if (blockedBy === undefined || blockedBy.agentId === null) return ' by someone unknown'
  const { agentId, keyLabel, route } = blockedBy
  return route.startsWith('import')
    ? ` (${printSender({ name: agentId, type: 'agent', trust: 'imported' })})`
    : ` by ${printParty(agentId, keyLabel)}`
}

/** Who moved a task or commented on it. The names in the history of an imported task are claims. */
function printMover(
  { source }: Pick<Task, 'source'>,
  { agentId, integrationId, keyLabel }: Pick<Task['statusHistory'][number], 'agentId' | 'integrationId' | 'keyLabel'>,
): string {
  const isClaim = source.route.startsWith('import') && integrationId === undefined && agentId !== 'user'
  return isClaim
    ? printSender({ name: agentId, type: 'agent', trust: 'imported' })
    : `by ${printParty(agentId, keyLabel)}`
}
