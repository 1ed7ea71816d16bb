import { quantize } from '../stored/entry.ts'
import type { QueryVector, KeyedQuery } from '../query.ts'
import { type ContextFactor, contextFactor } from './context-factor.ts'
import type { SlotTest } from '../live.ts'
import { type VectorBlock } from '../parts/vectors.ts'
import { none, type SlotOrder } from '../parts/runs.ts'
import { byScore, type RankedSlot, TopSlots } from './top-slots.ts'
import { newerFirst, type VaultIndex } from '../vault-index.ts'

export interface SemanticHit extends RankedSlot {
  /**
   * The cosine of the item's best chunk, or the mean of a short turn and its neighbors if that is greater. The leg ranks
   * by `score`.
   */
  cosine: number
  /** The similarity that the cosine stands for, 0 to 1. */
  similarity: number
  /** Whether the similarity reaches the threshold, or the item stands out among those found. */
  isNear: boolean
  /** The item's nearest chunk, from 0. */
  chunk: number
}

/** Items that a scan picks by their own vectors, and how many of them add their neighbors. More of either changes nothing. */
const firstPass = 100
const lenders = 32

const best = new TopSlots(firstPass)

export interface VectorSearch {
  passes: SlotTest
  /** Whether an item may lend to its neighbors in a run. */
  lends: SlotTest
  threshold: number
  depth: number
}

/**
 * The items nearest in meaning by an exact scan, at most `depth`, including those below the threshold. An item is as near as its best
 * chunk; a short turn as near as the mean of it and its neighbors in the run. Named speakers and dates count as in the words leg: without
 * them this leg alone fell from 65 to 56 points of recall@10 on dialogues and from 40 to 24 on a year of phone records. They never lift
 * an item over the threshold.
 */
export function searchVectors(
  index: VaultIndex,
  query: KeyedQuery,
  vector: QueryVector,
  { passes, lends, threshold, depth }: VectorSearch,
): SemanticHit[] {
  const { calibration } = vector
  const block = index.vectorsOf(vector.modelId, vector.values.length)
  const quantized = quantize(vector.values)
  if (block === undefined || quantized.scale === 0) return []
  const zero = Math.max(0, calibration.knots[0]?.[0] ?? 0)
  const scale = { factor: contextFactor(index, query), zero, ties: newerFirst(index) }
  const least = calibration.toCosine(threshold)
  const hits: SemanticHit[] = []
  const scanned = { block, cosines: block.scan(quantized) }
  for (const slot of addNeighbors(index, pickFirst(scanned, scale, passes), passes)) {
    const { cosine: own, chunk } = nearestChunk(scanned, slot)
    const inTurn = cosineInTurn(index, scanned, { slot, own }, lends)
    const cosine = Math.max(own, inTurn)
    // Without any similarity it isn't a hit, whatever the threshold.
    if (cosine <= zero) continue
    const score = scoreOf(scale, slot, inTurn)
    hits.push({ slot, score, cosine, similarity: calibration.toSimilarity(cosine), isNear: cosine >= least, chunk })
  }
  return hits.toSorted(byScore(scale.ties)).slice(0, depth)
}

/** Turns cosines into scores and breaks ties. */
interface Scale {
  factor: ContextFactor
  /**
   * The largest cosine that counts as no similarity, where scores begin at 0. Otherwise the factors would outweigh a
   * model for which all texts are near. With each vault's own smallest cosine instead: 78.1/60.3 for 78.2/60.2 on LoCoMo,
   * the others within 0.2.
   */
  zero: number
  ties: SlotOrder
}

const scoreOf = ({ factor, zero }: Scale, slot: number, cosine: number): number =>
  (Math.max(0, cosine - zero) / (1 - zero)) * factor.of(slot)

/** Rounding must not rule out an item with just that score, because ties decide between equal ones. */
const slack = 1 - 1e-9

/** Items below this cosine can't reach the score. `zero` for -Infinity, the floor of a heap that isn't full. */
const leastCosine = ({ factor, zero }: Scale, score: number): number =>
  zero + Math.max(0, (score / factor.greatest) * (1 - zero) * slack)

/**
 * The best items by their own vectors; an item's best chunk counts. A guessed minimum cosine skips most items, because each lookup costs
 * cache misses. If the guess was too high, the result still gives a safe minimum for a second pass.
 */
function pickFirst(scanned: Scanned, scale: Scale, passes: SlotTest): number[] {
  const guess = leastCosine(scale, guessFloor(scanned, scale))
  const bound = fillBest(scanned, scale, passes, guess)
  if (bound < guess) fillBest(scanned, scale, passes, bound)
  return best.take().map(({ slot }) => slot)
}

