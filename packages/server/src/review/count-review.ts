import { z } from 'zod'
import type { VaultContext } from '../operation/context.ts'
import { countChanged } from './changed-store.ts'
import { findContradictions } from './find-contradictions.ts'
import { countUnsure } from './unsure-store.ts'

export const reviewCounts = z
  .looseObject({ contradiction: z.int(), unsure: z.int(), changed: z.int() })
  .describe('The number of items. Duplicates are not counted, because that would mean comparing all memories.')

export async function countReview(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
): Promise<z.input<typeof reviewCounts>> {
  const { db, vault, now } = ctx
  return {
    contradiction: (await findContradictions(ctx)).length,
    unsure: await countUnsure(db.read, vault, now()),
    changed: await countChanged(db.read, vault, now()),
  }
}
