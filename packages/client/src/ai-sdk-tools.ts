import { jsonSchema, tool, type Tool } from 'ai'
import type { Client } from './create-client.ts'
import { HoldfastError } from './errors.ts'
import type { CreateTaskInput, ListTasksInput, UpdateTaskInput, WriteMemoryInput } from './generated/operations.ts'
import { markRecalled } from './mark-recalled.ts'
import { inLine, printEntries } from './print-entries.ts'
import { printWriters, writersOf } from './print-writers.ts'

export interface ToolOptions {
  /** Maximum characters per answer. More hits get less space each. Default: 16,000. */
  maxChars?: number
}

/** The types are those of the AI SDK that is installed, which differ from version to version. */
export type MemoryTools = {
  search_memory: Tool<SearchMemoryInput, string>
  write_memory: Tool<NewMemoryInput, string>
  search_notes: Tool<SearchNotesInput, string>
  list_tasks: Tool<ListedTasksInput, string>
  create_task: Tool<NewTaskInput, string>
  update_task: Tool<ChangedTaskInput, string>
}

type SearchMemoryInput = { query: string; topK?: number }
type NewMemoryInput = Pick<WriteMemoryInput, 'content' | 'memoryType' | 'importance' | 'entities'>
type SearchNotesInput = { query: string }
type ListedTasksInput = Pick<ListTasksInput, 'status'>
type NewTaskInput = Pick<CreateTaskInput, 'title' | 'description' | 'priority' | 'doneWhen'>
type ChangedTaskInput = Pick<UpdateTaskInput, 'taskId' | 'status' | 'comment' | 'blockedReason'>

/**
 * Tools for a model: search and write memories, read notes, manage tasks. A call that fails returns the reason to the model
 * instead of ending the turn.
 */
export const memoryTools = (client: Client, { maxChars = 16_000 }: ToolOptions = {}): MemoryTools => ({
  ...memoryAndNoteTools(client, maxChars),
  ...taskTools(client, maxChars),
})

const memoryAndNoteTools = (client: Client, maxChars: number) => ({
  search_memory: tool({
    description: 'Search the memory of earlier sessions: facts, preferences, decisions, constraints, tasks.',
    inputSchema: objectSchema<SearchMemoryInput>(
      { query: text('What to look for, in words.'), topK: integer(1, 50, 'How many to return. Default: 8.') },
      ['query'],
    ),
    execute: ({ query, topK = 8 }) =>
      answerOrReason(async () => {
        const { memories } = await client.memories.search({ query, topK })
        return markRecalled(memories.length === 0 ? 'No results.' : printMemories(memories, maxChars))
      }),
  }),
  write_memory: tool({
    description: 'Store something that later sessions should know. Duplicates are not stored twice.',
    inputSchema: objectSchema<NewMemoryInput>(
      {
        content: text('What to remember, in full sentences that make sense on their own.'),
        memoryType: oneOf(['fact', 'preference', 'constraint', 'skill', 'correction', 'episodic'], 'Default: fact.'),
        importance: integer(1, 5, '1 (trivial) to 5 (vital). Default: 3.'),
        entities: { type: 'array', items: { type: 'string' }, description: 'People and things it is about.' },
      },
      ['content'],
    ),
    execute: (memory) =>
      answerOrReason(async () => {
        const { memoryId, created } = await client.memories.write({ ...memory, dedup: true })
        return created ? `Stored as ${memoryId}.` : `Already stored as ${memoryId}.`
      }),
  }),
  search_notes: tool({
    description: 'Search notes, which are longer texts, and read the best ones.',
    inputSchema: objectSchema<SearchNotesInput>({ query: text('What to look for, in words.') }, ['query']),
    execute: ({ query }) =>
      answerOrReason(async () => {
        const { notes } = await client.notes.searchAndRead({ query, topK: 3 })
        const found = notes.map(({ noteId, title, content }, at) => ({
          before: `${at === 0 ? '' : '\n'}# [note ${noteId}] ${inLine(title)}\n`,
          text: content,
        }))
        return markRecalled(found.length === 0 ? 'No results.' : printEntries(found, maxChars))
      }),
  }),
})

const taskTools = (client: Client, maxChars: number) => ({
  list_tasks: tool({
    description: 'List tasks, most urgent first.',
    inputSchema: objectSchema<ListedTasksInput>({
      status: {
        type: 'array',
        items: oneOf(statuses),
        description: 'Only tasks with these. Default: all except done.',
      },
    }),
    execute: ({ status = statuses.filter((one) => one !== 'done') }) =>
      answerOrReason(async () => {
        const { tasks, total } = await client.tasks.list({ status })
        const lines = tasks.map((task) => ({
          before: `- [task ${task.taskId}, ${task.status}${printBy(task)}] `,
          text: inLine(task.title),
        }))
        return markRecalled(`${total} tasks\n${printEntries(lines, maxChars)}`)
      }),
  }),
  create_task: tool({
    description: 'Create a task that outlives this session.',
    inputSchema: objectSchema<NewTaskInput>(
      {
        title: text('What needs to be done.'),
        description: text('Details.'),
        priority: integer(1, 5, '5 is most urgent. Default: 3.'),
        doneWhen: text('How to know that it is done.'),
      },
      ['title'],
    ),
    execute: (task) => answerOrReason(async () => `Created task ${(await client.tasks.create(task)).taskId}.`),
  }),
  update_task: tool({
    description: 'Update a task: claim it (in_progress), finish it (done), or say why it is blocked.',
    inputSchema: objectSchema<ChangedTaskInput>(
      {
        taskId: text('Id of the task.'),
        status: oneOf(statuses),
        comment: text('Why it changes.'),
        blockedReason: text('What blocks it.'),
      },
      ['taskId'],
    ),
    execute: (change) => answerOrReason(async () => `Task is ${(await client.tasks.update(change)).status}.`),
  }),
})

type Found = Awaited<ReturnType<Client['memories']['search']>>['memories']

/** Prints one memory per line, up to `maxChars` characters in total. */
export function printMemories(memories: Found, maxChars: number): string {
  const entries = memories.map(({ memoryId, memoryType, content, summary, createdAt, ...memory }) => ({
    before: `- [${memoryType} ${memoryId}, ${createdAt.slice(0, 10)}${printBy(memory)}] `,
    text: inLine(content ?? summary ?? ''),
  }))
  return printEntries(entries, maxChars)
}

function printBy(record: Parameters<typeof writersOf>[0]): string {
  const writers = printWriters(writersOf(record))
  return writers === '' ? '' : `, ${writers}`
}

/** Returns the answer, or the reason why the call failed. */
async function answerOrReason(answer: () => Promise<string>): Promise<string> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof HoldfastError) return `${error.name}: ${error.message}`
    throw error
  }
}

const statuses = ['backlog', 'todo', 'in_progress', 'blocked', 'done'] as const

const text = (description: string) => ({ type: 'string' as const, description })
const integer = (minimum: number, maximum: number, description: string) => ({
  type: 'integer' as const,
  minimum,
  maximum,
  description,
})
const oneOf = (names: readonly string[], description?: string) => ({
  type: 'string' as const,
  enum: [...names],
  ...(description !== undefined && { description }),
})

const objectSchema = <Input>(properties: Record<string, object>, required: readonly string[] = []) =>
  jsonSchema<Input>({ type: 'object', properties, required: [...required], additionalProperties: false })
