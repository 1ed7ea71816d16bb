import type { Memory, Note, Task } from '@holdfast/client'
import { defaultMaxChars, largestMaxChars, minWholeChars, type WholeItem } from '../render/compose.ts'
import { wholeMemory } from '../render/memories.ts'
import { wholeNote } from '../render/notes.ts'
import { wholeTask } from '../render/tasks.ts'
import { objectSchema } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import { parseId, type ItemId } from './ids.ts'

export const readItems = tool({
  name: 'read_items',
  title: 'Read items in full',
  description: 'Read memories, tasks and notes in full, by ids from other answers.',
  inputSchema: objectSchema(
    {
      ids: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string' } },
      offset: { type: 'integer', minimum: 0, maximum: 1_000_000, description: 'Characters of the first to skip.' },
      maxChars: {
        type: 'integer',
        minimum: minWholeChars,
        maximum: largestMaxChars,
        description: 'Maximum length. Default 16000.',
      },
      ...common,
    },
    ['ids'],
  ),
  effect: 'read',
  scopes: ['read'],
  async run({ ids, offset = 0, maxChars = defaultMaxChars }, call) {
    const asked = new Map(ids.map((id) => parseId(id, 'ids')).map((one) => [one.id, one]))
    if ([...asked.values()].some(({ kind }) => kind === 'message'))
      throw new ToolProblem('VALIDATION', 'ids: only memories, tasks and notes. Use read_messages for messages.')
    const found = await readAll([...asked.values()], call)
    const items = [...asked.keys()].flatMap((id) => found.get(id) ?? [])
    const missing = [...asked.keys()].filter((id) => !found.has(id))
    const whole = items.map((item) => wholeItem(item, call.now))
    return {
      whole: {
        items: whole,
        // If the first item no longer exists, its offset does not apply.
        offset: found.has(asked.keys().next().value ?? '') ? offset : 0,
        next: (item, from) =>
          call.again({ ids: whole.slice(item).map(({ id }) => id), offset: from === 0 ? undefined : from }),
      },
      tail: missing.length > 0 ? [`not found in this vault: ${missing.join(', ')}`] : [],
      maxChars,
      data: { items, notFound: missing },
    }
  },
})

type Item = Memory | Note | Task

function wholeItem(item: Item, now: number): WholeItem {
  if ('noteId' in item) return wholeNote(item, now)
  return 'taskId' in item ? wholeTask(item, now) : wholeMemory(item, now)
}

/** Reads items. Looks up an id without a prefix among memories first, then among notes. */
async function readAll(asked: readonly ItemId[], { call }: ToolCall): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  const memoryIds = [...new Set(asked.flatMap(({ id, kind }) => (kind === 'note' ? [] : [id])))]
  if (memoryIds.length > 0)
    for (const memory of (await call('read-memories', { memoryIds })).memories) found.set(memory.memoryId, memory)
  // The memory of a task has only its text, so read the tasks too. A superseded one has no task.
  const taskIds = [...found.values()].flatMap((one) =>
    'memoryType' in one && one.memoryType === 'task' ? [one.memoryId] : [],
  )
  if (taskIds.length > 0)
    for (const task of (await call('list-tasks', { taskIds, includeArchived: true, limit: 50 })).tasks)
      found.set(task.taskId, task)
  const noteIds = [...new Set(asked.flatMap(({ id, kind }) => (kind === 'memory' || found.has(id) ? [] : [id])))]
  if (noteIds.length > 0) for (const note of (await call('read-notes', { noteIds })).notes) found.set(note.noteId, note)
  return found
}
