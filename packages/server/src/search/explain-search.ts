import { contextFactor } from '../vault-index/legs/context-factor.ts'
import { type KeyedQuery, inverseFrequency, resolveTerms } from '../vault-index/query.ts'
import { livenessTest, type SearchFilter, type WantedItems, wantedTest } from '../vault-index/live.ts'
import type { RankedSlot } from '../vault-index/legs/top-slots.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { type ItemScore, itemScores } from './explain-item.ts'
import { likenessOf, rankConstant } from './rank.ts'
import { legDepth, type Ranking, rankSlots, resultOf, type SearchRequest, type SearchResult } from './search-index.ts'

/**
 * Explains a search: what made the score of each hit, and why other items are missing. Hits are ranked by the same function
 * as in a search without explanation. A second search, without filters and threshold, finds the missing items. Pure over
 * the index.
 */

/** Why a filter leaves an item out. `later`: it is from a later time than the question. `filtered`: by the caller's filters. */
const filterStages = ['archived', 'expired', 'superseded', 'later', 'filtered'] as const

type FilterStage = (typeof filterStages)[number]

/**
 * - the stages of `FilterStage`
 * - `threshold`: not similar enough, and not found by words or links
 * - `depth`: too far down each leg's list
 * - `topK`: found, but its score is too low for the number of hits asked for
 * - `diversity`: its score is high enough, but it resembles a better hit
 * - `reranked`: a model that read it found others more relevant
 * - `unmatched`: no words, meaning or links lead to it
 * - `unknown`: the vault has no such record
 */
export const lostStages = [
  ...filterStages,
  'threshold',
  'depth',
  'topK',
  'diversity',
  'reranked',
  'unmatched',
  'unknown',
] as const

type LostStage = (typeof lostStages)[number]

export interface LostItem {
  itemId: string
  stage: LostStage
  /** Includes the figure that decided. */
  reason: string
  /** Similarity to the question; null if it was not compared. */
  similarity: number | null
  /** Null if it was never ranked. */
  details: ItemScore | null
  /** With `diversity`: the hit that it resembles. */
  resemblesId?: string
}

export interface Explanation {
  details: ReadonlyMap<string, ItemScore>
  /** In the order of `KeyedQuery.tags`. */
  words: AskedWord[]
  coverage: number
  semanticWeight: number
  blindWeight: number
  /** The best scores of the two lists; null for an empty list. */
  semanticBest: number | null
  blindBest: number | null
  rankConstant: number
  legDepth: number
  /** Undefined if the question has no vector. */
  thresholdCosine: number | undefined
  /** The best items that are not in the answer, best first. */
  lost: LostItem[]
  /** The asked items that are not in the answer, in the order asked. */
  asked: LostItem[]
}

/** How many missing items are explained without being asked for. */
export const lostCount = 20

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
      semanticBest: ranking.semantic[0]?.score ?? null,
      blindBest: ranking.words.ranked[0]?.score ?? null,
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
  /** The search without threshold, and without filters too. Items found only there were cut. */
  uncut: Ranking
  unfiltered: Ranking
}

function detailsOf({ index, scoreOf }: Explained, slot: number): [string, ItemScore][] {
  const details = scoreOf(slot)
  return details === undefined ? [] : [[index.itemIdOf(slot), details]]
}

const holds = (ranked: readonly RankedSlot[], slot: number): boolean => ranked.some((item) => item.slot === slot)

const isChosen = ({ chosen }: Ranking, slot: number): boolean => chosen.some(({ hit }) => hit.slot === slot)

/** Found, or reached by links beyond the counted ones. */
const isReached = ({ candidates, linked }: Ranking, slot: number): boolean =>
  holds(candidates, slot) || holds(linked, slot)

/** Ordered as without filters. Items reachable only through another missing item are left out. */
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
  // Only these items, so every list has room for them.
  const alone = rankSlots(index, uncut, (slot) => slots.has(slot))
  return askedIds.flatMap((itemId) => {
    const slot = index.slotOf(itemId)
    if (slot < 0) return [{ itemId, stage: 'unknown', reason: 'no such record', similarity: null, details: null }]
    return isChosen(ranking, slot) ? [] : [explainLoss(search, alone, slot)]
  })
}

/** `wide`: a search that leaves nothing out. */
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
    ? { stage: 'threshold', reason: 'only links from items under the threshold lead to it' }
    : { stage: 'unmatched', reason: 'nothing leads to it: no words, no meaning, and no links from the best hits' }
}

