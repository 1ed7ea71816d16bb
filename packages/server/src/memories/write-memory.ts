import { z } from 'zod'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { createMemory } from './create-memory.ts'
import { dedupOutcome, describeDedup } from './dedup-outcome.ts'
import { memoryTypes, writableFields } from './memory.ts'

const bodyLimitBytes = 2 * 1024 * 1024

export const writeMemory = operation({
  name: 'write-memory',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Store a memory.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  // 100,000 characters can take six bytes each when they are escaped.
  bodyLimitBytes,
  input: z.object({
    ...writableFields,
    externalWriteId: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Idempotency key: a repeat answers with the first memory and changes nothing.'),
    dedup: z
      .boolean()
      .default(false)
      .describe(
        'Look for a memory of the same type first that says the same. One that does answers in its place; one that is out of date is superseded.',
      ),
    ...fields.inVault,
  }),
  output: z.looseObject({
    memoryId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('True where an earlier write with the same externalWriteId answered.'),
    memoryType: z.enum(memoryTypes),
    vaultId: z.uuid(),
    version: z.int(),
    ...dedupOutcome,
    supersededMemoryId: z.uuid().optional(),
  }),
  returns: ({ memoryId }) => refs('memory', memoryId),
  examples: {
    input: {
      content: 'The user prefers tabs over spaces in Go code.',
      memoryType: 'preference',
      importance: 4,
      entities: ['Go'],
    },
    output: {
      memoryId: '0198c5f0-0000-7000-8000-000000000101',
      created: true,
      idempotent: false,
      memoryType: 'preference',
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      version: 1,
    },
  },
  created: ({ created }) => created,
  async run(input, ctx) {
    const written = await createMemory(ctx, {
      content: input.content,
      memoryType: input.memoryType,
      importance: input.importance,
      confidence: input.confidence,
      head: {
        summary: input.summary,
        entities: input.entities ?? [],
        sourceNoteIds: input.sourceNoteIds ?? [],
        externalWriteId: input.externalWriteId,
        writeReason: input.writeReason,
        metadata: input.metadata ?? {},
        agentId: claimedAgentId(ctx, input.agentId),
        agentRunId: input.agentRunId ?? ctx.request.runId,
        modelId: input.modelId,
        route: 'write-memory',
      },
      relatedMemoryIds: input.relatedMemoryIds ?? [],
      supersedesId: input.supersededById,
      expiresAt: input.expiresAt === undefined ? undefined : Date.parse(input.expiresAt),
      occurredAt: input.occurredAt === undefined ? undefined : Date.parse(input.occurredAt),
      dedup: input.dedup ? openSettings(ctx.vault).dedup : undefined,
    })
    return {
      memoryId: written.memoryId,
      created: written.wasCreated,
      idempotent: written.isRepeat,
      memoryType: written.memoryType as (typeof memoryTypes)[number],
      vaultId: ctx.vault.id,
      version: written.version,
      ...(input.dedup && describeDedup(written)),
      ...(written.supersededMemoryId !== undefined && { supersededMemoryId: written.supersededMemoryId }),
    }
  },
})
