import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { changedMemories, describeChanged, exampleChanged, exampleIds, memoryIds, rateAll } from './bulk-changes.ts'
import { exampleMemory } from './memory.ts'
import { changeableFields } from './update-memory.ts'

const { memoryType, importance, confidence } = changeableFields

export const rateMemories = operation({
  name: 'rate-memories',
  for: { person: 'POST /api/memories/bulk' },
  vault: 'required',
  summary: 'Change the type, importance or confidence of memories. Changes either all of them or none.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  input: z.object({ ...ownVault, ids: memoryIds, memoryType, importance, confidence }),
  output: changedMemories,
  examples: { input: { vaultId: exampleMemory.vaultId, ids: exampleIds, importance: 5 }, output: exampleChanged },
  run: async ({ vaultId: _vault, ids, ...rating }, ctx) => describeChanged(ids, await rateAll(ctx, ids, () => rating)),
})
