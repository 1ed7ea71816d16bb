import type { SlotTest } from '../live.ts'
import { findMentions } from './mentions.ts'
import { byScore, type RankedSlot } from './top-slots.ts'
import { newerFirst, type VaultIndex } from '../vault-index.ts'

/**
 * Measurements are recall@10 / nDCG@10 / all evidence in the first ten of whole searches at a threshold of 0.2 on 2WikiMultihop, with notes linked only by
 * mentions, and recall@10 / nDCG@10 on the own set. With the values below: 98.5/90.9/97.0 and 93.0/80.4.
 */

/** Best hits whose links are followed. 3: 96.0/90.2/91.1 and 92.7/80.4; 8: the same and 92.7/80.2. */
const seedCount = 5
/** Share of a hit's fused score for an item that is linked to it, mentions it or is mentioned by it. 0.7: 97.8/90.2/95.0; 1: 98.0/90.9/97.0. */
const lentShare = 0.9
/** The same for items about the same entity. The own set with 0 92.8/80.4, with 0.6 92.1/80.1. */
const akinShare = 0.3
/** A borrowed score never raises an item above this share of the hit's own score. Without this: nDCG@10 89.7 and 80.0. */
const greatestShare = 0.95

/** One hop from a hit: its target, the share, and the number of links that divide it. */
interface Hop {
  slot: number
  share: number
  degree: number
}

/**
 * Follows links and mentions in both directions from the best of `fused` (scores of the other two legs). Returns the items reached, best
 * first, each with the largest score that one hit lends it. A hit's share is divided by the square root of half the number of its live
 * links, because a hub says little about each neighbor. A second hop added nothing on two- and four-hop questions.
 *
 * `faint` are fused items that aren't hits. They lend nothing and no other item takes their place, but they may borrow.
 */
export function expandLinks(
  index: VaultIndex,
  { fused, faint }: { fused: ReadonlyMap<number, number>; faint: ReadonlySet<number> },
  { passes, lends }: { passes: SlotTest; lends: SlotTest },
): RankedSlot[] {
  const order = byScore(newerFirst(index))
  const best = Array.from(fused, ([slot, score]) => ({ slot, score })).toSorted(order)
  const seeds = best.slice(0, seedCount).filter(({ slot }) => !faint.has(slot))
  const lentScores = new Map<number, number>()
  // An item outside the filter still counts if `lends` admits it.
  const hops = hopsFrom(index, seeds, passes, (slot) => lends(slot) || passes(slot))
  for (const { slot: seed, score: seedScore } of seeds) {
    for (const { slot, share, degree } of hops.get(seed) ?? []) {
      if (slot === seed || !passes(slot)) continue
      const own = fused.get(slot) ?? 0
      const offered = (share * seedScore) / Math.sqrt(Math.max(1, degree / 2))
      const lent = own < seedScore ? Math.min(offered, greatestShare * seedScore - own) : offered
      if (lent > (lentScores.get(slot) ?? 0)) lentScores.set(slot, lent)
    }
  }
  return Array.from(lentScores, ([slot, score]) => ({ slot, score })).toSorted(order)
}

function hopsFrom(
  index: VaultIndex,
  seeds: readonly RankedSlot[],
  passes: SlotTest,
  counts: SlotTest,
): Map<number, Hop[]> {
  const { links, slotNodes } = index.parts
  const ofNode = (test: SlotTest) => (node: number) => {
    const slot = index.slotOfNode(node)
    return slot >= 0 && test(slot)
  }
  const tests = { isWanted: ofNode(passes), counts: ofNode(counts) }
  const mentions = findMentions(
    index,
    seeds.map(({ slot }) => slot),
    counts,
  )
  const hops = Array.from(mentions, ([seed, mentioned]): [number, Hop[]] => {
    const { neighbors, degree } = links.neighborsOf(slotNodes[seed] as number, tests)
    const from: Hop[] = neighbors.map((node) => ({ slot: index.slotOfNode(node), share: lentShare, degree }))
    // Mentions are also divided by the links, so none is stronger than an explicit link.
    const named = [...mentioned.values()].filter((isNamed) => isNamed).length
    for (const [slot, isNamed] of mentioned) {
      if (isNamed) from.push({ slot, share: lentShare, degree: degree + named })
      else from.push({ slot, share: akinShare, degree: degree + mentioned.size })
    }
    return [seed, from]
  })
  return new Map(hops)
}