function explainRank(
  { index, request, ranking }: Explained,
  slot: number,
  { place, score }: ItemScore,
): Pick<LostItem, 'stage' | 'reason' | 'resemblesId'> {
  const taken = ranking.chosen.map(({ hit }) => hit)
  if (place > request.topK) {
    const least = Math.min(...taken.map((hit) => hit.score))
    const ranked = `place ${place} by score: ${figure(score)}`
    return {
      stage: 'topK',
      reason:
        score > least
          ? `${ranked}; diversity put a hit with ${figure(least)} before it`
          : `${ranked}; the last hit has ${figure(least)}`,
    }
  }
  const { itemId, likeness } = findMostSimilar(index, slot, taken)
  const reason = `place ${place} by score, but its likeness to ${itemId} is ${figure(likeness)}`
  return { stage: 'diversity', reason, resemblesId: itemId }
}

function findMostSimilar(
  index: VaultIndex,
  slot: number,
  taken: readonly RankedSlot[],
): { itemId: string; likeness: number } {
  const slots = [slot, ...taken.map((hit) => hit.slot)]
  const likeness = likenessOf(index, slots)
  const likest = taken.map((hit, at) => ({ itemId: index.itemIdOf(hit.slot), likeness: likeness(0, at + 1) }))
  return likest.reduce((most, other) => (other.likeness > most.likeness ? other : most))
}

const figure = (value: number): string => value.toFixed(3)

/** One of the question's words, in the order of `KeyedQuery.tags`. */
interface AskedWord {
  /** Its share of the weight of all the question's words, 0 to 1: the rarer in the vault, the higher. */
  weight: number
  /** Whether the search used it: some record has it, and fewer than 32 words of the question are rarer. */
  isCounted: boolean
  /** Whether it is the name of a speaker in the vault. */
  isSpeaker: boolean
}

/** How the words leg uses the question's words in this vault. */
function explainWords(index: VaultIndex, query: KeyedQuery): AskedWord[] {
  const { terms, documentCounts, liveSlots } = index.parts.words
  const asked = resolveTerms(index, query)
  const counted = new Set(asked.terms)
  const speakers = contextFactor(index, query).speakers
  return Array.from({ length: query.tags.length / 2 }, (_, place) => {
    const term = terms.find(query.tags, place * 2)
    const holding = term < 0 ? 0 : (documentCounts[term] as number)
    return {
      weight: inverseFrequency(liveSlots, holding) / asked.totalWeight,
      isCounted: counted.has(term),
      isSpeaker: speakers.has(term),
    }
  })
}

interface FilteredOut {
  /** The first reason. */
  stage: FilterStage
  /** All reasons, in words. */
  reason: string
}

/** Undefined if the item passes the filter. The index's own tests decide; this finds which part of them failed. */
function explainFilter(index: VaultIndex, filter: SearchFilter, slot: number): FilteredOut | undefined {
  const causes = livenessTest(index, filter)(slot) ? [] : livenessCauses(index, filter, slot)
  const failed = wantedParts(index, filter).filter(({ alone }) => !wantedTest(index, alone)(slot))
  if (failed.length > 0) {
    const names = failed.map(({ name }) => name).join(', ')
    causes.push({ stage: 'filtered', reason: `excluded by the filter on ${names}` })
  }
  const [first] = causes
  return first && { stage: first.stage, reason: causes.map(({ reason }) => reason).join('; ') }
}

function livenessCauses(index: VaultIndex, filter: SearchFilter, slot: number): FilteredOut[] {
  const { includeArchived, asOf, isRetrospective } = filter
  const { archived, expiresAt, supersededAt } = index.parts.facts.arrays
  const [expiry, supersession] = [expiresAt[slot] as number, supersededAt[slot] as number]
  const causes: FilteredOut[] = []
  if (!includeArchived && archived[slot] === 1) causes.push({ stage: 'archived', reason: 'archived' })
  if (!includeArchived && expiry <= asOf) causes.push({ stage: 'expired', reason: `expired at ${timeOf(expiry)}` })
  if (isRetrospective ? supersession <= asOf : supersession !== Infinity)
    causes.push({ stage: 'superseded', reason: `superseded at ${timeOf(supersession)}` })
  else if (!livenessTest(index, { ...filter, includeArchived: true })(slot))
    causes.push({ stage: 'later', reason: `later than asOf, ${timeOf(asOf)}` })
  return causes
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

/** The parts of a filter except liveness, one at a time. */
function wantedParts(index: VaultIndex, filter: SearchFilter): { name: string; alone: WantedItems }[] {
  const { kinds, types, minImportance, entityTags, createdAfter, createdBefore, itemIds } = filter
  const any = { kinds: index.parts.facts.kindCodes.names }
  const stored = { createdAfter: createdAfter ?? -Infinity, createdBefore: createdBefore ?? Infinity }
  return [
    { name: 'kind of record', alone: { kinds } },
    { name: 'type', alone: { ...any, ...(types && { types }) } },
    { name: 'importance', alone: { ...any, ...(minImportance !== undefined && { minImportance }) } },
    { name: 'entities', alone: { ...any, ...(entityTags && { entityTags }) } },
    { name: 'time of storing', alone: { ...any, ...stored } },
    { name: 'folder or tags', alone: { ...any, ...(itemIds && { itemIds }) } },
  ]
}
