import { z } from 'zod'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { changeMemory, isUnchanged, type MemoryChange } from './change-memory.ts'
import { exampleMemory, type Memory } from './memory.ts'
import { findMemories } from './store.ts'
import { storeChange } from './update-memory.ts'

/** Operations on several memories at once: their ids, what they do in one transaction, and what they answer. */

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

/** The fields that don't affect the words a search finds a memory by. */
export type Rating = Pick<MemoryChange, 'memoryType' | 'importance' | 'confidence' | 'expiresAt' | 'archived'>

/** Changes some memories in one transaction; ids that match no memory of the vault are left out. */
export async function rateAll(
  ctx: WriterContext & Pick<VaultContext, 'db' | 'vault' | 'about'>,
  ids: readonly string[],
  ratingOf: (memory: Memory) => Rating,
): Promise<Changed[]> {
  const { db, vault } = ctx
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const changed: Changed[] = []
    for (const before of await findMemories(tx, vault, ids)) {
      const after = changeMemory(before, ratingOf(before), writerOf(ctx))
      const updated = !isUnchanged(before, after)
      if (updated) await storeChange(tx, vault, seq, { before, after, entry: undefined })
      changed.push({ memory: updated ? after : before, updated })
    }
    ctx.about('memory', changed.map(idOf))
    return changed
  })
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
