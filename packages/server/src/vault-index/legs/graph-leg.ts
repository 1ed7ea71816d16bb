import type { SlotTest } from '../live.ts'
import { findMentions } from './mentions.ts'
import { byScore, type RankedSlot } from './top-slots.ts'
import { newerFirst, type VaultIndex } from '../vault-index.ts'

/**
 * Measurements are recall@10 / nDCG@10 / all evidence in the first ten on 2WikiMultihop, notes linked by mentions alone;
 * all as below: 95.5/86.6/92.1.
 */

/** Hits whose links are followed. 3: 94.8/87.4/89.1; 6: 96.0/86.2/93.1; 8: 95.5/85.5/92.1. */
const seedCount = 5
/**
 * Part of a hit's fused score that a linked item gets, and one that names it or that it names. 0.7: 95.3/83.3/91.1; 1.0:
 * 95.0/86.9/91.1.
 */
const lentShare = 0.9
/**
 * The same for items that tell of the same thing. With the names in the texts as entities, recall@10 for 0, 0.3, 0.5, 0.9:
 * LoCoMo 74.8, 75.0, 75.0, 74.5; LifeBench 50.2, 50.7, 50.8, 48.8; LongMemEval 86.0, 85.5, 85.8, 83.5.
 */
const akinShare = 0.3
/** What is lent never lifts an item over this part of the hit's own score. Without: nDCG@10 82.9. */
const greatestShare = 0.95

/** One hop from a hit: to whom, with which share, and over how many links it is divided. */
interface Hop {
  slot: number
  share: number
  degree: number
}

/**
 * One hop over links and mentions, in both directions, from the best of `fused` (scores of the two legs): the items reached,
 * best first, each with the most that one hit lends it. A hit's share is divided by the root of half the number of its links
 * to what is live: a hub says little about each. Two hops added nothing on two- and four-hop questions.
 *
 * `faint` are those of the fused that are no hits: they lend nothing, and none moves up into their place, but they may borrow.
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
  // What a filter leaves out counts where the caller lifts the filter.
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
    const { neighbours, degree } = links.neighboursOf(slotNodes[seed] as number, tests)
    const from: Hop[] = neighbours.map((node) => ({ slot: index.slotOfNode(node), share: lentShare, degree }))
    // Mentions are divided by the links as well, so that none is stronger than a link that somebody made.
    const named = [...mentioned.values()].filter((isNamed) => isNamed).length
    for (const [slot, isNamed] of mentioned) {
      if (isNamed) from.push({ slot, share: lentShare, degree: degree + named })
      else from.push({ slot, share: akinShare, degree: degree + mentioned.size })
    }
    return [seed, from]
  })
  return new Map(hops)
}
