import { usePage } from '../../api/queries.ts'
import { memoryTypes } from '../../components/records/memory-marks.tsx'
import { pageSize, type Kind, type TrashRecord } from './trash-state.ts'

const notTasks = memoryTypes.filter((type) => type !== 'task')

/** A page of archived or trashed records of one kind, most recent first. */
export function useTrashRecords(vaultId: string, kind: Kind, offset: number) {
  const page = { vaultId, limit: pageSize, offset, sort: 'updated' as const }
  const memories = usePage(
    'list-memories',
    { ...page, state: 'archived', type: notTasks },
    { enabled: kind === 'memories' },
  )
  const tasks = usePage('list-tasks', { ...page, state: 'archived' }, { enabled: kind === 'tasks' })
  const notes = usePage('list-notes', { ...page, state: 'trashed' }, { enabled: kind === 'notes' })
  return {
    query: { memories, tasks, notes }[kind],
    rows: { memories: memoriesOf, tasks: tasksOf, notes: notesOf }[kind](),
  }

  function memoriesOf(): TrashRecord[] {
    return (memories.data?.memories ?? []).map(({ id, title, preview, archivedAt, agentId }) => ({
      id,
      title,
      preview,
      at: archivedAt,
      agentId,
    }))
  }

  function tasksOf(): TrashRecord[] {
    return (tasks.data?.tasks ?? []).map(({ taskId, title, description, archivedAt, agentId }) => ({
      id: taskId,
      title,
      preview: description ?? '',
      at: archivedAt,
      agentId,
    }))
  }

  function notesOf(): TrashRecord[] {
    return (notes.data?.notes ?? []).map(({ id, title, preview, trashedAt, agentId }) => ({
      id,
      title,
      preview,
      at: trashedAt,
      agentId,
    }))
  }
}
