import type { SearchAndReadOutput, SearchMemoriesOutput } from '@holdfast/client'
import { leftOutLines } from '../render/left-out.ts'
import { printId, memoryLine } from '../render/memories.ts'
import { findExcerpt, noteLine } from '../render/notes.ts'
import { counted } from '../render/one-line.ts'
import { defaultMaxChars, largestMaxChars } from '../render/compose.ts'
import { objectSchema, type ArgumentsOf } from '../schema.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import { memoryTypes } from './memory-fields.ts'

const memoriesByDefault = 8
const maxNotes = 10
const notesWithMemories = 3
const searchedChars = 20_000

const schema = objectSchema(
  {
    query: { type: 'string', description: 'A question or keywords.' },
    in: { type: 'string', enum: ['all', 'memories', 'notes'], description: 'Default all.' },
    memoryTypes: { type: 'array', items: { type: 'string', enum: memoryTypes } },
    entities: { type: 'array', items: { type: 'string' }, description: 'Only memories about any of these.' },
    limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Per kind. Default: 8 memories, 3 notes.' },
    detail: { type: 'string', enum: ['summary', 'full'], description: 'Default summary.' },
    includeArchived: { type: 'boolean' },
    maxChars: {
      type: 'integer',
      minimum: 1_000,
      maximum: largestMaxChars,
      description: 'Maximum length. Default 16000.',
    },
    ...common,
  },
  ['query'],
)

type Args = ArgumentsOf<typeof schema>

export const searchMemories = tool({
  name: 'search_memories',
  title: 'Search memory',
  description:
    'Find memories, tasks and notes by meaning, words and links. Use it before deciding, estimating, asking the user, or saying that you do not know about past work. read_items returns full texts.',
  inputSchema: schema,
  effect: 'read',
  scopes: ['read', 'search'],
  async run(args, call) {
    const { query, in: where = 'all', limit = memoriesByDefault, detail = 'summary', maxChars = defaultMaxChars } = args
    // Notes do not have the fields of these filters.
    const isFiltered = args.memoryTypes !== undefined || args.entities !== undefined
    const [memories, notes] = await Promise.all([
      where === 'notes' ? undefined : findMemories(args, limit, call),
      where === 'memories' || (where === 'all' && isFiltered)
        ? undefined
        : findNotes(query, where === 'notes' ? limit : Math.min(limit, notesWithMemories), call),
    ])
    const isWhole = detail === 'full'
    const memoryLines = (memories?.memories ?? []).map((hit) => memoryLine(hit, call.now, { isWhole }))
    const noteLines = (notes?.notes ?? []).map((note) =>
      noteLine(note, call.now, isWhole ? note.content : findExcerpt(note.content, query)),
    )
    const ids = [
      ...(memories?.memories ?? []).map((hit) => printId(hit)),
      ...(notes?.notes ?? []).map((note) => `n:${note.noteId}`),
    ]
    return {
      head: [printFound(memories, notes)],
      recalled: [...memoryLines, ...noteLines],
      tail: [
        ...leftOutLines({ degraded: [...(memories?.degraded ?? []), ...(notes?.degraded ?? [])] }),
        ...printHints(limit, memories, notes, call),
      ],
      next: (shown) => call.follow('read_items', { ids: ids.slice(shown, shown + countNamed(maxChars)) }),
      maxChars,
      data: { ...(memories && { memories }), ...(notes && { notes }) },
    }
  },
})

/** How many ids fit into a third of the answer, up to the limit of read_items. */
const countNamed = (maxChars: number) => Math.min(50, Math.floor(maxChars / 3 / 42))

function findMemories(args: Args, limit: number, { call }: ToolCall): Promise<SearchMemoriesOutput> {
  const { query, memoryTypes: types, entities, includeArchived, detail } = args
  const filters = { memoryTypes: types, entities, includeArchived }
  return call('search-memories', { query, topK: limit, summaryOnly: detail !== 'full', ...filters })
}

const findNotes = (query: string, limit: number, { call }: ToolCall): Promise<SearchAndReadOutput> =>
  call('search-and-read', { query, topK: Math.min(limit, maxNotes), maxChars: searchedChars })

function printFound(memories: SearchMemoriesOutput | undefined, notes: SearchAndReadOutput | undefined): string {
  const found = [
    ...(memories === undefined ? [] : [counted(memories.memories.length, 'memory', 'memories')]),
    ...(notes === undefined ? [] : [counted(notes.notes.length, 'note')]),
  ]
  const degraded = [...(memories?.degraded ?? []), ...(notes?.degraded ?? [])].map(({ leg }) => leg)
  return `found: ${found.join(', ')}${degraded.includes('semantic') ? ' (by words and links only; semantic search is unavailable)' : ''}`
}

function printHints(
  limit: number,
  memories: SearchMemoriesOutput | undefined,
  notes: SearchAndReadOutput | undefined,
  { again }: ToolCall,
): string[] {
  const count = (memories?.memories.length ?? 0) + (notes?.notes.length ?? 0)
  if (count === 0) return ['nothing found. Try other words, fewer filters, or another vault.']
  const isFull = (memories?.memories.length ?? 0) >= limit && limit < 50
  return isFull ? [`more may match: ${again({ limit: Math.min(50, limit * 2) })}`] : []
}
