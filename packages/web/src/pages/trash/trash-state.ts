/** What the page shows, as it stands in the URL. */
export const shown = { show: 'memories', offset: 0 }

export const pageSize = 25

export const kinds = ['memories', 'tasks', 'notes'] as const
export type Kind = (typeof kinds)[number]

export const kindOf = (show: string): Kind => kinds.find((kind) => kind === show) ?? 'memories'

/** One of what is put away, of whichever kind. */
export interface PutAway {
  id: string
  title: string
  preview: string
  /** When it was put away. */
  at: string | null
  /** Who wrote it. */
  agentId: string | null
}

export const nameOf = ({ title, preview }: Pick<PutAway, 'title' | 'preview'>) =>
  [title, preview].find((text) => text.trim() !== '') ?? 'Without words'

const dayMs = 86_400_000

/** When retention deletes it; null where it never does. The job looks every hour. */
export const endOf = (at: string | null, archivedDays: number | null): string | null =>
  at === null || archivedDays === null ? null : new Date(Date.parse(at) + archivedDays * dayMs).toISOString()

export const wordsOf: Readonly<Record<Kind, { title: string; one: string; many: string; path: string }>> = {
  memories: { title: 'Memory', one: 'memory', many: 'memories', path: '/memories' },
  tasks: { title: 'Task', one: 'task', many: 'tasks', path: '/tasks' },
  notes: { title: 'Note', one: 'note', many: 'notes', path: '/notes' },
}
