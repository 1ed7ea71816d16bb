import type { OperationName, Operations } from '@holdfast/client'
import type { Answer } from './render/compose.ts'
import type { ArgumentsOf, InputSchema } from './schema.ts'
import type { ChosenVault, VaultDirectory } from './vault-directory.ts'

/** A tool: its description for the model, and what a call does. */
export interface Tool {
  /** At most 25 characters, because hosts add a prefix. */
  name: string
  title: string
  description: string
  inputSchema: InputSchema
  effect: 'read' | 'write' | 'destructive'
  /** Whether a second call with the same arguments changes nothing. */
  isIdempotent: boolean
  /** The tool is listed only if the key has each of these scopes in some vault. */
  scopes: readonly string[]
  /** False for tools across vaults, which the vault of the connection does not limit. */
  inVault: boolean
  /** Whether the server checks the values, because it accepts more forms than the schema. */
  leavesValues: boolean
  run(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<Answer>
}

/** A running call of a tool. */
export interface ToolCall {
  /** Calls an operation in the vault and run of this call. Throws a HoldfastError. */
  call<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']>
  /** Undefined if no vault is named and the integration has no default. */
  vault: ChosenVault | undefined
  directory: VaultDirectory
  /** Undefined if none is named. Then the server starts a run with the next session. */
  run: string | undefined
  /** Whether the call names its vault. */
  isNamed: boolean
  /** Whether the answer also contains JSON. */
  isStructured: boolean
  /** Prints this call with changed arguments. */
  again(changes: Readonly<Record<string, unknown>>): string
  /** Prints a call of another tool. */
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

/** Defines a tool. This is the only place that widens argument types: `run` gets what its schema accepts. */
export const tool = <const Schema extends InputSchema>(spec: Spec<Schema>): Tool => ({
  isIdempotent: spec.effect === 'read',
  inVault: true,
  leavesValues: false,
  ...(spec as unknown as Omit<Tool, 'isIdempotent' | 'inVault' | 'leavesValues'>),
})

/** Arguments of most tools. */
export const common = {
  vault: { type: 'string', description: 'Name or id. Default: the configured vault.' },
  run: { type: 'string', description: 'From session_start.' },
} as const

/** The same for tools across vaults. */
export const anyVault = { ...common, vault: { type: 'string', description: 'Name or id. Default: all.' } } as const
