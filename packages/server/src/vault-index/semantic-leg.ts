import type { Calibration } from '../embeddings/calibration.ts'
import type { ContextFactor } from './context-factor.ts'
import { contextFactor } from './context-factor.ts'
import type { KeyedQuery } from './keyed-query.ts'
import type { SlotTest } from './live.ts'
import { quantise } from './quantise.ts'
import { none } from './runs.ts'
import type { SlotOrder } from './slot-order.ts'
import { byScore, newerFirst } from './slot-order.ts'
import type { RankedSlot } from './top-slots.ts'
import { TopSlots } from './top-slots.ts'
import { cosineInTurn, type Scanned } from './turn-mix.ts'
import type { VaultIndex } from './vault-index.ts'

/** The question's vector, and the model that made it: only items with vectors of the same model are compared. */
export interface QueryVector {
  modelId: string
  values: ArrayLike<number>
  /** What that model's cosines mean. */
  calibration: Calibration
}

export interface SemanticHit extends RankedSlot {
  /** With the item's best chunk, or on the mean of a short turn and its neighbours, whichever is greater. The leg ranks by `score`. */
  cosine: number
  /** What that cosine means, 0 to 1. */
  similarity: number
  /** Whether that is at least the threshold. */
  isNear: boolean
  /** Which of the item's chunks is nearest, from 0. */
  chunk: number
}

/** Items that a scan picks by their own vectors, and how many of them bring in their neighbours. More of either change nothing. */
const firstPass = 100
const lenders = 32

const best = new TopSlots(firstPass)

export interface VectorSearch {
  passes: SlotTest
  /** Whether an item's neighbors in its run count for it. */
  lends: SlotTest
  threshold: number
  depth: number
}

/**
 * The items nearest in meaning, at most `depth` of them, also those under the threshold: an exact scan, an item as near as its
 * best chunk, a short turn as it and its neighbours in the run are on the mean. Named speakers and dates count here as in the
 * words leg: without them this leg alone fell from 65 to 56 points of recall@10 on dialogues and from 40 to 24 on a year of
 * phone records, but they lift nothing over the threshold.
 */
export function searchVectors(
  index: VaultIndex,
  query: KeyedQuery,
  vector: QueryVector,
  { passes, lends, threshold, depth }: VectorSearch,
): SemanticHit[] {
  const { calibration } = vector
  const block = index.vectorsOf(vector.modelId, vector.values.length)
  const quantised = quantise(vector.values)
  if (block === undefined || quantised.scale === 0) return []
  const zero = Math.max(0, calibration.knots[0]?.[0] ?? 0)
  const scale = { factor: contextFactor(index, query), zero, ties: newerFirst(index) }
  const least = calibration.toCosine(threshold)
  const hits: SemanticHit[] = []
  const scanned = { block, cosines: block.scan(quantised) }
  for (const slot of addNeighbours(index, pickFirst(scanned, scale, passes), passes)) {
    const { cosine: own, chunk } = nearestChunk(scanned, slot)
    const inTurn = cosineInTurn(index, scanned, { slot, own }, lends)
    const cosine = Math.max(own, inTurn)
    // What says nothing in common is no hit, whatever the threshold.
    if (cosine <= zero) continue
    const score = scoreOf(scale, slot, inTurn)
    hits.push({ slot, score, cosine, similarity: calibration.toSimilarity(cosine), isNear: cosine >= least, chunk })
  }
  return hits.toSorted(byScore(scale.ties)).slice(0, depth)
}

/** What makes scores of cosines, and orders equal ones. */
interface Scale {
  factor: ContextFactor
  /**
   * The greatest cosine that means nothing: scores go from 0 there to 1, or the factors would outweigh a model to which all
   * texts are near. Over each vault's own least cosine instead: 78.1/60.3 for 78.2/60.2 on LoCoMo, the rest within 0.2.
   */
  zero: number
  ties: SlotOrder
}

const scoreOf = ({ factor, zero }: Scale, slot: number, cosine: number): number =>
  (Math.max(0, cosine - zero) / (1 - zero)) * factor.of(slot)

/**
 * The best by their own vectors, an item's best chunk counting. A guess keeps most items from being looked at: each look
 * costs some cache misses. Where it was too high, what it found still tells below which cosine nothing can get in.
 */
function pickFirst(scanned: Scanned, scale: Scale, passes: SlotTest): number[] {
  const guess = Math.max(scale.zero, guessFloor(scanned.cosines))
  const bound = fillBest(scanned, scale, passes, guess)
  if (bound < guess) fillBest(scanned, scale, passes, bound)
  return best.take().map(({ slot }) => slot)
}

/** Offers all items from `floor` on; answers below which cosine nothing can be among the best. */
function fillBest({ block, cosines }: Scanned, scale: Scale, passes: SlotTest, floor: number): number {
  best.start(firstPass, scale.ties)
  // Below it no item can get in. -Infinity, thus 0, until there are enough.
  const greatestFloor = (): number => scale.zero + Math.max(0, (best.floor / scale.factor.greatest) * (1 - scale.zero))
  let least = floor
  const rows = block.rowsFrom(floor)
  for (let at = 0; at < rows.length;) {
    const slot = block.rowSlots[rows[at] as number] as number
    let cosine = cosines[rows[at++] as number] as number
    // An item's rows lie together; those that are left out are none of its nearest.
    for (; at < rows.length && block.rowSlots[rows[at] as number] === slot; at++)
      cosine = Math.max(cosine, cosines[rows[at] as number] as number)
    if (cosine < least) continue
    const score = scoreOf(scale, slot, cosine)
    if (score < best.floor || !passes(slot)) continue
    best.offer(slot, score)
    least = Math.max(floor, greatestFloor())
  }
  return greatestFloor()
}

/** Of each so many rows one is looked at; the cosine of the so-manieth of them lies, by chance, near that of the 256th of all. */
const sampleStep = 32
const sampleDepth = 8
const sample = new TopSlots(sampleDepth)
const anyOrder = () => 0

function guessFloor(cosines: Float32Array): number {
  sample.start(sampleDepth, anyOrder)
  for (let row = 0; row < cosines.length; row += sampleStep)
    if ((cosines[row] as number) > sample.floor) sample.offer(row, cosines[row] as number)
  return sample.floor
}

function addNeighbours(index: VaultIndex, slots: readonly number[], passes: SlotTest): Set<number> {
  const { previous, next } = index.parts.runs
  const pool = new Set(slots)
  for (const slot of slots.slice(0, lenders)) {
    for (const near of [previous[slot] as number, next[slot] as number])
      if (near !== none && passes(near)) pool.add(near)
  }
  return pool
}

/** -1 for an item without vectors. */
function nearestChunk({ block, cosines }: Scanned, slot: number): { cosine: number; chunk: number } {
  const first = block.firstRowOf(slot)
  const nearest = { cosine: -1, chunk: 0 }
  if (first < 0) return nearest
  for (let row = first; row < cosines.length && block.rowSlots[row] === slot; row++) {
    const cosine = cosines[row] as number
    if (cosine > nearest.cosine) Object.assign(nearest, { cosine, chunk: row - first })
  }
  return nearest
}
