import type { OperationName } from '@holdfast/client'
import type { InputSchema } from './schema.ts'

/** What the generated list says of one operation. */
export interface OperationTool {
  /** The operation's name with underscores. */
  name: string
  operation: OperationName
  description: string
  effect: 'read' | 'write' | 'destructive'
  scopes: readonly string[]
  /** Whether it works in the one vault of the call. */
  inVault: boolean
  inputSchema: InputSchema
}
