import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleMemory } from './memory.ts'
import { rateMemories } from './save-update.ts'
import { changedMemories, describeChanged, exampleChanged, exampleIds, memoryIds } from './several.ts'

export const restoreMemories = operation({
  name: 'restore-memories',
  for: { person: 'POST /api/memories/restore' },
  vault: 'required',
  summary:
    'Bring archived memories back, all at once or none. One that had expired no longer expires; one that was superseded still is.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  about: ({ ids }) => refs('memory', ids),
  input: z.object({ ...ownVault, ids: memoryIds }),
  output: changedMemories,
  examples: { input: { vaultId: exampleMemory.vaultId, ids: exampleIds }, output: exampleChanged },
  async run({ ids }, ctx) {
    const changed = await rateMemories(ctx, ids, ({ expiresAt = Infinity }) => ({
      archived: false,
      // Else the next look for what has expired would archive it again.
      ...(expiresAt <= ctx.now() && { expiresAt: null }),
    }))
    return describeChanged(ids, changed)
  },
})
