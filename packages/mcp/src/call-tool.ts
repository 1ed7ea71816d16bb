import { HoldfastError, printName, type CallOptions, type Client, type OperationName } from '@holdfast/client'
import { checkArguments } from './check-arguments.ts'
import { inferRun, isFirstWarning, type Connection } from './connections.ts'
import { explainError } from './explain-error.ts'
import { operationTools } from './generated/operation-tools.ts'
import { compose, cut, defaultMaxChars, largestMaxChars, type Answer } from './render/compose.ts'
import { callText, displayName } from './render/one-line.ts'
import { secretWarning } from './secret-warning.ts'
import type { Switches } from './switches.ts'
import { ToolProblem } from './tool-problem.ts'
import type { Tool, ToolCall } from './tool.ts'
import { argumentFor, findVault, withName, type ChosenVault, type VaultDirectory } from './vault-directory.ts'

/** The caller of tools: its client, settings and connection. */
export interface Caller {
  /** Uses the caller's key. */
  client: Client
  switches: Switches
  connection: Connection
  /** From the client's request, or from the stdio process. */
  run: string | undefined
  now(): number
  /** Logs an unexpected error, never what was sent. */
  report(error: unknown, tool: string): void
  /** Counts a request that called no operation. Returns the seconds to wait if that exceeds the rate limit. */
  settle?(): Promise<number | undefined>
}

export interface ToolResult {
  text: string
  isError: boolean
  data: Record<string, unknown> | undefined
}

/** Runs a tool. A failure becomes a text for the agent, never a protocol error. */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
  signal: AbortSignal,
): Promise<ToolResult> {
  let directory: VaultDirectory | undefined
  try {
    const args = checkArguments(tool.inputSchema, given, { leavesValues: tool.leavesValues })
    const named = trimText(args['vault'] ?? args['vaultId'])
    const found = await findVault(caller, named ?? caller.switches.vault, tool.effect !== 'read')
    directory = found.directory
    const call = openCall({ tool, args, caller, signal, isNamed: named !== undefined, ...found })
    const answer = await tool.run(args, call)
    const warning = tool.effect === 'write' ? secretWarning(args) : []
    return buildResult(tool, call, { ...answer, head: [...(answer.head ?? []), ...warning] }, caller)
  } catch (error) {
    const isExpected = error instanceof ToolProblem || error instanceof HoldfastError || signal.aborted
    if (!isExpected) caller.report(error, tool.name)
    const text = explainError(error, { vaults: directory?.vaults, inputSchema: tool.inputSchema })
    return { text: cut(text, defaultMaxChars), isError: true, data: undefined }
  }
}

const trimText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

interface Opening {
  tool: Tool
  args: Readonly<Record<string, unknown>>
  caller: Caller
  directory: VaultDirectory
  vault: ChosenVault | undefined
  /** Whether the call names its vault. */
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
  // The types of names and inputs are checked where tools make calls.
  const send = client.call as (name: OperationName, input: object, options: CallOptions) => Promise<unknown>
  const named = trimText(args['run'] ?? args['agentRunId']) ?? caller.run
  // A new session is a new run, and the server chooses its id.
  const run = named ?? (tool.name === 'session_start' ? undefined : inferRun(connection, now))
  return {
    async call(name, input) {
      const { vaultId: _vaultId, ...fields } = input as Record<string, unknown>
      // Only the call itself limits an operation across vaults to one, and a reply goes to the vault of its message.
      const isReplyElsewhere = !isNamed && (fields['parentMessageId'] ?? undefined) !== undefined
      const needsVault = vaultOperations.has(name) ? !isReplyElsewhere : isNamed && takesVault.has(name)
      const filled = {
        ...(name !== 'info' && run !== undefined && { agentRunId: run }),
        ...fields,
        ...(needsVault && vault !== undefined && { vaultId: vault.id }),
      }
      const answer = (await send(name, filled, { signal })) as never
      updateConnection({ name, input: filled, answer }, connection, now)
      return answer
    },
    ...buildFollowUps(opening),
    isNamed,
    isStructured: caller.switches.isStructured,
    vault,
    directory,
    run,
    now,
  }
}

