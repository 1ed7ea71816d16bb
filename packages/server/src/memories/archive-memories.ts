import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { nextSeq } from '../vaults/store.ts'
import { exampleMemory } from './memory.ts'
import { putAway } from './put-away.ts'
import { changedMemories, describeChanged, exampleChanged, exampleIds, memoryIds } from './several.ts'
import { findMemories } from './store.ts'

export const archiveMemories = operation({
  name: 'archive-memories',
  for: { person: 'POST /api/memories/archive' },
  vault: 'required',
  summary: 'Hide memories from search without deleting them, all at once or none.',
  effect: 'destructive',
  changes: ['memories', 'tasks'],
  about: ({ ids }) => refs('memory', ids),
  input: z.object({
    ...ownVault,
    ids: memoryIds,
    reason: z.string().max(2000).optional().describe('Why; kept with the memories.'),
  }),
  output: changedMemories,
  examples: {
    input: { vaultId: exampleMemory.vaultId, ids: exampleIds, reason: 'No longer true' },
    output: exampleChanged,
  },
  async run({ ids, reason }, { db, vault, now }) {
    const changed = await db.write(async (tx) => {
      const seq = await nextSeq(tx, vault.userId, vault.id)
      const done = []
      for (const memory of await findMemories(tx, vault, ids)) {
        const updated = memory.archivedAt === undefined
        const after = updated ? await putAway(tx, vault, seq, memory, { at: now(), reason }) : memory
        done.push({ memory: after, updated })
      }
      return done
    })
    return describeChanged(ids, changed)
  },
})
