import { jsonSchema, tool } from 'ai'
import type { Client } from './create-client.ts'
import { HoldfastError } from './errors.ts'
import type { CreateTaskInput, ListTasksInput, UpdateTaskInput, WriteMemoryInput } from './generated/operations.ts'
import { markRecalled } from './mark-recalled.ts'
import { inLine, printEntries } from './print-entries.ts'

export interface ToolOptions {
  /** Most characters that one call answers; more hits get less each. Default: 16,000. */
  maxChars?: number
}

/**
 * What a model can do with the memory by itself: search and write memories, read notes, keep tasks. A call that fails tells
 * the model why in place of ending the turn.
 */
export const memoryTools = (client: Client, { maxChars = 16_000 }: ToolOptions = {}) => ({
  ...recallingTools(client, maxChars),
  ...taskTools(client, maxChars),
})

const recallingTools = (client: Client, maxChars: number) => ({
  search_memory: tool({
    description: 'Search what is remembered of earlier sessions: facts, preferences, decisions, constraints, tasks.',
    inputSchema: schemaOf<{ query: string; topK?: number }>(
      { query: text('What to look for, in words.'), topK: integer(1, 50, 'How many to return. Default: 8.') },
      ['query'],
    ),
    execute: ({ query, topK = 8 }) =>
      tell(async () => {
        const { memories } = await client.memories.search({ query, topK })
        return markRecalled(memories.length === 0 ? 'Nothing was found.' : printMemories(memories, maxChars))
      }),
  }),
  write_memory: tool({
    description: 'Remember something that later sessions should know. What is known already is not stored twice.',
    inputSchema: schemaOf<Pick<WriteMemoryInput, 'content' | 'memoryType' | 'importance' | 'entities'>>(
      {
        content: text('What to remember, in full sentences that stand by themselves.'),
        memoryType: oneOf(['fact', 'preference', 'constraint', 'skill', 'correction', 'episodic'], 'Default: fact.'),
        importance: integer(1, 5, '1 (trivial) to 5 (vital). Default: 3.'),
        entities: { type: 'array', items: { type: 'string' }, description: 'Names that it is about.' },
      },
      ['content'],
    ),
    execute: (memory) =>
      tell(async () => {
        const { memoryId, created } = await client.memories.write({ ...memory, dedup: true })
        return created ? `Stored as ${memoryId}.` : `Known already, as ${memoryId}.`
      }),
  }),
  search_notes: tool({
    description: 'Find notes, which are longer texts, and read the best of them.',
    inputSchema: schemaOf<{ query: string }>({ query: text('What to look for, in words.') }, ['query']),
    execute: ({ query }) =>
      tell(async () => {
        const { notes } = await client.notes.searchAndRead({ query, topK: 3 })
        const found = notes.map(({ noteId, title, content }) => ({
          before: `# ${inLine(title)} (note ${noteId})\n`,
          text: content,
          after: '\n',
        }))
        return markRecalled(found.length === 0 ? 'Nothing was found.' : printEntries(found, maxChars))
      }),
  }),
})

const taskTools = (client: Client, maxChars: number) => ({
  list_tasks: tool({
    description: 'List tasks, the most urgent first.',
    inputSchema: schemaOf<Pick<ListTasksInput, 'status'>>({
      status: { type: 'array', items: oneOf(statuses), description: 'Only these. Default: all but done.' },
    }),
    execute: ({ status = statuses.filter((one) => one !== 'done') }) =>
      tell(async () => {
        const { tasks, total } = await client.tasks.list({ status })
        const lines = tasks.map((task) => ({
          before: `- [${task.status}] `,
          text: inLine(task.title),
          after: ` (task ${task.taskId})`,
        }))
        return markRecalled(`${total} tasks\n${printEntries(lines, maxChars)}`)
      }),
  }),
  create_task: tool({
    description: 'Make a task that outlives this session.',
    inputSchema: schemaOf<Pick<CreateTaskInput, 'title' | 'description' | 'priority' | 'doneWhen'>>(
      {
        title: text('What is to be done.'),
        description: text('More about it.'),
        priority: integer(1, 5, '5 is the most urgent. Default: 3.'),
        doneWhen: text('How to tell that it is done.'),
      },
      ['title'],
    ),
    execute: (task) => tell(async () => `Made task ${(await client.tasks.create(task)).taskId}.`),
  }),
  update_task: tool({
    description: 'Move a task on: claim it (in_progress), finish it (done), or say why it is blocked.',
    inputSchema: schemaOf<Pick<UpdateTaskInput, 'taskId' | 'status' | 'comment' | 'blockedReason'>>(
      {
        taskId: text('Id of the task.'),
        status: oneOf(statuses),
        comment: text('Why.'),
        blockedReason: text('By what.'),
      },
      ['taskId'],
    ),
    execute: (change) => tell(async () => `Task is ${(await client.tasks.update(change)).status}.`),
  }),
})

type Found = Awaited<ReturnType<Client['memories']['search']>>['memories']

/** One memory on each line, all together of at most so many characters. */
export function printMemories(memories: Found, maxChars: number): string {
  const entries = memories.map(({ memoryId, memoryType, content, summary, createdAt }) => ({
    before: '- ',
    text: inLine(content ?? summary ?? ''),
    after: ` (${memoryType} ${memoryId}, ${createdAt.slice(0, 10)})`,
  }))
  return printEntries(entries, maxChars)
}

/** The text of an answer, or of what the service has against the call. */
async function tell(answer: () => Promise<string>): Promise<string> {
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

const schemaOf = <Input>(properties: Record<string, object>, required: readonly string[] = []) =>
  jsonSchema<Input>({ type: 'object', properties, required: [...required], additionalProperties: false })
