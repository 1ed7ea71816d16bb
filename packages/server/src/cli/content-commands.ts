import { contextText, printWriters, writersOf, type Operations } from '@holdfast/client'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { commandLineHere } from '../core/program.ts'
import { memoryTypes } from '../memories/memory.ts'
import { sessionModes } from '../vaults/settings.ts'
import { type AgentOptions, withAgent, withAgentOptions } from './agent-client.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { ageOf, paint, wrap } from './human.ts'
import { print, printable, withExamples } from './options.ts'

/** The parts of answers that are printed. A server may send anything, so they are checked; texts are made printable when wrapped. */
const word = z.string().transform(printable)
const age = z.iso.datetime({ offset: true })
const writers = {
  agentId: z.string().nullable(),
  source: z.looseObject({ integrationId: z.string().nullable(), trust: z.string() }),
  changedBy: z
    .looseObject({ integrationId: z.string().nullable(), agentId: z.string().nullable(), route: z.string() })
    .nullable(),
}
const commonFields = { importance: z.int(), createdAt: age, status: word, ...writers }
const memoryFields = { memoryId: word, memoryType: word, ...commonFields }
const taskFields = {
  taskId: word,
  title: z.string(),
  status: z.enum(['backlog', 'todo', 'in_progress', 'blocked', 'done']),
  priority: z.int(),
  updatedAt: age,
  assignedAgentId: z.string().nullable(),
}
const shown = {
  search: z.looseObject({
    memories: z.array(z.looseObject({ ...memoryFields, content: z.string().nullish(), summary: z.string().nullish() })),
    degraded: z.array(z.looseObject({ leg: z.string(), reason: z.string() })),
  }),
  written: z.looseObject({ created: z.boolean(), memoryId: word, supersededMemoryId: word.optional() }),
  memories: z.looseObject({
    memories: z.array(z.looseObject({ ...memoryFields, content: z.string(), entities: z.array(z.string()) })),
  }),
  wholeNotes: z.looseObject({
    notes: z.array(z.looseObject({ title: z.string(), content: z.string().nullish(), updatedAt: age, ...writers })),
  }),
  // Printed by the client, which throws if the answer is not a context.
  context: z.custom<Context>((answer) => contextOf(answer) !== undefined).transform((answer) => contextText(answer)),
  tasks: z.looseObject({ tasks: z.array(z.looseObject(taskFields)), total: z.int() }),
  notes: z.looseObject({
    notes: z.array(z.looseObject({ noteId: word, title: z.string(), updatedAt: age, ...writers })),
    total: z.int(),
  }),
}

type Context = Operations['session-start']['output']

function contextOf(answer: unknown): string | undefined {
  try {
    return contextText(answer as Context)
  } catch {
    return undefined
  }
}

type MemoryType = Operations['write-memory']['output']['memoryType']
type Hit = z.output<typeof shown.search>['memories'][number]
type Task = z.output<typeof shown.tasks>['tasks'][number]

const clipChars = 400

export function addContentCommands(program: Command): void {
  addSearchCommand(program)
  addRememberCommand(program)
  addRecallCommand(program)
  addTasksCommand(program)
  addNotesCommand(program)
  addContextCommand(program)
}

interface SearchOptions extends AgentOptions {
  limit: number
  type?: MemoryType
  archived?: true
}

function addSearchCommand(program: Command): void {
  const command = program
    .command('search <words...>')
    .description('find memories by words, links and meaning')
    .addOption(limitOption(8, 50))
    .addOption(new Option('--type <type>', 'only memories of this type').choices(memoryTypes))
    .option('--archived', 'include archived memories')
  withAgentOptions(command).action(async (words: string[], options: SearchOptions) => {
    const { limit, type, archived } = options
    const query = { query: words.join(' '), topK: limit, memoryType: type, includeArchived: archived === true }
    const answer = await withAgent(options, ({ memories }) => memories.search(query))
    const { memories: found, degraded } = readAnswer(shown.search, answer)
    const hits = found.flatMap((hit, at) => [...(at === 0 ? [] : ['']), ...printHit(hit, at + 1)])
    const notes = degraded.flatMap(({ leg, reason }) => ['', ...wrap(printable(`Without ${leg} matches: ${reason}`))])
    print(options, answer, [...(hits.length === 0 ? ['Nothing found.'] : hits), ...notes])
  })
  withExamples(command, 'search "when do the tomatoes get water" --limit 3')
}

