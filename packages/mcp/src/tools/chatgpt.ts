import { markRecalled } from '@holdfast/client'
import { excerptOf } from '../render/notes.ts'
import { idOf } from '../render/memories.ts'
import { nameOf, oneLine } from '../render/one-line.ts'
import { schemaOf } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { tool, type ToolCall } from '../tool.ts'
import type { Answer } from '../render/compose.ts'
import { parseId } from './ids.ts'

/** The two tools that some research clients look for by name, whose answers are JSON in the text. */

const results = 10

export const search = tool({
  name: 'search',
  title: 'Search',
  description: 'Search memories and notes; the answer lists ids for fetch.',
  inputSchema: schemaOf({ query: { type: 'string', description: 'A question or key words.' } }, ['query']),
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
          id: idOf(memory),
          title: nameOf(memory.summary ?? memory.content ?? '', 100),
          text: markRecalled(oneLine(memory.summary ?? memory.content ?? '')),
          url: `holdfast://memory/${memory.memoryId}`,
        })),
        ...notes.map(({ noteId, title, content }) => ({
          id: `n:${noteId}`,
          title: nameOf(title, 100),
          text: markRecalled(oneLine(excerptOf(content, query))),
          url: `holdfast://note/${noteId}`,
        })),
      ],
    })
  },
})

export const fetchItem = tool({
  name: 'fetch',
  title: 'Fetch',
  description: 'Read one memory or note whole, by an id from search.',
  inputSchema: schemaOf({ id: { type: 'string' } }, ['id']),
  effect: 'read',
  scopes: ['read'],
  async run({ id: asked }, call) {
    const { id, kind } = parseId(asked)
    const found = (kind === 'note' ? undefined : await fetchMemory(id, call)) ?? (await fetchNote(id, call))
    if (found === undefined) throw new ToolProblem('NOT_FOUND', 'nothing has this id; search lists ids.')
    return json(found)
  },
})

async function fetchMemory(id: string, { call }: ToolCall) {
  const [memory] = (await call('read-memories', { memoryIds: [id] })).memories
  if (memory === undefined) return undefined
  const { content, summary, memoryType, occurredAt, agentId } = memory
  return {
    id: idOf(memory),
    title: nameOf(summary ?? content, 100),
    text: content,
    url: `holdfast://memory/${id}`,
    metadata: { type: memoryType, written: occurredAt, ...(agentId !== null && { by: nameOf(agentId, 100) }) },
  }
}

async function fetchNote(id: string, { call }: ToolCall) {
  const [note] = (await call('read-notes', { noteIds: [id] })).notes
  if (note === undefined) return undefined
  const { title, content, updatedAt, tags } = note
  return {
    id: `n:${id}`,
    title: nameOf(title, 100),
    text: content,
    url: `holdfast://note/${id}`,
    metadata: { type: 'note', changed: updatedAt, tags: nameOf(tags.join(', '), 300) },
  }
}

const json = (data: Record<string, unknown>): Answer => ({ json: data, data })
