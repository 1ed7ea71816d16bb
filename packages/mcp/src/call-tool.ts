import { HoldfastError, type CallOptions, type Client, type OperationName } from '@holdfast/client'
import { checkArguments } from './check-arguments.ts'
import { inferRun, isNews, type Connection } from './connections.ts'
import { explainError } from './explain-error.ts'
import { operationTools } from './generated/operation-tools.ts'
import { compose, defaultMaxChars, type Answer } from './render/compose.ts'
import { oneLine } from './render/one-line.ts'
import { defused } from './render/recall-fence.ts'
import type { Switches } from './switches.ts'
import { ToolProblem } from './tool-problem.ts'
import type { Tool, ToolCall } from './tool.ts'
import { chooseVault, directoryOf, type ChosenVault, type VaultDirectory } from './vault-directory.ts'

/** Where tools are called from: who calls, with which key, and as what. */
export interface Caller {
  /** With the caller's key. */
  client: Client
  switches: Switches
  connection: Connection
  /** Said by the client's request itself, or by the process that it runs. */
  run: string | undefined
  /** What the client says that it is: the agent's name where the integration gives none. */
  clientName: string | undefined
  now(): number
  /** What nobody foresaw, for the log; never what was sent. */
  report(error: unknown, tool: string): void
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
    directory = await directoryOf(caller.connection, caller.client, caller.now())
    const vault = chooseVault(directory, textOf(args['vault'] ?? args['vaultId']) ?? caller.switches.vault)
    const call = openCall({ tool, args, caller, directory, vault, signal })
    const answer = await tool.run(args, call)
    return resultOf(tool, args, call, answer, caller)
  } catch (error) {
    const isForeseen = error instanceof ToolProblem || error instanceof HoldfastError || signal.aborted
    if (!isForeseen) caller.report(error, tool.name)
    return { text: explainError(error, directory?.vaults), isError: true, data: undefined }
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

interface Opening {
  tool: Tool
  args: Readonly<Record<string, unknown>>
  caller: Caller
  directory: VaultDirectory
  vault: ChosenVault | undefined
  signal: AbortSignal
}

const vaultOperations: ReadonlySet<OperationName> = new Set(
  operationTools.flatMap(({ operation, inVault }) => (inVault ? [operation] : [])),
)

function openCall({ tool, args, caller, directory, vault, signal }: Opening): ToolCall {
  const { client, connection, clientName } = caller
  const now = caller.now()
  // Names and inputs were matched where the tools call.
  const send = client.call as (name: OperationName, input: object, options: CallOptions) => Promise<unknown>
  const isNamed = textOf(args['vault'] ?? args['vaultId']) !== undefined
  const named = textOf(args['run'] ?? args['agentRunId']) ?? caller.run
  // A session that begins is a run of its own, which the service names.
  const run = named ?? (tool.name === 'session_start' ? undefined : inferRun(connection, now))
  const agentId = directory.agentId === undefined ? agentNameOf(clientName) : undefined
  return {
    call(name, input) {
      const { vaultId: _vaultId, ...fields } = input as Record<string, unknown>
      // What works across vaults is narrowed by the call alone, and a reply lies where its message lies.
      const isElsewhere = !isNamed && (fields['parentMessageId'] ?? undefined) !== undefined
      const isMeant = vaultOperations.has(name) ? !isElsewhere : isNamed && takesVault.has(name)
      const filled = {
        ...(name !== 'info' && {
          ...(agentId !== undefined && { agentId }),
          ...(run !== undefined && { agentRunId: run }),
        }),
        ...fields,
        ...(isMeant && vault !== undefined && { vaultId: vault.id }),
      }
      return send(name, filled, { signal }) as never
    },
    vault,
    directory,
    run,
    beginRun: (id) => void (connection.run = { id, lastAt: now }),
    now,
  }
}

/** Those that work across vaults and can be narrowed to one. */
const takesVault: ReadonlySet<OperationName> = new Set(['read-messages', 'pending-messages', 'ack-message'])

/** A name that the service takes: agents may not call themselves what messages address people and everyone by. */
function agentNameOf(clientName: string | undefined): string | undefined {
  const name = oneLine(clientName ?? '', 100)
  return name === '' || name === 'user' || name === '*' ? undefined : name
}

function resultOf(tool: Tool, args: Opening['args'], call: ToolCall, answer: Answer, caller: Caller): ToolResult {
  const { vault } = call
  const isNamed = textOf(args['vault'] ?? args['vaultId']) !== undefined
  const where = tool.inVault || isNamed ? vault : undefined
  const name = where === undefined ? undefined : defused(oneLine(where.name, 200))
  const head = [
    tool.inVault || isNamed ? `vault: ${name ?? 'none'}` : 'vault: all',
    ...remarks(tool, call, caller),
    ...(answer.head ?? []),
  ]
  const maxChars = typeof args['maxChars'] === 'number' && !tool.leavesValues ? args['maxChars'] : defaultMaxChars
  return {
    text: compose({ ...answer, head }, maxChars, name),
    isError: false,
    data: answer.data,
  }
}

/** Said once in a run: a write went where nobody had said that it should go. */
function remarks(tool: Tool, { vault, directory, run }: ToolCall, { connection }: Caller): string[] {
  const others = directory.vaults.filter(({ id }) => id !== vault?.id)
  if (tool.effect === 'read' || !tool.inVault || vault?.isDefault !== true || others.length === 0) return []
  if (!isNews(connection, run ?? '')) return []
  const names = others.slice(0, 5).map((other) => defused(oneLine(other.name, 60)))
  return [
    `note: no vault was named, so this went to the default one. If another was meant, pass vault: ${names.join(', ')}${others.length > names.length ? ', …' : ''}.`,
  ]
}
