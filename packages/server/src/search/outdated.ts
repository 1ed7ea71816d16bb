import type { RankedSlot } from '../vault-index/legs/top-slots.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { likenessOf } from './rank.ts'

/** Types of memories that say how something is. An event doesn't become untrue, and a note is kept up to date. */
const statements: ReadonlySet<string> = new Set(['fact', 'preference', 'constraint', 'skill'])

/** The best candidates, which are compared with each other. */
const compared = 10
/** How alike two statements about one subject are at least (`likenessOf`). */
const minLikeness = 0.03

/**
 * The factor in the score of a statement if a newer one about the same subject ranks with it. The newer one must have this share of its
 * score too, so that it comes before the older one, while a statement that fits the question far better keeps its place.
 *
 * recall@10 / nDCG@10 on the project's own set, its questions about how something is now, and the facts of LoCoMo, which seldom contradict
 * each other: without it 93.5/80.8, 100/69.7, 81.2/67.6; 0.85 93.5/81.4, 100/76.9, 82.0/67.6; 0.8 93.5/81.8, 100/81.0, 81.8/67.4; 0.75
 * 93.5/81.8, 100/82.4, 80.9/66.9. Likenesses from 0.02 and 0.06 on: 93.2/81.8, 100/81.0, 81.8/67.4 and 93.5/81.6, 100/78.3, 81.3/67.3. Five
 * and fifteen compared: facts of LoCoMo 81.1/67.2 and 80.0/66.9.
 *
 * It counts once, so of three states the first may come before the others. Once more for each newer one that
 * is outdated too: facts of LoCoMo 80.6/66.6, and the own set stays the same.
 */
export const outdatedFactor = 0.8

/**
 * The statements among the best that a newer one may have replaced, with that one. Nothing proves that two statements contradict each
 * other, so both stay in the answer. `ranked`: best first.
 */
export function findOutdated(index: VaultIndex, ranked: readonly RankedSlot[]): Map<number, number> {
  const { facts } = index.parts
  const best = ranked.slice(0, compared).filter(({ slot }) => statements.has(facts.typeOf(slot)))
  const likeness = likenessOf(
    index,
    best.map(({ slot }) => slot),
  )
  const timeOf = ({ slot }: RankedSlot) => facts.arrays.occurredAt[slot] as number
  const isArchived = ({ slot }: RankedSlot) => facts.arrays.archived[slot] === 1
  const outdated = new Map<number, number>()
  best.forEach((older, at) => {
    const newer = best.find(
      (other, place) =>
        timeOf(other) > timeOf(older) &&
        // Whoever archived a statement took it back.
        (!isArchived(other) || isArchived(older)) &&
        other.score >= older.score * outdatedFactor &&
        likeness(at, place) >= minLikeness,
    )
    if (newer !== undefined) outdated.set(older.slot, newer.slot)
  })
  return outdated
}