/** Offers all items from `floor` on. Returns the cosine below which nothing can be among the best. */
function fillBest({ block, cosines }: Scanned, scale: Scale, passes: SlotTest, floor: number): number {
  best.start(firstPass, scale.ties)
  let least = floor
  const rows = block.rowsFrom(floor)
  for (let at = 0; at < rows.length;) {
    const slot = block.rowSlots[rows[at] as number] as number
    let cosine = cosines[rows[at++] as number] as number
    // The rows of an item are adjacent, and skipped rows aren't its nearest.
    for (; at < rows.length && block.rowSlots[rows[at] as number] === slot; at++)
      cosine = Math.max(cosine, cosines[rows[at] as number] as number)
    if (cosine < least) continue
    const score = scoreOf(scale, slot, cosine)
    if (score < best.floor || !passes(slot)) continue
    best.offer(slot, score)
    least = Math.max(floor, leastCosine(scale, best.floor))
  }
  return leastCosine(scale, best.floor)
}

/** Samples every 32nd row: the 8th best of the sample estimates the 256th best of all. */
const sampleStep = 32
const sampleDepth = 8
const sample = new TopSlots(sampleDepth)
const anyOrder = () => 0

/**
 * By score, because items of a date that the question names count double. A guess by cosine was always too high for such a question, and
 * the second pass examined 30,000 of 100,000 rows; now 7,000 are examined in one pass.
 */
function guessFloor({ block, cosines }: Scanned, scale: Scale): number {
  sample.start(sampleDepth, anyOrder)
  let least = scale.zero
  for (let row = 0; row < cosines.length; row += sampleStep) {
    const cosine = cosines[row] as number
    if (cosine < least) continue
    sample.offer(row, scoreOf(scale, block.rowSlots[row] as number, cosine))
    least = leastCosine(scale, sample.floor)
  }
  return sample.floor
}

function addNeighbors(index: VaultIndex, slots: readonly number[], passes: SlotTest): Set<number> {
  const { previous, next } = index.parts.runs
  const pool = new Set(slots)
  for (const slot of slots.slice(0, lenders).filter(index.parts.facts.isTurn)) {
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

/**
 * Short turns of a conversation say little on their own: an answer lacks the words of its question. So a turn's cosine is averaged with
 * those of its neighbors in the run. The mean is computed for each question and nothing is stored, so removed, archived and late turns
 * take effect in the next search. Facts are complete by themselves: with their neighbors in the run at 0.3, the facts of LoCoMo gained
 * 0.3 of recall@10, and where the facts of a run have nothing in common, paraphrases lost 12.
 *
 * Figures are recall@10 / nDCG@10 of the whole search at a threshold of 0.2 on LoCoMo and on the project's own set, where turns and single facts share
 * vaults: without neighbors 77.8/60.2 and 91.3/79.7. Measured with an earlier fusion: the cosine of the normalized mean of the vectors is
 * half a point better on LoCoMo, but costs the own set 3 and its paraphrases 17, because it ranks turns before single facts, whose vectors
 * are not means; the sum of the cosines lost 17 points of nDCG@10 on LongMemEval.
 *
 * This is a neighbor's weight; the turn's own is 1. With 0.25: 79.0/60.8 and 92.2/80.2; 0.5: 79.3/61.2 and 93.0/80.4; 0.75: 79.4/61.3 and 93.0/80.4.
 */
const neighborShare = 0.5
/** Words of a short turn without stop words, about 80 as written. Half of it costs a point on LoCoMo; 60 costs LongMemEval 0.4. */
const maxTurnWords = 40

/** The vectors of a model, and the question's cosine with each row. */
interface Scanned {
  block: VectorBlock
  cosines: Float32Array
}

/**
 * The mean of a turn's cosine (`own`) and those of the neighbors that `lends` admits. Returns `own` if the item or all neighbors aren't
 * short turns with vectors.
 */
function cosineInTurn(
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
    sum += neighborShare * (cosines[row] as number)
    weight += neighborShare
  }
  return sum / weight
}

/** The single row of a short turn, or -1. */
function turnRow({ parts: { facts, words } }: VaultIndex, block: VectorBlock, slot: number): number {
  if (!facts.isTurn(slot)) return none
  if (words.lengthOf(slot) - (words.headerLengths[slot] as number) > maxTurnWords) return none
  return block.onlyRowOf(slot)
}
