import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { archive } from './archive.ts'

export const archiveMemory = operation({
  name: 'archive-memory',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Hide a memory from search without deleting it.',
  effect: 'destructive',
  changes: ['memories', 'tasks'],
  about: ({ memoryId }) => refs('memory', memoryId),
  alias: 'memoryId',
  input: z.object({
    memoryId: fields.memoryId,
    reason: z.string().max(2000).optional().describe('Why; kept with the memory.'),
    ...fields.inVault,
  }),
  output: z.looseObject({
    memoryId: z.uuid(),
    archived: z.literal(true),
    alreadyArchived: z.boolean(),
    archivedAt: fields.timestamp,
    vaultId: z.uuid(),
  }),
  examples: {
    input: { memoryId: '0198c5f0-0000-7000-8000-000000000101', reason: 'No longer true' },
    output: {
      memoryId: '0198c5f0-0000-7000-8000-000000000101',
      archived: true,
      alreadyArchived: false,
      archivedAt: '2026-11-21T09:30:00.000Z',
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  async run({ memoryId, reason }, ctx) {
    const { archivedAt, wasArchived } = await archive(ctx, memoryId, reason)
    return {
      memoryId,
      archived: true as const,
      alreadyArchived: wasArchived,
      archivedAt: isoTime(archivedAt),
      vaultId: ctx.vault.id,
    }
  },
})
