import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { exampleMemory } from './memory.ts'
import { rateMemories } from './save-update.ts'
import { changedMemories, describeChanged, exampleChanged, exampleIds, memoryIds } from './several.ts'

export const restoreMemories = dashboardVaultOperation({
  name: 'restore-memories',
  method: 'POST',
  path: '/api/memories/restore',
  summary:
    'Bring archived memories back, all at once or none. One that had expired no longer expires; one that was superseded still is.',
  effect: 'write',
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
