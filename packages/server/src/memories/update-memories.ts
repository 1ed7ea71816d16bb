import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { nextSeq } from '../vaults/store.ts'
import {
  changedMemories,
  describeChanged,
  exampleChanged,
  exampleIds,
  idOf,
  memoryIds,
  type Changed,
} from './bulk-changes.ts'
import { changeMemory, isUnchanged, type MemoryChange } from './change-memory.ts'
import { exampleMemory, type Memory } from './memory.ts'
import { findMemories } from './store.ts'
import { changeableFields, storeChange } from './update-memory.ts'

const { memoryType, importance, confidence } = changeableFields

/** For people, who select several at once. */
export const updateMemories = operation({
  name: 'update-memories',
  for: { person: 'PATCH /api/memories/bulk' },
  vault: 'required',
  summary:
    'Restore archived memories, or change the type, importance or confidence of memories. Changes either all of them or none. An expired memory that is restored no longer expires; a superseded one stays superseded.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  needs: [['archived'], ['memoryType'], ['importance'], ['confidence']],
  input: z.object({
    ...ownVault,
    ids: memoryIds,
    archived: z
      .literal(false, 'must be false, which restores the memories; to archive them, use archive-memories')
      .optional()
      .describe('false restores archived memories. To archive some, use archive-memories.'),
    memoryType,
    importance,
    confidence,
  }),
  output: changedMemories,
  examples: { input: { vaultId: exampleMemory.vaultId, ids: exampleIds, importance: 5 }, output: exampleChanged },
  async run({ ids, archived, ...given }, ctx) {
    const rating: Rating = { memoryType: given.memoryType, importance: given.importance, confidence: given.confidence }
    if (archived === undefined && Object.values(rating).every((value) => value === undefined))
      throw invalid({ '': 'give archived, memoryType, importance or confidence' })
    const changed = await changeAll(ctx, ids, ({ expiresAt = Infinity }) => ({
      ...rating,
      archived,
      // Otherwise the next expiry job would archive it again.
      ...(archived === false && expiresAt <= ctx.now() && { expiresAt: null }),
    }))
    return describeChanged(ids, changed)
  },
})

/** The fields that don't affect the words a search finds a memory by. */
type Rating = Pick<MemoryChange, 'memoryType' | 'importance' | 'confidence'>

/** Changes some memories in one transaction; ids that match no memory of the vault are left out. */
async function changeAll(
  ctx: WriterContext & Pick<VaultContext, 'db' | 'vault' | 'about'>,
  ids: readonly string[],
  changeOf: (memory: Memory) => Rating & Pick<MemoryChange, 'archived' | 'expiresAt'>,
): Promise<Changed[]> {
  const { db, vault } = ctx
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const changed: Changed[] = []
    for (const before of await findMemories(tx, vault, ids)) {
      const after = changeMemory(before, changeOf(before), writerOf(ctx))
      const updated = !isUnchanged(before, after)
      if (updated) await storeChange(tx, vault, seq, { before, after, entry: undefined })
      changed.push({ memory: updated ? after : before, updated })
    }
    ctx.about('memory', changed.map(idOf))
    return changed
  })
}
