import type { Memory, Message, Note, Task } from '@holdfast/client'
import { operationTools } from '../generated/operation-tools.ts'
import type { OperationTool } from '../operation-tool.ts'
import type { Answer } from '../render/compose.ts'
import { memoryItem, memoryLine } from '../render/memories.ts'
import { messageItem } from '../render/messages.ts'
import { noteItem, noteLine } from '../render/notes.ts'
import { callText } from '../render/one-line.ts'
import { recordLines } from '../render/record.ts'
import { defused } from '../render/recall-fence.ts'
import { taskLine } from '../render/tasks.ts'
import { idempotentOperations } from '../toolsets.ts'
import type { Tool, ToolCall } from '../tool.ts'
import { cleanUp } from './cleanup.ts'

function toolOf(known: OperationTool): Tool {
  const { name, operation, description, effect, scopes, inVault, inputSchema } = known
  const isCleanup = operation === 'cleanup-memories'
  return {
    name,
    title: sentenceCase(name),
    description: isCleanup ? `${description} A dry run answers with what the real run takes as confirm.` : description,
    inputSchema: isCleanup ? withConfirm(inputSchema) : inputSchema,
    effect,
    isIdempotent: effect === 'read' || idempotentOperations.has(operation),
    scopes,
    inVault,
    leavesValues: true,
    run: isCleanup ? cleanUp : (args, call) => runOperation(known, args, call),
  }
}

const sentenceCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

const withConfirm = (schema: OperationTool['inputSchema']): OperationTool['inputSchema'] => ({
  ...schema,
  properties: {
    ...schema.properties,
    confirm: {
      type: 'string',
      description: 'What the dry run with the same filters answered; needed with dryRun false.',
    },
  },
})

async function runOperation({ name, operation }: OperationTool, args: Args, call: ToolCall): Promise<Answer> {
  const output = (await call.call(operation, args)) as unknown as Output
  const list = Object.entries(output).find(([field, value]) => Array.isArray(value) && field in renderers)
  const [field, items] = (list ?? ['', []]) as [string, unknown[]]
  const { offset = 0 } = args as { offset?: number }
  const own = Object.fromEntries(Object.entries(output).filter(([other]) => other !== field))
  return {
    recalled: [
      ...items.map((one) => renderers[field as keyof typeof renderers](one as never, call)),
      ...recordLines(own).map(defused),
    ],
    ...(typeof output['total'] === 'number' &&
      field !== '' && { next: (shown) => nextPage(name, args, offset + shown) }),
    data: output,
  }
}

type Args = Readonly<Record<string, unknown>>
type Output = Record<string, unknown>

const nextPage = (name: string, { vaultId: _vaultId, ...args }: Args, offset: number) =>
  callText(name, { ...args, offset })

/** Lists whose records have a form of their own. */
const renderers = {
  memories: (memory: Memory, { now }: ToolCall) =>
    typeof memory.content === 'string' ? memoryItem(memory, now, clipped(memory.content)) : memoryLine(memory, now),
  notes: (note: Note & { preview?: string; snippet?: string; excerpt?: string }, { now }: ToolCall) =>
    typeof note.content === 'string'
      ? noteItem(note, now, clipped(note.content))
      : noteLine(note, now, note.excerpt ?? note.snippet ?? note.preview ?? ''),
  tasks: (task: Task, { now }: ToolCall) => taskLine(task, now),
  messages: (message: Message, { now, directory }: ToolCall) =>
    messageItem(message, now, directory.vaults.find(({ id }) => id === message.vaultId)?.name),
}

const itemChars = 8_000

const clipped = (content: string) =>
  content.length <= itemChars
    ? content
    : `${content.slice(0, itemChars)}… (${content.length} characters; read_items with offset=${itemChars} goes on)`

/** The tools of one operation each: the arguments go as they are, the answer is told record by record. */
export const fullTools: readonly Tool[] = operationTools.map(toolOf)
