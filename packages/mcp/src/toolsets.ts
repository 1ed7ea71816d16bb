import type { OperationName } from '@holdfast/client'

/** The operations of each toolset, one tool per operation; `full` contains all. A new operation needs no line: see `toolsetOf`. */
export const operationToolsets = {
  session: ['session-start', 'context-checkpoint', 'list-active-agents'],
  memory: [
    'write-memory',
    'read-memories',
    'update-memory',
    'archive-memory',
    'cleanup-memories',
    'get-related-memories',
    'search-memories',
  ],
  tasks: ['create-task', 'update-task', 'list-tasks'],
  notes: [
    'create-note',
    'read-note',
    'read-notes',
    'update-note',
    'delete-note',
    'move-note',
    'list-notes',
    'search-notes',
    'semantic-search',
    'search-and-read',
  ],
  graph: ['add-link', 'remove-link', 'get-links', 'explore-graph'],
  messages: ['send-message', 'read-messages', 'pending-messages', 'ack-message'],
  documents: ['read-document', 'update-document'],
  vaults: ['list-vaults', 'create-vault', 'list-folders', 'create-folder'],
  admin: ['info', 'get-settings', 'update-settings'],
  // Not for models, but for hosts whose hooks can call tools.
  hooks: ['ingest-turn', 'session-track'],
} as const satisfies Record<string, readonly OperationName[]>

export type OperationToolset = keyof typeof operationToolsets

const listed = new Map<string, OperationToolset>(
  Object.entries(operationToolsets).flatMap(([toolset, names]) =>
    names.map((name) => [name, toolset as OperationToolset] as const),
  ),
)

/** The toolset of an operation: the listed one, else the one of operations with the same noun, else `admin`. */
export function toolsetOf(operation: string): OperationToolset {
  const noun = nounOf(operation)
  return listed.get(operation) ?? [...listed].find(([other]) => nounOf(other) === noun)?.[1] ?? 'admin'
}

const nounOf = (operation: string) => operation.replace(/^.*-/, '').replace(/ies$/, 'y').replace(/s$/, '')

/** The names that `?tools=` accepts. */
export const toolsetNames = ['core', 'full', ...Object.keys(operationToolsets), 'chatgpt'] as const

/** Writing operations that can be repeated without further changes. */
export const idempotentOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'update-memory',
  'archive-memory',
  'delete-note',
  'move-note',
  'create-folder',
  'add-link',
  'remove-link',
  'ack-message',
  'context-checkpoint',
  'update-settings',
])
