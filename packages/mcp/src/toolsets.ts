import type { OperationName } from '@holdfast/client'

/** Which operations each toolset holds, one tool an operation. Every operation is in exactly one; `full` is all of them. */
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
  // Not for the model: hosts whose hooks can call tools call these.
  hooks: ['ingest-turn', 'session-track'],
} as const satisfies Record<string, readonly OperationName[]>

export type OperationToolset = keyof typeof operationToolsets

/** All that `?tools=` and its like may name. */
export const toolsetNames = ['core', 'full', ...Object.keys(operationToolsets), 'chatgpt'] as const

/** Operations whose repetition changes nothing more, beside those that only read. */
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
