import { HoldfastError, type CallOptions, type Client, type OperationName } from '@holdfast/client'
import { checkArguments } from './check-arguments.ts'
import { inferRun, isNews, type Connection } from './connections.ts'
import { explainError } from './explain-error.ts'
import { operationTools } from './generated/operation-tools.ts'
import { compose, cut, defaultMaxChars, largestMaxChars, type Answer } from './render/compose.ts'
import { callText, nameOf } from './render/one-line.ts'
import { secretWarning } from './secret-warning.ts'
import type { Switches } from './switches.ts'
import { ToolProblem } from './tool-problem.ts'
import type { Tool, ToolCall } from './tool.ts'
import { argumentFor, findVault, vaultNamed, type ChosenVault, type VaultDirectory } from './vault-directory.ts'

/** Where tools are called from: who calls, with which key, and as what. */
export interface Caller {
  /** With the caller's key. */
  client: Client
  switches: Switches
  connection: Connection
  /** Said by the client's request itself, or by the process that it runs. */
  run: string | undefined
  now(): number
  /** What nobody foresaw, for the log; never what was sent. */
  report(error: unknown, tool: string): void
  /** Counts a request that should have called an operation, and did not. Where that is too much, how many seconds to wait. */
  settle?(): Promise<number | undefined>
}

export interface ToolResult {
  text: string
  isError: boolean
  data: Record<string, unknown> | undefined
}

