import { z } from 'zod'
import type { CreatedMemory } from './create-memory.ts'
import { dedupActions } from './dedup.ts'

/** What the answer to a write says of dedup, where it was asked for. */
export const dedupOutcome = {
  dedupAction: z
    .enum(['none', ...dedupActions])
    .optional()
    .describe('Where dedup was asked for: what was found. `superseded` stores the new one, the other three do not.'),
  duplicateOfId: z.uuid().optional().describe('The older record that it was compared with.'),
  similarity: z
    .number()
    .optional()
    .describe('1 where the texts say the same by their letters or words, else the similarity of the vectors.'),
}

export const describeDedup = ({ duplicate }: CreatedMemory) =>
  duplicate === undefined
    ? { dedupAction: 'none' as const }
    : {
        dedupAction: duplicate.action,
        duplicateOfId: duplicate.memoryId,
        similarity: Math.round(duplicate.similarity * 10_000) / 10_000,
      }
