import { contextFactor } from './context-factor.ts'
import type { KeyedQuery } from './keyed-query.ts'
import type { SlotTest } from './live.ts'
import type { QuantisedVector } from './quantise.ts'
import { quantise } from './quantise.ts'
import type { RankedSlot } from './top-slots.ts'
import { TopSlots } from './top-slots.ts'
import type { VaultIndex } from './vault-index.ts'
import type { VectorBlock } from './vectors.ts'

/** The question's vector, and the model that made it: only items with vectors of the same model are compared. */
export interface QueryVector {
  modelId: string
  values: ArrayLike<number>
}

export interface SemanticHit extends RankedSlot {
  /** Cosine with the item's best chunk; `score` is what the leg ranks by. */
  cosine: number
  /** Which of the item's chunks that is, from 0. */
  chunk: number
}

const best = new TopSlots(256)

/**
 * The items nearest in meaning, those with a cosine of at least `threshold`: an exact scan, an item as good as its best
 * chunk. Named speakers and dates count here as in the words leg: without them this leg alone fell from 63 to 55 points
 * of recall@10 on dialogues, but they never lift an item over the threshold.
 */
export function searchVectors(
  index: VaultIndex,
  query: KeyedQuery,
  vector: QueryVector,
  passes: SlotTest,
  { threshold, depth }: { threshold: number; depth: number },
): SemanticHit[] {
  const block = index.vectorsOf(vector.modelId, vector.values.length)
  const quantised = quantise(vector.values)
  if (block === undefined || quantised.scale === 0) return []
  const factor = contextFactor(index, query)
  const bestChunks = new Map<number, { cosine: number; chunk: number }>()
  // What says nothing in common is no hit, whatever the threshold.
  const least = Math.max(threshold, Number.EPSILON)
  best.start(depth)
  eachItem(block, quantised, least, (slot, cosine, chunk) => {
    if (passes(slot)) {
      bestChunks.set(slot, { cosine, chunk })
      best.offer(slot, cosine * factor.of(slot))
    }
    return Math.max(least, best.floor / factor.greatest)
  })
  return best.take().map(({ slot, score }) => ({ slot, score, ...(bestChunks.get(slot) ?? { cosine: 0, chunk: 0 }) }))
}

/**
 * Visits items with the cosine and number of their best chunk (an item's chunks lie together) where it is at least `least`, which
 * is above 0; each visit says what is least from there on.
 */
function eachItem(
  block: VectorBlock,
  query: QuantisedVector,
  least: number,
  visit: (slot: number, cosine: number, chunk: number) => number,
): void {
  let slot = -1
  let cosine = 0
  let slotRow = 0
  let bestRow = 0
  let floor = least
  block.scan(query, (firstRow, cosines) => {
    const { rowSlots } = block
    for (let i = 0; i < cosines.length; i++) {
      const rowSlot = rowSlots[firstRow + i] as number
      const rowCosine = cosines[i] as number
      if (rowSlot === slot) {
        if (rowCosine <= cosine) continue
        cosine = rowCosine
        bestRow = firstRow + i
        continue
      }
      if (cosine >= floor) floor = visit(slot, cosine, bestRow - slotRow)
      slot = rowSlot
      cosine = rowCosine
      slotRow = firstRow + i
      bestRow = slotRow
    }
  })
  if (cosine >= floor) visit(slot, cosine, bestRow - slotRow)
}
