import type { Task } from '@holdfast/client/dashboard'
import { changesBetween } from '../../components/forms/edited-record.tsx'
import type { TaskStatus } from './task-looks.tsx'

export interface TaskValues {
  title: string
  description: string
  doneWhen: string
  status: TaskStatus
  blockedReason: string
  priority: string
  assignedAgentId: string
  entities: string[]
}

export const valuesOf = (task: Task | undefined, status: TaskStatus = 'todo'): TaskValues => ({
  title: task?.title ?? '',
  description: task?.description ?? '',
  doneWhen: task?.doneWhen ?? '',
  status: task?.status ?? status,
  blockedReason: task?.blockedReason ?? '',
  priority: String(task?.priority ?? 3),
  assignedAgentId: task?.assignedAgentId ?? '',
  entities: task?.entities ?? [],
})

export function newFields(values: TaskValues) {
  const { title, description, doneWhen, status, blockedReason, priority, assignedAgentId, entities } = values
  return {
    title: title.trim(),
    description: description === '' ? undefined : description,
    doneWhen: doneWhen.trim() === '' ? undefined : doneWhen.trim(),
    status,
    blockedReason: status === 'blocked' && blockedReason.trim() !== '' ? blockedReason.trim() : undefined,
    priority: Number(priority),
    assignedAgentId: assignedAgentId.trim() === '' ? undefined : assignedAgentId.trim(),
    entities,
  }
}

/** The fields that the person changed. An edit sends only those. */
export function changedFields(values: TaskValues, task: Task) {
  const changed = changesBetween(valuesOf(task), values)
  const { title, status, priority, entities, ...texts } = newFields(values)
  const fields = {
    title,
    status,
    priority,
    entities,
    description: texts.description ?? '',
    doneWhen: texts.doneWhen ?? null,
    assignedAgentId: texts.assignedAgentId ?? null,
    // The server clears it when the task is unblocked.
    ...(status === 'blocked' && { blockedReason: texts.blockedReason ?? null }),
  }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in changed)) as Partial<typeof fields>
}
