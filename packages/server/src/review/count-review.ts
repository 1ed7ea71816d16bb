import { z } from 'zod'
import type { VaultContext } from '../operation/context.ts'
import { countChanged } from './changed-store.ts'
import { countPending } from '../proposals/store.ts'
import { findContradictions } from './find-contradictions.ts'
import { countRemoved } from './removed-store.ts'
import { countUnsure } from './unsure-store.ts'

export const reviewCounts = z
  .looseObject({ proposal: z.int(), contradiction: z.int(), unsure: z.int(), changed: z.int(), removed: z.int() })
  .describe('The number of items. Duplicates are not counted, because that would mean comparing all memories.')

export async function countReview(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
): Promise<z.input<typeof reviewCounts>> {
  const { db, vault, now } = ctx
  return {
    proposal: await countPending(db.read, vault),
    contradiction: (await findContradictions(ctx)).length,
    unsure: await countUnsure(db.read, vault, now()),
    changed: await countChanged(db.read, vault, now()),
    removed: await countRemoved(db.read, vault, now()),
  }
}
