import type { Memory, Note } from '@holdfast/client'
import { defaultMaxChars, largestMaxChars } from '../render/compose.ts'
import { memoryItem } from '../render/memories.ts'
import { noteItem } from '../render/notes.ts'
import { callText, withoutHalfPair } from '../render/one-line.ts'
import { schemaOf } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import { parseId, type ItemId } from './ids.ts'

const itemChars = 8_000
/** For the marks of an item, and what is said around it. */
const ownChars = 1_500

export const readItems = tool({
  name: 'read_items',
  title: 'Read whole items',
  description: 'Read memories, tasks and notes whole, by ids from other answers.',
  inputSchema: schemaOf(
    {
      ids: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string' } },
      offset: { type: 'integer', minimum: 0, maximum: 1_000_000, description: 'Skip so many characters of each.' },
      maxChars: { type: 'integer', minimum: 1_000, maximum: largestMaxChars, description: 'Longest answer; 16000.' },
      ...common,
    },
    ['ids'],
  ),
  effect: 'read',
  scopes: ['read'],
  async run({ ids, offset = 0, maxChars = defaultMaxChars }, call) {
    const asked = ids.map((id) => parseId(id, 'ids'))
    if (asked.some(({ kind }) => kind === 'message'))
      throw new ToolProblem('VALIDATION', 'ids: read_messages reads messages; name memories, tasks or notes here.')
    const found = await readAll(asked, call)
    // One alone may fill the answer; of several none takes the room of the others.
    const room = asked.length === 1 ? Math.max(maxChars - ownChars, 500) : itemChars
    const shown = asked.flatMap(({ id }) => found.get(id) ?? [])
    const parts = shown.map((item) => clip(item, offset, Math.min(room, Math.max(itemChars, maxChars - ownChars))))
    const missing = asked.filter(({ id }) => !found.has(id)).map(({ id }) => id)
    return {
      recalled: parts.map(({ item, text }) => render(item, text, call.now)),
      tail: [
        ...parts.flatMap(({ rest }) => rest),
        ...(missing.length > 0 ? [`not found in this vault: ${missing.join(', ')}`] : []),
      ],
      next: (count) => callText('read_items', { ids: shown.slice(count).map(idOf), ...(offset > 0 && { offset }) }),
      data: { items: shown, notFound: missing },
    }
  },
})

type Item = Memory | Note

const isNote = (item: Item): item is Note => 'noteId' in item
const idOf = (item: Item) => (isNote(item) ? `n:${item.noteId}` : `m:${item.memoryId}`)
const render = (item: Item, text: string, now: number) =>
  isNote(item) ? noteItem(item, now, text) : memoryItem(item, now, text)

/** What an id does not say is looked for among memories first, then among notes. */
async function readAll(asked: readonly ItemId[], { call }: ToolCall): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  const memoryIds = [...new Set(asked.flatMap(({ id, kind }) => (kind === 'note' ? [] : [id])))]
  if (memoryIds.length > 0)
    for (const memory of (await call('read-memories', { memoryIds })).memories) found.set(memory.memoryId, memory)
  const noteIds = [...new Set(asked.flatMap(({ id, kind }) => (kind === 'memory' || found.has(id) ? [] : [id])))]
  if (noteIds.length > 0) for (const note of (await call('read-notes', { noteIds })).notes) found.set(note.noteId, note)
  return found
}

interface Part {
  item: Item
  text: string
  /** What to call for the rest of it. */
  rest: string[]
}

function clip(item: Item, offset: number, maxChars: number): Part {
  const { content } = item
  const text = content.slice(offset, offset + maxChars)
  const end = offset + text.length
  if (end >= content.length) return { item, text, rest: [] }
  const whole = withoutHalfPair(text)
  const next = callText('read_items', { ids: [idOf(item)], offset: offset + whole.length })
  return {
    item,
    text: `${whole}…`,
    rest: [`${idOf(item)} is clipped: characters ${offset} to ${end} of ${content.length}. Next: ${next}`],
  }
}
