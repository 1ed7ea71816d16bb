import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { findMergeable, mergeInto } from './merge-into.ts'
import { exampleMemory, memoryRecord } from './memory.ts'
import { readRecord } from './read-record.ts'

const otherId = '0198c5f0-0000-7000-8000-000000000102'

export const mergeMemories = operation({
  name: 'merge-memories',
  for: { person: 'POST /api/memories/merge' },
  vault: 'required',
  summary:
    'Let one memory take the place of others that say the same: it gets their names, importance and links, and they are superseded by it.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  about: ({ id }) => refs('memory', id),
  input: z.object({
    ...fields.ownVault,
    id: fields.memoryId.describe('The memory that stays, with its text.'),
    otherIds: z.array(z.uuid()).min(1).max(20).describe('Those that it stands for from now on, 1 to 20.'),
  }),
  output: z.looseObject({
    memory: memoryRecord,
    mergedIds: z.array(z.uuid()).describe('What is superseded now; it can still be read.'),
  }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, id: exampleMemory.memoryId, otherIds: [otherId] },
    output: { memory: { ...exampleMemory, supersedesId: otherId, version: 2 }, mergedIds: [otherId] },
  },
  async run({ id, otherIds }, ctx) {
    const mergedIds = [...new Set(otherIds)]
    for (const other of await findMergeable(ctx, id, mergedIds)) await mergeInto(ctx, id, other)
    return { memory: await readRecord(ctx, id), mergedIds }
  },
})