function printHit(hit: Hit, place: number): string[] {
  const number = `${place}`.padStart(2)
  const text = clip(hit.content ?? hit.summary ?? '')
  const facts = [
    hit.memoryType,
    `importance ${hit.importance}`,
    ageOf(hit.createdAt),
    by(hit),
    hit.status === 'archived' ? 'archived' : '',
  ]
  return [
    ...wrap(text, '    ', `${number}  `),
    `    ${paint('dim', joined(facts))}`,
    `    ${paint('dim', hit.memoryId)}`,
  ]
}

interface RememberOptions extends AgentOptions {
  type?: MemoryType
  importance?: number
  entity?: string[]
}

function addRememberCommand(program: Command): void {
  const command = program
    .command('remember [text...]')
    .description('store a memory; without a text, read it from stdin')
    .addOption(new Option('--type <type>', 'type of the memory (default: fact)').choices(memoryTypes))
    .option('--importance <1-5>', 'how much it matters (default: 3)', wholeNumber(1, 5))
    .option('--entity <name...>', 'people or things it is about')
  withAgentOptions(command).action(async (words: string[], options: RememberOptions) => {
    const content = words.length > 0 ? words.join(' ') : await readStdin()
    if (content.trim() === '') throw noText()
    const { type, importance, entity } = options
    const answer = await withAgent(options, ({ memories }) =>
      memories.write({ content, memoryType: type, importance, entities: entity, dedup: true }),
    )
    const { created, memoryId, supersededMemoryId } = readAnswer(shown.written, answer)
    const line = created ? `Stored: ${memoryId}` : `Already known: ${memoryId}`
    const replaced = supersededMemoryId === undefined ? [] : [`Replaces ${supersededMemoryId}.`]
    print(options, answer, [line, ...replaced])
  })
  withExamples(command, 'remember "Ada prefers tabs in Go." --type preference', 'remember < decision.txt')
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) throw noText()
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8') as AsyncIterable<string>) text += chunk
  return text.trim()
}

const noText = () => new CommandError(exitCodes.usage, 'No text given.', 'Give it as an argument or on stdin.')

function addRecallCommand(program: Command): void {
  const command = program.command('recall <id>').description('show a whole memory or note')
  withAgentOptions(command).action(async (given: string, options: AgentOptions) => {
    const id = idIn(given)
    const { memory, note } = await withAgent(options, async (client) => {
      const [found] = readAnswer(shown.memories, await client.memories.read({ memoryIds: [id] })).memories
      if (found !== undefined) return { memory: found, note: undefined }
      const [other] = readAnswer(shown.wholeNotes, await client.notes.readMany({ noteIds: [id] })).notes
      return { memory: undefined, note: other }
    })
    if (memory !== undefined) {
      const { content, memoryType, importance, createdAt, entities, status } = memory
      const about = entities.length === 0 ? '' : `about ${entities.join(', ')}`
      const facts = [
        memoryType,
        `importance ${importance}`,
        ageOf(createdAt),
        by(memory),
        about,
        status === 'archived' ? 'archived' : '',
      ]
      print(options, { memory }, [...paragraphs(content), '', ...wrap(printable(joined(facts)))])
    } else if (note !== undefined)
      print(options, { note }, [
        paint('bold', printable(note.title)),
        '',
        ...paragraphs(note.content ?? ''),
        '',
        ...wrap(joined([by(note), ageOf(note.updatedAt)])),
      ])
    else throw new CommandError(exitCodes.notFound, `No memory or note ${id} in this vault.`)
  })
  withExamples(command, 'recall 0198c5f0-0000-7000-8000-000000000101')
}

/** Accepts a plain id, or one as agents' tools print it: with `m:`, `t:` or `n:` in front. Throws a CommandError. */
function idIn(text: string): string {
  const id = text.trim().replace(/^[mtn]:/i, '')
  if (z.uuid().safeParse(id.toLowerCase()).success) return id.toLowerCase()
  throw new CommandError(
    exitCodes.usage,
    `${text} is not an id of a memory or note.`,
    `\`${commandLineHere} search\` and \`notes\` print ids.`,
  )
}

interface TaskOptions extends AgentOptions {
  limit: number
  done?: true
  status?: Task['status']
}

