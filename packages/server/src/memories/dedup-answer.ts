import { z } from 'zod'
import type { CreatedMemory } from './create-memory.ts'
import { dedupActions } from './dedup.ts'

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

export const describeDedup = ({ duplicate }: CreatedMemory) =>
  duplicate === undefined
    ? { dedupAction: 'none' as const }
    : {
        dedupAction: duplicate.action,
        duplicateOfId: duplicate.memoryId,
        similarity: Math.round(duplicate.similarity * 10_000) / 10_000,
      }
