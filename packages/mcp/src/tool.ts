import type { OperationName, Operations } from '@holdfast/client'
import type { Answer } from './render/compose.ts'
import type { ArgumentsOf, InputSchema } from './schema.ts'
import type { ChosenVault, VaultDirectory } from './vault-directory.ts'

/** One tool: what a host shows its model, and what a call does. */
export interface Tool {
  /** At most 25 characters: hosts put their own names before it. */
  name: string
  title: string
  description: string
  inputSchema: InputSchema
  effect: 'read' | 'write' | 'destructive'
  /** Whether a second call with the same arguments changes nothing more. */
  isIdempotent: boolean
  /** A key must hold each of them in some vault, or the tool is not listed. */
  scopes: readonly string[]
  /** False where it works across vaults and the vault of the connection does not narrow it. */
  inVault: boolean
  /** Whether the service judges the values, which takes more forms than the schema says. */
  leavesValues: boolean
  run(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<Answer>
}

/** One call of a tool under way. */
export interface ToolCall {
  /** Calls an operation, in the vault, as the agent and in the run of this tool call. Throws a HoldfastError. */
  call<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']>
  /** Undefined where nobody named one and the integration has none. */
  vault: ChosenVault | undefined
  directory: VaultDirectory
  /** Undefined: none was named, and the service gives the next session one. */
  run: string | undefined
  /** Whether the call itself says which vault. */
  isNamed: boolean
  /** Whether the answer goes out as JSON beside the text. */
  isStructured: boolean
  /** This call once more with these changes, in words. */
  again(changes: Readonly<Record<string, unknown>>): string
  /** A call of another tool, in words. */
  follow(tool: string, args: Readonly<Record<string, unknown>>): string
  now: number
}

interface Spec<Schema extends InputSchema> {
  name: string
  title: string
  description: string
  inputSchema: Schema
  effect: Tool['effect']
  isIdempotent?: boolean
  scopes: readonly string[]
  inVault?: boolean
  leavesValues?: boolean
  run(args: ArgumentsOf<Schema>, call: ToolCall): Promise<Answer>
}

/** The one place where the types of arguments are widened: `run` gets what its own schema let through. */
export const tool = <const Schema extends InputSchema>(spec: Spec<Schema>): Tool => ({
  isIdempotent: spec.effect === 'read',
  inVault: true,
  leavesValues: false,
  ...(spec as unknown as Omit<Tool, 'isIdempotent' | 'inVault' | 'leavesValues'>),
})

/** Arguments that most tools take. */
export const common = {
  vault: { type: 'string', description: 'Name or id; else the configured vault.' },
  run: { type: 'string', description: 'From session_start.' },
} as const

/** The same for what works across vaults. */
export const anyVault = { ...common, vault: { type: 'string', description: 'Name or id; else all.' } } as const