interface AnsweredCall {
  name: OperationName
  input: object
  answer: object
}

/** Updates the connection after a successful call. */
function updateConnection({ name, input, answer }: AnsweredCall, connection: Connection, now: number): void {
  if (name === 'create-vault') connection.directory = undefined
  const { agentRunId } = answer as { agentRunId?: unknown }
  const isNewSession = name === 'session-start' && !('peek' in input && input.peek === true)
  if (isNewSession && typeof agentRunId === 'string') connection.run = { id: agentRunId, lastAt: now }
}

const maxKeptChars = 400

/** Builds the calls that an answer suggests. They keep the vault and the arguments of this call. */
function buildFollowUps({ tool, args, vault, isNamed }: Opening): Pick<ToolCall, 'again' | 'follow'> {
  const id = isNamed ? vault?.id : undefined
  const { vault: _vault, vaultId: _vaultId, ...others } = args
  return {
    follow: (name, given) => callText(name, { ...given, vault: id }),
    again(changes) {
      const field = 'vaultId' in tool.inputSchema.properties ? 'vaultId' : 'vault'
      const kept = Object.fromEntries(Object.entries(others).filter(([name]) => !Object.hasOwn(changes, name)))
      const isShort = JSON.stringify(kept).length <= maxKeptChars
      const text = callText(tool.name, { ...(isShort && kept), ...changes, [field]: id })
      return isShort ? text : text.replace('(', '(the other arguments unchanged, ')
    },
  }
}

/** Operations across vaults that can be limited to one. */
const takesVault: ReadonlySet<OperationName> = new Set(['read-messages', 'pending-messages', 'ack-message'])

function buildResult(tool: Tool, call: ToolCall, answer: Answer, caller: Caller): ToolResult {
  const { isNamed, directory } = call
  // The answer to a reply says which vault it went to.
  const { vaultId } = answer.data ?? {}
  const vault = typeof vaultId === 'string' && tool.inVault ? withName(directory, vaultId) : call.vault
  const isInVault = tool.inVault || isNamed
  const name = isInVault && vault !== undefined ? displayName(vault.name) : undefined
  const head = [
    isInVault ? `vault: ${name === undefined ? 'none' : printName(name)}` : 'vault: all',
    ...(vault?.id === call.vault?.id ? warnAboutDefaultVault(tool, call, caller) : []),
    ...(answer.head ?? []),
  ]
  return { text: compose({ ...answer, head }, name), isError: false, data: limitData(answer) }
}

/** Limits structured content to the length of the text. */
function limitData({ data, maxChars = defaultMaxChars }: Answer): Answer['data'] {
  const chars = data === undefined ? 0 : JSON.stringify(data).length
  return chars <= maxChars
    ? data
    : {
        error: `TOO_LARGE: as JSON, this answer has ${chars} characters; the limit is ${maxChars}. Request less (limit, fewer ids), or pass a larger maxChars (up to ${largestMaxChars}) if the tool has one.`,
      }
}

/** Warns once per run that a write went to the default vault because none was named. */
function warnAboutDefaultVault(tool: Tool, { vault, directory, run }: ToolCall, { connection }: Caller): string[] {
  const others = directory.vaults.filter(({ id }) => id !== vault?.id)
  if (tool.effect === 'read' || !tool.inVault || vault?.isDefault !== true || others.length === 0) return []
  if (!isFirstWarning(connection, run ?? '')) return []
  const names = others.slice(0, 5).map((other) => printName(argumentFor(other)))
  return [
    `note: no vault was named, so this went to the default vault. To use another, pass vault: ${names.join(', ')}${others.length > names.length ? ', …' : ''}.`,
  ]
}
