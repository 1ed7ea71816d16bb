import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleMemory } from './memory.ts'
import { purgeOne } from './purge-store.ts'

export const eraseMemory = operation({
  name: 'erase-memory',
  for: { person: 'DELETE /api/memories' },
  vault: 'required',
  summary: 'Permanently delete an archived memory, with its index entry and links.',
  effect: 'destructive',
  changes: ['memories', 'tasks'],
  about: ({ id }) => refs('memory', id),
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
