import type { OperationName } from '@holdfast/client'
import type { toolsets } from './generated/words.ts'
import type { InputSchema } from './schema.ts'

/** An operation in the generated list. */
export interface OperationTool {
  /** The operation's name with underscores. */
  name: string
  operation: OperationName
  toolset: (typeof toolsets)[number]
  description: string
  effect: 'read' | 'write' | 'destructive'
  scopes: readonly string[]
  /** Whether it works in a single vault, the one of the call. */
  inVault: boolean
  inputSchema: InputSchema
}
