import { z } from 'zod'
import { exampleMemory, type Memory } from './memory.ts'

/** Operations on several memories at once: their ids, and what they answer. */

const maxIds = 100

export const memoryIds = z.array(z.uuid()).min(1).max(maxIds).describe('Ids of the memories, 1 to 100.')

const changedMemory = z.looseObject({
  memoryId: z.uuid(),
  changed: z.boolean().describe('False if there was nothing to change.'),
  version: z.int(),
})

export const changedMemories = z.looseObject({
  memories: z.array(changedMemory).describe('In the order of the ids.'),
  notFound: z.array(z.uuid()).describe('Ids that match no memory of this vault.'),
})

export const exampleIds = [exampleMemory.memoryId]
export const exampleChanged = {
  memories: [{ memoryId: exampleMemory.memoryId, changed: true, version: 2 }],
  notFound: [],
}

export interface Changed {
  memory: Memory
  updated: boolean
}

export const idOf = ({ memory }: Changed): string => memory.memoryId

/** The outcome for each id. */
export function describeChanged(
  ids: readonly string[],
  changed: readonly { memory: Pick<Memory, 'memoryId' | 'version'>; updated: boolean }[],
) {
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
