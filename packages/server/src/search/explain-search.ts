import { wantedTest } from '../vault-index/live.ts'
import type { RankedSlot } from '../vault-index/legs/top-slots.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { explainFilter, filterStages } from './explain-filters.ts'
import { itemScores, type ItemScore } from './explain-item.ts'
import { explainWords, type AskedWord } from './explain-question.ts'
import { rankConstant, likenessOf } from './rank.ts'
import { legDepth, rankSlots, resultOf, type Ranking, type SearchRequest, type SearchResult } from './search-index.ts'

/**
 * Why a search answers as it does: of each hit what made its score, of others what kept them out. The same function ranks
 * here and in a search that nobody asks about; what would have been found without filters, threshold and the others is
 * a second search. Pure over the index.
 */

/**
 * - the stages of `FilterStage`
 * - `threshold`: not similar enough, and found in no other way
 * - `depth`: so far down each leg's list that it was cut
 * - `topK`: found, but its place by score is behind the last that was asked for
 * - `diversity`: its score would have been enough, but it says what a better one says
 * - `unmatched`: neither words nor meaning nor links lead to it
 * - `unknown`: the vault has no such record
 */
export const lostStages = [...filterStages, 'threshold', 'depth', 'topK', 'diversity', 'unmatched', 'unknown'] as const

export type LostStage = (typeof lostStages)[number]

export interface LostItem {
  itemId: string
  stage: LostStage
  /** With the figure that decided. */
  reason: string
  /** Cosine's meaning, where it was compared. */
  similarity: number | null
  /** Of what was found and then lost; null where it was never ranked. */
  details: ItemScore | null
}

export interface Explanation {
  details: ReadonlyMap<string, ItemScore>
  /** In the order of `KeyedQuery.tags`. */
  words: AskedWord[]
  coverage: number
  semanticWeight: number
  blindWeight: number
  rankConstant: number
  legDepth: number
  /** Undefined where the question has no vector. */
  thresholdCosine: number | undefined
  /** The best that are not in the answer, best first. */
  lost: LostItem[]
  /** Those of the asked items that are not in the answer, in the order of asking. */
  asked: LostItem[]
}

/** Losers that are told without being asked for. */
const lostCount = 20

export function explainSearch(
  index: VaultIndex,
  request: SearchRequest,
  askedIds: readonly string[],
): { result: SearchResult; explanation: Explanation } {
  const ranking = rankSlots(index, request)
  const uncut = { ...request, threshold: 0, diversity: 0 }
  const isOfKind = wantedTest(index, { kinds: request.filter.kinds })
  const search: Explained = {
    index,
    request,
    ranking,
    scoreOf: itemScores(index, request, ranking),
    uncut: rankSlots(index, uncut),
    unfiltered: rankSlots(index, uncut, (slot) => index.alive[slot] === 1 && isOfKind(slot)),
  }
  return {
    result: resultOf(index, ranking),
    explanation: {
      details: new Map(ranking.chosen.flatMap(({ hit }) => detailsOf(search, hit.slot))),
      words: explainWords(index, request.query),
      coverage: ranking.words.coverage,
      semanticWeight: ranking.semanticWeight,
      blindWeight: 1 - ranking.semanticWeight,
      rankConstant,
      legDepth,
      thresholdCosine: request.vector?.calibration.toCosine(request.threshold),
      lost: explainLosers(search),
      asked: explainAsked(search, uncut, askedIds),
    },
  }
}

interface Explained {
  index: VaultIndex
  request: SearchRequest
  ranking: Ranking
  scoreOf: (slot: number) => ItemScore | undefined
  /** The same without threshold, and that without filters: what is found there and not in the ranking was cut. */
  uncut: Ranking
  unfiltered: Ranking
}

function detailsOf({ index, scoreOf }: Explained, slot: number): [string, ItemScore][] {
  const details = scoreOf(slot)
  return details === undefined ? [] : [[index.itemIdOf(slot), details]]
}

const holds = (ranked: readonly RankedSlot[], slot: number): boolean => ranked.some((item) => item.slot === slot)

const isChosen = ({ chosen }: Ranking, slot: number): boolean => chosen.some(({ hit }) => hit.slot === slot)

/** Found, or by links behind those that are counted. */
const isReached = ({ candidates, linked }: Ranking, slot: number): boolean =>
  holds(candidates, slot) || holds(linked, slot)

