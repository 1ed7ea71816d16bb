import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { memoryTypes, writableFields } from './memory.ts'
import { saveUpdate } from './save-update.ts'

const bodyLimitBytes = 2 * 1024 * 1024

/** What may be said of a memory that is there. */
export const changeableFields = {
  content: writableFields.content.optional(),
  summary: writableFields.summary,
  memoryType: z.enum(memoryTypes).optional().describe('Kind of memory.'),
  importance: fields.importance.optional().describe('1 (trivial) to 5 (vital).'),
  confidence: fields.importance.optional().describe('1 (a guess) to 5 (certain).'),
  entities: writableFields.entities,
  relatedMemoryIds: writableFields.relatedMemoryIds,
  sourceNoteIds: writableFields.sourceNoteIds,
  supersededById: writableFields.supersededById,
  expiresAt: fields.timestamp.nullable().optional().describe('From when on it counts as gone; null: never.'),
  metadata: fields.metadata.optional().describe('Merged into what is there; a key set to null is deleted.'),
  writeReason: writableFields.writeReason,
  occurredAt: writableFields.occurredAt,
}

const input = z.object({
  memoryId: fields.memoryId,
  ...changeableFields,
  archived: z
    .literal(false, 'must be false, which restores; use archive-memory to archive')
    .optional()
    .describe('false restores an archived memory; archive-memory archives.'),
  expectedVersion: fields.expectedVersion,
  ...fields.inVault,
})

export const updateMemory = operation({
  name: 'update-memory',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Change a memory, or restore an archived one. Fields left out stay as they are.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  about: ({ memoryId }) => refs('memory', memoryId),
  alias: 'memoryId',
  bodyLimitBytes,
  input,
  output: z.looseObject({
    memoryId: z.uuid(),
    updated: z.boolean().describe('False where nothing was to change.'),
    version: z.int(),
    vaultId: z.uuid(),
    memoryType: z.enum(memoryTypes),
    updatedAt: fields.timestamp,
  }),
  examples: {
    input: { memoryId: '0198c5f0-0000-7000-8000-000000000101', importance: 5, metadata: { reviewed: true } },
    output: {
      memoryId: '0198c5f0-0000-7000-8000-000000000101',
      updated: true,
      version: 2,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      memoryType: 'preference',
      updatedAt: '2026-11-21T09:30:00.000Z',
    },
  },
  async run(change, ctx) {
    const { memory, updated } = await saveUpdate(ctx, change)
    return {
      memoryId: memory.memoryId,
      updated,
      version: memory.version,
      vaultId: memory.vaultId,
      memoryType: memory.memoryType,
      updatedAt: isoTime(memory.updatedAt),
    }
  },
})