function addTasksCommand(program: Command): void {
  const command = program
    .command('tasks')
    .description('list tasks, most urgent first')
    .addOption(
      new Option('--status <status>', 'only tasks with this status').choices([
        'backlog',
        'todo',
        'in_progress',
        'blocked',
        'done',
      ]),
    )
    .option('--done', 'include finished tasks')
    .addOption(limitOption(20, 100))
  withAgentOptions(command).action(async (options: TaskOptions) => {
    const { limit, done, status } = options
    const query = { limit, status, includeDone: done === true || status === 'done' }
    const answer = await withAgent(options, async ({ tasks }) => tasks.list(query))
    const { tasks: found, total } = readAnswer(shown.tasks, answer)
    const more = total - found.length
    print(options, answer, [
      ...(found.length === 0 ? ['No tasks.'] : found.flatMap(printTask)),
      ...(more > 0 ? [`and ${more} more`] : []),
    ])
  })
  withExamples(command, 'tasks --status in_progress')
}

const statusStyles = { backlog: 'dim', todo: 'cyan', in_progress: 'yellow', blocked: 'red', done: 'green' } as const

function printTask({ taskId, title, status, priority, updatedAt, assignedAgentId }: Task): string[] {
  const label = status.padEnd(11)
  const [first = '', ...rest] = wrap(clip(title), ' '.repeat(15), `${label} p${priority} `)
  const facts = joined([ageOf(updatedAt), assignedAgentId === null ? '' : `for ${printable(assignedAgentId)}`, taskId])
  return [
    paint(statusStyles[status], label) + first.slice(label.length),
    ...rest,
    `${' '.repeat(15)}${paint('dim', facts)}`,
  ]
}

interface NoteOptions extends AgentOptions {
  limit: number
  folder?: string
}

function addNotesCommand(program: Command): void {
  const command = program
    .command('notes [words...]')
    .description('list notes, newest first, or search them by words')
    .option('--folder <path>', 'only notes in this folder')
    .addOption(limitOption(20, 100))
  withAgentOptions(command).action(async (words: string[], options: NoteOptions) => {
    const filter = { folderPath: options.folder, limit: options.limit }
    const answer = await withAgent(options, async ({ notes }) =>
      words.length === 0 ? notes.list(filter) : notes.search({ ...filter, query: words.join(' ') }),
    )
    const { notes: found, total } = readAnswer(shown.notes, answer)
    const more = total - found.length
    print(options, answer, [
      ...(found.length === 0 ? ['No notes.'] : []),
      ...found.flatMap((note) => [
        ...wrap(printable(note.title), '  ', ''),
        `  ${paint('dim', joined([ageOf(note.updatedAt), by(note), note.noteId]))}`,
      ]),
      ...(more > 0 ? [`and ${more} more`] : []),
    ])
  })
  withExamples(command, 'notes --folder garden', 'notes watering plan')
}

interface ContextOptions extends AgentOptions {
  mode?: (typeof sessionModes)[number]
  query?: string
}

function addContextCommand(program: Command): void {
  const command = program
    .command('context')
    .description('show the context that an agent gets when its session starts')
    .addOption(new Option('--mode <mode>', "kind of session (default: the vault's)").choices(sessionModes))
    .option('--query <text>', 'what the session is about')
  withAgentOptions(command).action(async (options: ContextOptions) => {
    const answer = await withAgent(options, ({ session }) =>
      session.start({ mode: options.mode, query: options.query }),
    )
    print(options, answer, paragraphs(readAnswer(shown.context, answer)))
  })
  withExamples(command, 'context --mode handoff')
}

const limitOption = (usual: number, most: number) =>
  new Option('--limit <number>', `maximum number of results, 1 to ${most}`)
    .argParser(wholeNumber(1, most))
    .default(usual)

const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : -1
  if (number >= least && number <= most) return number
  throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`)
}

const by = (record: Parameters<typeof writersOf>[0]) => printable(printWriters(writersOf(record)))
const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ')
// Keeps line breaks and indentation.
const paragraphs = (text: string) => text.split(/\r?\n/).map((line) => printable(line.replaceAll('\t', '  ')))

function clip(text: string): string {
  const plain = printable(text.replaceAll(/\s+/g, ' ').trim())
  if (plain.length <= clipChars) return plain
  // Cut between words if possible.
  const cut = plain.slice(0, clipChars - 1)
  const end = cut.lastIndexOf(' ')
  return `${cut.slice(0, end > clipChars / 2 ? end : clipChars - 2).trimEnd()} …`
}