/** In the order in which they would come without filters; what only another loser leads to is none. */
function explainLosers(search: Explained): LostItem[] {
  const { ranking, uncut, unfiltered } = search
  const losers: LostItem[] = []
  for (const { slot } of unfiltered.candidates) {
    if (losers.length === lostCount) break
    if (isChosen(ranking, slot)) continue
    const lost = explainLoss(search, unfiltered, slot)
    if (isFiltered(lost) || isReached(uncut, slot)) losers.push(lost)
  }
  return losers
}

function explainAsked(search: Explained, uncut: SearchRequest, askedIds: readonly string[]): LostItem[] {
  const { index, ranking } = search
  if (askedIds.length === 0) return []
  const slots = new Set(askedIds.map((itemId) => index.slotOf(itemId)))
  // They alone, so that no list is too short for them.
  const alone = rankSlots(index, uncut, (slot) => slots.has(slot))
  return askedIds.flatMap((itemId) => {
    const slot = index.slotOf(itemId)
    if (slot < 0) return [{ itemId, stage: 'unknown', reason: 'no such record', similarity: null, details: null }]
    return isChosen(ranking, slot) ? [] : [explainLoss(search, alone, slot)]
  })
}

/** `wide`: a search in which nothing keeps the item out. */
function explainLoss(search: Explained, wide: Ranking, slot: number): LostItem {
  const { index, request, scoreOf, uncut } = search
  const found = [uncut, wide].find(({ candidates }) => holds(candidates, slot))
  const similarity = found?.semantic.find((hit) => hit.slot === slot)?.similarity ?? null
  const lost = { itemId: index.itemIdOf(slot), similarity, details: scoreOf(slot) ?? null }
  const filtered = explainFilter(index, request.filter, slot)
  if (filtered !== undefined) return { ...lost, ...filtered }
  if (lost.details !== null) return { ...lost, ...explainRank(search, slot, lost.details) }
  return { ...lost, ...explainCut(search, found, slot, similarity) }
}

const isFiltered = ({ stage }: LostItem): boolean => filterStages.some((filterStage) => filterStage === stage)

function explainCut(
  { request: { threshold }, ranking, uncut }: Explained,
  found: Ranking | undefined,
  slot: number,
  similarity: number | null,
): Pick<LostItem, 'stage' | 'reason'> {
  const isWorded = found !== undefined && holds(found.words.ranked, slot)
  if (isWorded || (similarity !== null && similarity >= threshold) || holds(ranking.linked, slot))
    return { stage: 'depth', reason: `not among the first ${legDepth} of a leg` }
  if (similarity !== null)
    return { stage: 'threshold', reason: `similarity ${figure(similarity)} is under ${figure(threshold)}` }
  return holds(uncut.linked, slot)
    ? { stage: 'threshold', reason: 'only links of what is under the threshold lead to it' }
    : { stage: 'unmatched', reason: 'neither its words nor its meaning nor links of the best hits lead to it' }
}

function explainRank(
  { index, request, ranking }: Explained,
  slot: number,
  { place, score }: ItemScore,
): Pick<LostItem, 'stage' | 'reason'> {
  const taken = ranking.chosen.map(({ hit }) => hit)
  if (place > request.topK) {
    const least = Math.min(...taken.map((hit) => hit.score))
    const ranked = `place ${place} by score: ${figure(score)}`
    return {
      stage: 'topK',
      reason:
        score > least
          ? `${ranked}; for the sake of diversity one with ${figure(least)} was taken before it`
          : `${ranked}, and the least taken has ${figure(least)}`,
    }
  }
  const { itemId, likeness } = likestOf(index, slot, taken)
  return { stage: 'diversity', reason: `place ${place} by score, but its likeness to ${itemId} is ${figure(likeness)}` }
}

function likestOf(index: VaultIndex, slot: number, taken: readonly RankedSlot[]): { itemId: string; likeness: number } {
  const slots = [slot, ...taken.map((hit) => hit.slot)]
  const likeness = likenessOf(index, slots)
  const likest = taken.map((hit, at) => ({ itemId: index.itemIdOf(hit.slot), likeness: likeness(0, at + 1) }))
  return likest.reduce((most, other) => (other.likeness > most.likeness ? other : most))
}

const figure = (value: number): string => value.toFixed(3)
