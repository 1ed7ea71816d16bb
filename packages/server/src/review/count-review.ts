import type { VaultContext } from '../operation/context.ts'
import { findContradictions } from './find-contradictions.ts'
import { countUnsure } from './unsure-store.ts'

/** How much waits for somebody's judgement, as far as that is known without looking through all memories. */
export async function countReview(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
): Promise<{ contradiction: number; unsure: number }> {
  const contradictions = await findContradictions(ctx)
  return { contradiction: contradictions.length, unsure: await countUnsure(ctx.db.read, ctx.vault, ctx.now()) }
}
