import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { exampleMemory } from './memory.ts'
import { purgeOne } from './purge-store.ts'

export const eraseMemory = dashboardVaultOperation({
  name: 'erase-memory',
  method: 'DELETE',
  path: '/api/memories',
  summary: 'Delete an archived memory for good, with its index entry and links.',
  effect: 'destructive',
  input: z.object({ ...fields.ownVault, id: fields.memoryId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, id: exampleMemory.memoryId },
    output: { id: exampleMemory.memoryId, deleted: true },
  },
  async run({ id }, { db, vault, now }) {
    await purgeOne(db, vault, id, now())
    return { id, deleted: true } as const
  },
})
