import type { SlotTest } from './live.ts'
import { none } from './runs.ts'
import type { VaultIndex } from './vault-index.ts'
import type { VectorBlock } from './vectors.ts'

/**
 * Short turns of a conversation say little by themselves: an answer lacks the words of its question. So a turn is compared
 * also as the mean of its own vector and its neighbours', which is made anew for each question from the rows of the index:
 * nothing is stored, and what is removed, archived or comes late counts or no longer counts from the next search on.
 */

/** A neighbour's weight; the turn's own is 1. recall@10 / nDCG@10 on LoCoMo without neighbours, with 0.25, 0.5, 0.75: 76.7/59.1, 77.5/59.7, 78.4/59.8, 78.4/59.4. */
const neighbourShare = 0.5
/** Words past the stop words in a turn: some 80 as written. Half of it costs a point; without a bound LongMemEval loses 0.3 of nDCG. */
const maxTurnWords = 40

/**
 * `cosines` are the question's with all rows of the block. Cosine of the question with unit(own + 0.5 × previous + 0.5 × next), over the neighbours in the run that `lends` admits.
 * Undefined where the item or all of them are no short turns with vectors. A sum of the three cosines was tried in place of
 * that of the mean: it puts every turn before what has no neighbours, and lost 17 points of nDCG@10 on LongMemEval.
 */
export function cosineInTurn(
  index: VaultIndex,
  block: VectorBlock,
  cosines: Float32Array,
  slot: number,
  lends: SlotTest,
): number | undefined {
  const { previous, next } = index.parts.runs
  const own = turnRow(index, block, slot)
  if (own < 0) return undefined
  const before = neighbourRow(index, block, previous[slot] as number, lends)
  const after = neighbourRow(index, block, next[slot] as number, lends)
  if (before < 0 && after < 0) return undefined
  let cosine = cosines[own] as number
  let squares = 1
  for (const row of [before, after]) {
    if (row < 0) continue
    cosine += neighbourShare * (cosines[row] as number)
    squares += neighbourShare ** 2 + 2 * neighbourShare * block.cosineOf(own, row)
  }
  if (before >= 0 && after >= 0) squares += 2 * neighbourShare ** 2 * block.cosineOf(before, after)
  // Neighbours that say the contrary may cancel a turn out: nothing is left to compare.
  return squares > 0.01 ? cosine / Math.sqrt(squares) : undefined
}

const neighbourRow = (index: VaultIndex, block: VectorBlock, slot: number, lends: SlotTest): number =>
  slot === none || !lends(slot) ? none : turnRow(index, block, slot)

/** The only row of a short text, or -1. */
function turnRow({ parts: { words } }: VaultIndex, block: VectorBlock, slot: number): number {
  if (words.lengthOf(slot) - (words.headerLengths[slot] as number) > maxTurnWords) return none
  return block.onlyRowOf(slot)
}
