import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { CallContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { createMemory, type CreatedMemory, type MemoryOrigin } from './create-memory.ts'
import { dedupActions } from './dedup.ts'
import { memoryTypes, personsRoutes, writableFields } from './memory.ts'

/** What the answer to a write says about dedup, if the caller asked for it. */
export const dedupOutcome = {
  dedupAction: z
    .enum(['none', ...dedupActions])
    .optional()
    .describe('With dedup: what was found. `none` and `superseded` store the new record, the others do not.'),
  duplicateOfId: z.uuid().optional().describe('The existing record that it was compared with.'),
  similarity: z
    .number()
    .optional()
    .describe('1 if the texts are the same or one rewords the other, otherwise the similarity of their vectors.'),
}

// 100,000 characters can take six bytes each when they are escaped.
export const bodyLimitBytes = 2 * 1024 * 1024

export const writeMemory = operation({
  name: 'write-memory',
  for: { agent: { toolset: 'memory', scopes: ['write'], creates: 'memory' }, person: 'POST /api/memories' },
  vault: 'resolved',
  summary: 'Store a memory.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  bodyLimitBytes,
  input: z.object({
    ...writableFields,
    externalWriteId: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Idempotency key: a repeated call returns the first memory and changes nothing.'),
    dedup: z
      .boolean()
      .default(false)
      .describe(
        'First look for a memory of the same type that says the same thing. If one exists, the call returns it and stores nothing; if it is out of date, the new memory is stored and supersedes it.',
      ),
    ...fields.inVault,
  }),
  output: z.looseObject({
    memoryId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('True if an earlier write with the same externalWriteId stored it.'),
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
  async run({ dedup, ...input }, ctx) {
    const written = await createMemory(ctx, {
      ...input,
      origin: originOf(ctx, input, ctx.actor.kind === 'person' ? personsRoutes.memory : 'write-memory'),
      dedup: dedup ? openSettings(ctx.vault).dedup : undefined,
    })
    return {
      memoryId: written.memoryId,
      created: written.wasCreated,
      idempotent: written.isRepeat,
      memoryType: written.memoryType as (typeof memoryTypes)[number],
      vaultId: ctx.vault.id,
      version: written.version,
      ...(dedup && describeDedup(written)),
      ...(written.supersededMemoryId !== undefined && { supersededMemoryId: written.supersededMemoryId }),
    }
  },
})

interface Claims {
  agentId?: string | undefined
  agentRunId?: string | undefined
  modelId?: string | undefined
}

/** Who writes, in which run, and by which route. */
export const originOf = (ctx: CallContext, { agentId, agentRunId, modelId }: Claims, route: string): MemoryOrigin => ({
  agentId: claimedAgentId(ctx, agentId),
  agentRunId: agentRunId ?? ctx.request.runId,
  modelId,
  route,
})

export const describeDedup = ({ duplicate }: CreatedMemory) =>
  duplicate === undefined
    ? { dedupAction: 'none' as const }
    : {
        dedupAction: duplicate.action,
        duplicateOfId: duplicate.memoryId,
        similarity: Math.round(duplicate.similarity * 10_000) / 10_000,
      }
