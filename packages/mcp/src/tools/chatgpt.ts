import { defuseMarks, markRecalled } from '@holdfast/client'
import { findExcerpt, noteWriters } from '../render/notes.ts'
import { printId, writers } from '../render/memories.ts'
import { displayName, oneLine } from '../render/one-line.ts'
import { objectSchema } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { tool, type ToolCall } from '../tool.ts'
import type { Answer } from '../render/compose.ts'
import { parseId } from './ids.ts'

/** Two tools that some research clients expect by name. They answer with JSON in the text. */

const results = 10

export const search = tool({
  name: 'search',
  title: 'Search',
  description: 'Search memories and notes. The answer has ids for fetch.',
  inputSchema: objectSchema({ query: { type: 'string', description: 'A question or keywords.' } }, ['query']),
  effect: 'read',
  scopes: ['read', 'search'],
  async run({ query }, { call }) {
    const [{ memories }, { notes }] = await Promise.all([
      call('search-memories', { query, topK: results, summaryOnly: true }),
      call('search-and-read', { query, topK: 5, maxChars: 8_000 }),
    ])
    return json({
      results: [
        ...memories.map((memory) => ({
          id: printId(memory),
          title: displayName(memory.summary ?? memory.content ?? '', 100),
          text: markRecalled(oneLine(memory.summary ?? memory.content ?? '')),
          url: `holdfast://memory/${memory.memoryId}`,
        })),
        ...notes.map(({ noteId, title, content }) => ({
          id: `n:${noteId}`,
          title: displayName(title, 100),
          text: markRecalled(oneLine(findExcerpt(content, query))),
          url: `holdfast://note/${noteId}`,
        })),
      ],
    })
  },
})

export const fetchItem = tool({
  name: 'fetch',
  title: 'Fetch',
  description: 'Read a memory or note in full, by an id from search.',
  inputSchema: objectSchema({ id: { type: 'string' } }, ['id']),
  effect: 'read',
  scopes: ['read'],
  async run({ id: asked }, call) {
    const { id, kind } = parseId(asked)
    const found = (kind === 'note' ? undefined : await fetchMemory(id, call)) ?? (await fetchNote(id, call))
    if (found === undefined) throw new ToolProblem('NOT_FOUND', 'no memory or note has this id. Call search for ids.')
    return json(found)
  },
})

async function fetchMemory(id: string, { call }: ToolCall) {
  const [memory] = (await call('read-memories', { memoryIds: [id] })).memories
  if (memory === undefined) return undefined
  const { content, summary, memoryType, occurredAt, source } = memory
  const { by, changedBy } = writers(memory)
  return {
    id: printId(memory),
    title: displayName(summary ?? content, 100),
    text: content,
    url: `holdfast://memory/${id}`,
    metadata: {
      type: memoryType,
      written: occurredAt,
      ...(by !== undefined && { by: defuseMarks(by) }),
      ...(changedBy !== undefined && { changedBy: defuseMarks(changedBy) }),
      trust: source.trust,
    },
  }
}

async function fetchNote(id: string, { call }: ToolCall) {
  const [note] = (await call('read-notes', { noteIds: [id] })).notes
  if (note === undefined) return undefined
  const { title, content, updatedAt, tags } = note
  const by = displayName(noteWriters(note), 200)
  return {
    id: `n:${id}`,
    title: displayName(title, 100),
    text: content,
    url: `holdfast://note/${id}`,
    metadata: { type: 'note', changed: updatedAt, by, tags: displayName(tags.join(', '), 300) },
  }
}

const json = (data: Record<string, unknown>): Answer => ({ json: data, data })