/** Runs a tool. Whatever fails is told in words for the agent, never as an error of the protocol. */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
  signal: AbortSignal,
): Promise<ToolResult> {
  let directory: VaultDirectory | undefined
  try {
    const args = checkArguments(tool.inputSchema, given, { leavesValues: tool.leavesValues })
    const named = textOf(args['vault'] ?? args['vaultId'])
    const found = await findVault(caller, named ?? caller.switches.vault, tool.effect !== 'read')
    directory = found.directory
    const call = openCall({ tool, args, caller, signal, isNamed: named !== undefined, ...found })
    const answer = await tool.run(args, call)
    const warning = tool.effect === 'write' ? secretWarning(args) : []
    return resultOf(tool, call, { ...answer, head: [...(answer.head ?? []), ...warning] }, caller)
  } catch (error) {
    const isForeseen = error instanceof ToolProblem || error instanceof HoldfastError || signal.aborted
    if (!isForeseen) caller.report(error, tool.name)
    const text = explainError(error, { vaults: directory?.vaults, inputSchema: tool.inputSchema })
    return { text: cut(text, defaultMaxChars), isError: true, data: undefined }
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

interface Opening {
  tool: Tool
  args: Readonly<Record<string, unknown>>
  caller: Caller
  directory: VaultDirectory
  vault: ChosenVault | undefined
  /** Whether the call itself says which vault. */
  isNamed: boolean
  signal: AbortSignal
}

const vaultOperations: ReadonlySet<OperationName> = new Set(
  operationTools.flatMap(({ operation, inVault }) => (inVault ? [operation] : [])),
)

function openCall(opening: Opening): ToolCall {
  const { tool, args, caller, directory, vault, isNamed, signal } = opening
  const { client, connection } = caller
  const now = caller.now()
  // Names and inputs were matched where the tools call.
  const send = client.call as (name: OperationName, input: object, options: CallOptions) => Promise<unknown>
  const named = textOf(args['run'] ?? args['agentRunId']) ?? caller.run
  // A session that begins is a run of its own, which the service names.
  const run = named ?? (tool.name === 'session_start' ? undefined : inferRun(connection, now))
  return {
    async call(name, input) {
      const { vaultId: _vaultId, ...fields } = input as Record<string, unknown>
      // What works across vaults is narrowed by the call alone, and a reply lies where its message lies.
      const isElsewhere = !isNamed && (fields['parentMessageId'] ?? undefined) !== undefined
      const isMeant = vaultOperations.has(name) ? !isElsewhere : isNamed && takesVault.has(name)
      const filled = {
        ...(name !== 'info' && run !== undefined && { agentRunId: run }),
        ...fields,
        ...(isMeant && vault !== undefined && { vaultId: vault.id }),
      }
      const answer = (await send(name, filled, { signal })) as never
      learnFrom(name, filled, answer, connection, now)
      return answer
    },
    ...followersOf(opening),
    isNamed,
    isStructured: caller.switches.isStructured,
    vault,
    directory,
    run,
    now,
  }
}

/** What a call that went well says about those that follow it. */
function learnFrom(name: OperationName, input: object, answer: object, connection: Connection, now: number): void {
  if (name === 'create-vault') connection.directory = undefined
  const { agentRunId } = answer as { agentRunId?: unknown }
  const isBeginning = name === 'session-start' && !('peek' in input && input.peek === true)
  if (isBeginning && typeof agentRunId === 'string') connection.run = { id: agentRunId, lastAt: now }
}

const maxKeptChars = 400

/** Calls to name in an answer: they stay in the vault that this one named, and keep what it asked for. */
function followersOf({ tool, args, vault, isNamed }: Opening): Pick<ToolCall, 'again' | 'follow'> {
  const id = isNamed ? vault?.id : undefined
  const { vault: _vault, vaultId: _vaultId, ...others } = args
  return {
    follow: (name, given) => callText(name, { ...given, vault: id }),
    again(changes) {
      const field = 'vaultId' in tool.inputSchema.properties ? 'vaultId' : 'vault'
      const kept = Object.fromEntries(Object.entries(others).filter(([name]) => !Object.hasOwn(changes, name)))
      const isShort = JSON.stringify(kept).length <= maxKeptChars
      const text = callText(tool.name, { ...(isShort && kept), ...changes, [field]: id })
      return isShort ? text : text.replace('(', '(the other arguments as before, ')
    },
  }
}

/** Those that work across vaults and can be narrowed to one. */
const takesVault: ReadonlySet<OperationName> = new Set(['read-messages', 'pending-messages', 'ack-message'])

function resultOf(tool: Tool, call: ToolCall, answer: Answer, caller: Caller): ToolResult {
  const { isNamed, directory } = call
  // Where the answer says in which vault it was, as that of a reply, it knows better.
  const { vaultId } = answer.data ?? {}
  const vault = typeof vaultId === 'string' && tool.inVault ? vaultNamed(directory, vaultId) : call.vault
  const isInVault = tool.inVault || isNamed
  const name = isInVault && vault !== undefined ? nameOf(vault.name) : undefined
  const head = [
    isInVault ? `vault: ${name ?? 'none'}` : 'vault: all',
    ...(vault?.id === call.vault?.id ? remarks(tool, call, caller) : []),
    ...(answer.head ?? []),
  ]
  return { text: compose({ ...answer, head }, name), isError: false, data: withinRoom(answer) }
}

/** Hosts that ask for structure get no more of it than of text. */
function withinRoom({ data, maxChars = defaultMaxChars }: Answer): Answer['data'] {
  const chars = data === undefined ? 0 : JSON.stringify(data).length
  return chars <= maxChars
    ? data
    : {
        error: `TOO_LARGE: as JSON this answer has ${chars} characters, of at most ${maxChars}. Call again for less (limit, fewer ids), or with a larger maxChars (up to ${largestMaxChars}) where the tool takes one.`,
      }
}

/** Said once in a run: a write went where nobody had said that it should go. */
function remarks(tool: Tool, { vault, directory, run }: ToolCall, { connection }: Caller): string[] {
  const others = directory.vaults.filter(({ id }) => id !== vault?.id)
  if (tool.effect === 'read' || !tool.inVault || vault?.isDefault !== true || others.length === 0) return []
  if (!isNews(connection, run ?? '')) return []
  const names = others.slice(0, 5).map(argumentFor)
  return [
    `note: no vault was named, so this went to the default one. If another was meant, pass vault: ${names.join(', ')}${others.length > names.length ? ', …' : ''}.`,
  ]
}
