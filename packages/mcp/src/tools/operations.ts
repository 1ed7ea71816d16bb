import type { Document, Memory, Message, Note, Task } from '@holdfast/client'
import { operationTools } from '../generated/operation-tools.ts'
import type { OperationTool } from '../operation-tool.ts'
import { defaultMaxChars, largestMaxChars, minWholeChars, type Answer, type WholeItem } from '../render/compose.ts'
import { wholeDocument } from '../render/documents.ts'
import { leftOutLines } from '../render/left-out.ts'
import { memoryItem, memoryLine, wholeMemory } from '../render/memories.ts'
import { messageItem } from '../render/messages.ts'
import { noteItem, noteLine, wholeNote } from '../render/notes.ts'
import { clip } from '../render/one-line.ts'
import { recordLines } from '../render/record.ts'
import { defused } from '../render/recall-fence.ts'
import { taskLine } from '../render/tasks.ts'
import type { PropertySchema } from '../schema.ts'
import { idempotentOperations } from '../toolsets.ts'
import type { Tool, ToolCall } from '../tool.ts'
import { withName } from '../vault-directory.ts'
import { cleanUp } from './cleanup.ts'

function buildTool(known: OperationTool): Tool {
  const { name, operation, description, effect, scopes, inVault } = known
  const own = forms[operation]
  return {
    name,
    title: sentenceCase(name),
    description: `${description}${own?.remark ?? ''}`,
    inputSchema: { ...known.inputSchema, properties: { ...known.inputSchema.properties, ...own?.properties } },
    effect,
    isIdempotent: effect === 'read' || idempotentOperations.has(operation),
    scopes,
    inVault,
    leavesValues: true,
    run: (args, call) => (own?.run ?? runOperation)(args, call, known),
  }
}

const sentenceCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

type Args = Readonly<Record<string, unknown>>
type Output = Record<string, unknown>

/** What a tool adds to its operation. */
interface Form {
  remark?: string
  properties: Readonly<Record<string, PropertySchema>>
  run(args: Args, call: ToolCall, known: OperationTool): Promise<Answer>
}

const confirm: PropertySchema = {
  type: 'string',
  description: 'The value from the dry run with the same filters. Required with dryRun false.',
}
const offset: PropertySchema = { type: 'integer', minimum: 0, description: 'Characters of the first to skip.' }
const maxChars: PropertySchema = {
  type: 'integer',
  minimum: minWholeChars,
  maximum: largestMaxChars,
  description: 'Maximum length. Default 16000.',
}

const reading: Form = { properties: { offset, maxChars }, run: readWhole }

const forms: Partial<Record<OperationTool['operation'], Form>> = {
  'cleanup-memories': {
    remark: ' A dry run returns the confirm value that the real run requires.',
    properties: { confirm },
    run: cleanUp,
  },
  'read-memories': reading,
  'read-notes': reading,
  'read-note': reading,
  'read-document': reading,
}

/** Shows texts in full, over as many calls as necessary. */
async function readWhole(args: Args, call: ToolCall, { operation }: OperationTool): Promise<Answer> {
  const { offset: skipped, maxChars: most, ...asked } = args
  const output = (await call.call(operation, asked)) as unknown as Output
  const items = listWholeItems(output, call.now)
  const list = 'memoryIds' in asked ? 'memoryIds' : 'noteIds' in asked ? 'noteIds' : 'ids'
  const { notFound = [] } = output as { notFound?: string[] }
  return {
    whole: {
      items,
      offset: within(skipped, 0, Infinity, 0),
      next: (item, from) =>
        call.again({
          ...(list in asked && { [list]: items.slice(item).map(({ id }) => id.replace(/^\w+:/, '')) }),
          offset: from === 0 ? undefined : from,
        }),
    },
    tail: notFound.length === 0 ? [] : [`not found in this vault: ${notFound.join(', ')}`],
    maxChars: within(most, minWholeChars, largestMaxChars, defaultMaxChars),
    data: output,
  }
}

function listWholeItems(output: Output, now: number): WholeItem[] {
  const { memories, notes, note } = output as { memories?: Memory[]; notes?: Note[]; note?: Note }
  if (memories !== undefined) return memories.map((memory) => wholeMemory(memory, now))
  const found = notes ?? (note === undefined ? undefined : [note])
  return found?.map((one) => wholeNote(one, now)) ?? [wholeDocument(output as unknown as Document)]
}

const within = (value: unknown, least: number, most: number, preset: number) =>
  typeof value === 'number' ? Math.min(Math.max(Math.floor(value), least), most) : preset

async function runOperation(args: Args, call: ToolCall, { operation }: OperationTool): Promise<Answer> {
  const output = (await call.call(operation, args)) as unknown as Output
  const list = Object.entries(output).find(([field, value]) => Array.isArray(value) && field in renderers)
  const [field, items] = (list ?? ['', []]) as [string, unknown[]]
  const { [field]: _list, leftOut, ...others } = output
  const own = recordLines(others)
  const before = own.length === 0 ? [] : [defused(own.join('\n'))]
  const { offset: skipped = 0 } = args as { offset?: number }
  const { total } = output
  return {
    recalled: [...before, ...items.map((one) => renderers[field as keyof typeof renderers](one as never, call))],
    tail: leftOutLines({ leftOut } as Parameters<typeof leftOutLines>[0]),
    ...(typeof total === 'number' &&
      field !== '' && {
        total: total - skipped + before.length,
        next: (shown) => call.again({ offset: skipped + Math.max(shown - before.length, 1) }),
      }),
    data: output,
  }
}

/** Formats for lists of these records. */
const renderers = {
  memories: (memory: Memory, { now }: ToolCall) =>
    typeof memory.content === 'string' ? memoryItem(memory, now, clipped(memory.content)) : memoryLine(memory, now),
  notes: (note: Note & { preview?: string; snippet?: string; excerpt?: string }, { now }: ToolCall) =>
    typeof note.content === 'string'
      ? noteItem(note, now, clipped(note.content))
      : noteLine(note, now, note.excerpt ?? note.snippet ?? note.preview ?? ''),
  tasks: (task: Task, { now }: ToolCall) => taskLine(task, now),
  messages: (message: Message, { now, directory }: ToolCall) =>
    messageItem(message, now, withName(directory, message.vaultId).name),
}

const itemChars = 8_000

const clipped = (content: string) =>
  content.length <= itemChars
    ? content
    : `${clip(content, itemChars)}… (${content.length} characters; for the rest, read it by its id with offset=${clip(content, itemChars).length})`

/** One tool per operation: passes arguments unchanged and prints the answer record by record. */
export const fullTools: readonly Tool[] = operationTools.map(buildTool)

/** Returns the tool of an operation. Throws a RangeError if there is none. */
export function operationTool(operation: OperationTool['operation']): Tool {
  const found = fullTools[operationTools.findIndex((known) => known.operation === operation)]
  if (found === undefined) throw new RangeError(`no tool for ${operation}`)
  return found
}
