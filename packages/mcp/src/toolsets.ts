import type { OperationName } from '@holdfast/client'
import { toolsets } from './generated/words.ts'

/** The names that `?tools=` accepts. `full` contains the tools of all operations. */
export const toolsetNames = ['core', 'full', ...toolsets, 'chatgpt'] as const

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
