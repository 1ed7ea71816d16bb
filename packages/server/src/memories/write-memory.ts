import { z } from 'zod'
import { refs } from '../calls/records.ts'
import * as fields from '../operation/fields.ts'
import { permitOf } from './related-memories.ts'
import { operation } from '../operation/operation.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { proposalNotice } from '../proposals/propose.ts'
import { personsRoutes } from './authorship.ts'
import { extractionKeys } from './claim-store.ts'
import { createMemory, originOf, proposeSuccessor } from './create-memory.ts'
import { dedupOutcome, describeDedup } from './dedup.ts'
import { bodyLimitBytes, memoryTypes, writableFields } from './memory.ts'

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
      .refine((key) => !key.startsWith(extractionKeys), `must not begin with ${extractionKeys}`)
      .optional()
      .describe(
        `Idempotency key: a repeated call returns the first memory and changes nothing. Must not begin with \`${extractionKeys}\`.`,
      ),
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
    proposal: proposalNotice,
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
      permit: permitOf(ctx),
    }).catch((error: unknown) => proposeSuccessor(ctx, error, input))
    return {
      memoryId: written.memoryId,
      created: written.wasCreated,
      idempotent: written.isRepeat,
      memoryType: written.memoryType as (typeof memoryTypes)[number],
      vaultId: ctx.vault.id,
      version: written.version,
      ...(dedup && describeDedup(written)),
      ...(written.supersededMemoryId !== undefined && { supersededMemoryId: written.supersededMemoryId }),
      ...('proposal' in written && { proposal: written.proposal }),
    }
  },
})
