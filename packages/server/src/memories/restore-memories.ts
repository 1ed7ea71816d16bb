import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { changedMemories, describeChanged, exampleChanged, exampleIds, memoryIds, rateAll } from './bulk-changes.ts'
import { exampleMemory } from './memory.ts'

export const restoreMemories = operation({
  name: 'restore-memories',
  for: { person: 'POST /api/memories/restore' },
  vault: 'required',
  summary:
    'Restore archived memories, either all of them or none. An expired memory no longer expires; a superseded one stays superseded.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  input: z.object({ ...ownVault, ids: memoryIds }),
  output: changedMemories,
  examples: { input: { vaultId: exampleMemory.vaultId, ids: exampleIds }, output: exampleChanged },
  async run({ ids }, ctx) {
    const changed = await rateAll(ctx, ids, ({ expiresAt = Infinity }) => ({
      archived: false,
      // Otherwise the next expiry job would archive it again.
      ...(expiresAt <= ctx.now() && { expiresAt: null }),
    }))
    return describeChanged(ids, changed)
  },
})
