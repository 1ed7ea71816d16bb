import { describeUrl, oneOf } from '../../shell/url-state.ts'

export const pageSize = 25

export const kinds = ['memories', 'tasks', 'notes'] as const
export type Kind = (typeof kinds)[number]

export const trashUrl = describeUrl({ show: oneOf(kinds, 'memories'), offset: 0 })

/** An archived memory or task, or a note in the trash. */
export interface TrashRecord {
  id: string
  title: string
  preview: string
  /** When it was archived or moved to the trash. */
  at: string | null
  agentId: string | null
}

export const nameOf = ({ title, preview }: Pick<TrashRecord, 'title' | 'preview'>) =>
  [title, preview].find((text) => text.trim() !== '') ?? 'Untitled'

const dayMs = 86_400_000

/** When retention deletes it; null for never. The job runs every hour. */
export const deletionTime = (at: string | null, archivedDays: number | null): string | null =>
  at === null || archivedDays === null ? null : new Date(Date.parse(at) + archivedDays * dayMs).toISOString()

export const wordsOf: Readonly<Record<Kind, { title: string; one: string; many: string; path: string }>> = {
  memories: { title: 'Memory', one: 'memory', many: 'memories', path: '/memories' },
  tasks: { title: 'Task', one: 'task', many: 'tasks', path: '/tasks' },
  notes: { title: 'Note', one: 'note', many: 'notes', path: '/notes' },
}
