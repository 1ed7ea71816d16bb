/** A record that a call is about or returns, for the activity log and the run. Ids only, never content. */
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
  /** A memory or a note, if the call doesn't say which. */
  | 'node'
  | 'message'
  | 'turn'
  | 'run'
  | 'import'
  | 'vault'
  | 'integration'
  | 'key'
  | 'webhook'
  | 'delivery'
  | 'backup'
  | 'user'
  | 'passkey'
  | 'session'

/** References to records of one kind. Empty if the id was omitted. */
export function refs(kind: RecordKind, ids: string | readonly string[] | undefined): RecordRef[] {
  if (ids === undefined) return []
  return (typeof ids === 'string' ? [ids] : ids).map((id) => ({ kind, id: id.toLowerCase() }))
}

/** The kinds of records that a run lists for its calls. */
export const calledKinds = ['memory', 'task', 'note', 'message', 'turn'] as const

export interface CalledRecord {
  kind: (typeof calledKinds)[number]
  id: string
}

/** The kinds of records that reverting a run takes back. A task is a memory. */
export type CreatedKind = 'memory' | 'note'

/** Records with a page in the dashboard, by the name of their list. */
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
