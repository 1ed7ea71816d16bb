import { z } from 'zod'
import { exampleMemory } from './memory.ts'

/** What operations on several memories at once take and answer. */

const maxIds = 100

export const memoryIds = z.array(z.uuid()).min(1).max(maxIds).describe('Ids of the memories, 1 to 100.')

export const changedMemory = z.looseObject({
  memoryId: z.uuid(),
  changed: z.boolean().describe('False where it was so already.'),
  version: z.int(),
})

export const changedMemories = z.looseObject({
  memories: z.array(changedMemory).describe('In the order asked.'),
  notFound: z.array(z.uuid()).describe('Ids that are no memories of this vault.'),
})

export const exampleIds = [exampleMemory.memoryId]
export const exampleChanged = {
  memories: [{ memoryId: exampleMemory.memoryId, changed: true, version: 2 }],
  notFound: [],
}

interface Changed {
  memory: { memoryId: string; version: number }
  updated: boolean
}

/** What became of each of the ids. */
export function describeChanged(ids: readonly string[], changed: readonly Changed[]) {
  const byId = new Map(changed.map((each) => [each.memory.memoryId, each]))
  const asked = [...new Set(ids)]
  return {
    memories: asked.flatMap((id) => {
      const each = byId.get(id)
      return each === undefined ? [] : [{ memoryId: id, changed: each.updated, version: each.memory.version }]
    }),
    notFound: asked.filter((id) => !byId.has(id)),
  }
}
