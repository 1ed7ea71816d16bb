import type { SlotTest } from './live.ts'
import { none } from './runs.ts'
import type { VaultIndex } from './vault-index.ts'
import type { VectorBlock } from './vectors.ts'

/**
 * Short turns of a conversation say little by themselves: an answer lacks the words of its question. So a turn is as near as
 * it and its neighbours in the run are on the mean, which is made anew for each question: nothing is stored, and what is
 * removed, archived or comes late counts or no longer counts from the next search on.
 *
 * Figures are recall@10 / nDCG@10 of the whole search on LoCoMo and on the project's own set, where turns and single facts share
 * vaults: without neighbours 76.7/59.1 and 89.7/77.8. The cosine of the mean of the vectors, brought to length 1: 78.5/60.2 and 88.1/77.3,
 * as it puts turns before single facts, whose vectors are no means. The sum of the cosines lost 17 points of nDCG@10 on LongMemEval.
 */

/** A neighbour's weight; the turn's own is 1. With 0.25: 77.3/60.0 and 90.8/78.3; 0.35: 77.9/60.2 and 91.0/78.4; 0.5: 77.8/60.0 and 91.1/78.4. */
const neighbourShare = 0.5
/** Words past the stop words in a turn: some 80 as written. Half of it costs a point on LoCoMo; without a bound LongMemEval loses 0.3 of nDCG. */
const maxTurnWords = 40

/** The vectors of a model, and the question's cosine with each row of them. */
export interface Scanned {
  block: VectorBlock
  cosines: Float32Array
}

/**
 * Mean of a turn's cosine, which is `own`, and those of its neighbours that `lends` admits; `own` itself where the item or
 * all of them are no short turns with vectors. `cosines` are the question's with all rows of the block.
 */
export function cosineInTurn(
  index: VaultIndex,
  { block, cosines }: Scanned,
  { slot, own }: { slot: number; own: number },
  lends: SlotTest,
): number {
  if (turnRow(index, block, slot) < 0) return own
  const { previous, next } = index.parts.runs
  let sum = own
  let weight = 1
  for (const near of [previous[slot] as number, next[slot] as number]) {
    const row = near === none || !lends(near) ? none : turnRow(index, block, near)
    if (row < 0) continue
    sum += neighbourShare * (cosines[row] as number)
    weight += neighbourShare
  }
  return sum / weight
}

/** The only row of a short text, or -1. */
function turnRow({ parts: { words } }: VaultIndex, block: VectorBlock, slot: number): number {
  if (words.lengthOf(slot) - (words.headerLengths[slot] as number) > maxTurnWords) return none
  return block.onlyRowOf(slot)
}
