/** A record that a call is about: what the activity log and the run keep of a call, next to its name. Ids only, never content. */
export interface RecordRef {
  kind: RecordKind
  id: string
}

export type RecordKind =
  | 'memory'
  | 'task'
  | 'note'
  | 'folder'
  | 'link'
  /** A memory or a note, where the call does not say which. */
  | 'node'
  | 'message'
  | 'turn'
  | 'run'
  | 'import'
  /** Of any kind that an export holds. */
  | 'record'
  | 'vault'
  | 'integration'
  | 'key'
  | 'webhook'
  | 'delivery'
  | 'backup'
  | 'user'
  | 'passkey'
  | 'session'

/** Refers to records of one kind; to none for an id that the call left out. */
export function refs(kind: RecordKind, ids: string | readonly string[] | undefined): RecordRef[] {
  if (ids === undefined) return []
  return (typeof ids === 'string' ? [ids] : ids).map((id) => ({ kind, id: id.toLowerCase() }))
}

/** The kinds that a run shows of its calls. */
export const calledKinds = ['memory', 'task', 'note', 'message', 'turn'] as const

export interface CalledRecord {
  kind: (typeof calledKinds)[number]
  id: string
}

/** Records that have a page in the dashboard, named by the list that they are in. */
export const recordTypes = ['memories', 'tasks', 'notes', 'messages', 'runs', 'agents', 'webhooks'] as const
export type RecordType = (typeof recordTypes)[number]

export const typeOfKind: Readonly<Partial<Record<string, RecordType>>> = {
  memory: 'memories',
  task: 'tasks',
  note: 'notes',
  message: 'messages',
  run: 'runs',
  integration: 'agents',
  webhook: 'webhooks',
} satisfies Partial<Record<RecordKind, RecordType>>
