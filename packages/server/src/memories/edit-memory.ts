import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { memoryRecord, personsExample } from './memory.ts'
import { readRecord } from './read-record.ts'
import { saveUpdate } from './save-update.ts'
import { changeableFields } from './update-memory.ts'

export const editMemory = operation({
  name: 'edit-memory',
  for: { person: 'PATCH /api/memories' },
  vault: 'required',
  summary: 'Change a memory. Fields left out stay as they are, and so does who wrote it.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  about: ({ id }) => refs('memory', id),
  bodyLimitBytes: 2 * 1024 * 1024,
  input: z.object({
    ...fields.ownVault,
    id: fields.memoryId,
    ...changeableFields,
    expectedVersion: fields.expectedVersion,
  }),
  output: z.looseObject({
    memory: memoryRecord,
    updated: z.boolean().describe('False where nothing was to change.'),
  }),
  examples: {
    input: { vaultId: personsExample.vaultId, id: personsExample.memoryId, importance: 5 },
    output: { memory: { ...personsExample, importance: 5, version: 2 }, updated: true },
  },
  async run({ vaultId: _vault, id, ...change }, ctx) {
    const { updated } = await saveUpdate(ctx, { memoryId: id, ...change })
    return { memory: await readRecord(ctx, id), updated }
  },
})
