import { findOutdated, outdatedFactor } from './outdated.ts'
import { expandLinks } from '../vault-index/legs/graph-leg.ts'
import type { KeyedQuery, QueryVector } from '../vault-index/query.ts'
import { type SearchFilter, type SlotTest, filterTest, livenessTest } from '../vault-index/live.ts'
import { type SemanticHit, searchVectors } from '../vault-index/legs/semantic-leg.ts'
import { byScore, type RankedSlot } from '../vault-index/legs/top-slots.ts'
import { newerFirst, type VaultIndex } from '../vault-index/vault-index.ts'
import { searchWords, type WordsResult } from '../vault-index/legs/words-leg.ts'
import { decayFactor, importanceFactor, diversify, enoughCoverage, fuse, semanticWeight, likenessOf } from './rank.ts'

/** `semantic`: only vectors; words for items without vectors of the question's model, or if the question has no vector. */
export type SearchLegs = 'all' | 'semantic'

type MatchSource = 'semantic' | 'blind' | 'graph'

export interface SearchRequest {
  query: KeyedQuery
  /** Omitted if there is no vector; then the semantic leg finds nothing. */
  vector?: QueryVector
  filter: SearchFilter
  legs: SearchLegs
  /** Minimum similarity of items found only by their vector. */
  threshold: number
  /** Whether items that stand out are exempt from it. */
  hasExceptions: boolean
  decayHalfLifeDays: number
  /** 0 (off) to 1 (strongest). */
  diversity: number
  /** Whether statements that a newer one may have replaced rank lower. */
  preferNewer: boolean
  topK: number
}

export interface SearchHit {
  itemId: string
  /** Orders the hits before diversity. Only comparable within one result. */
  score: number
  /** Similarity of the best chunk, or of the turn with its neighbors, 0 to 1; null if the semantic leg didn't find the item. */
  similarity: number | null
  /** The best chunk, from 0; null in the same case. */
  chunk: number | null
  matchSources: MatchSource[]
}

export interface SearchResult {
  hits: SearchHit[]
  /** Lengths of the legs' lists: of the semantic list what is near, and the graph's without items that the other legs found. */
  semanticMatchCount: number
  blindIndexMatchCount: number
  graphExpansionCount: number
}

/** Length of a leg's list: twice the largest number of hits. */
export const legDepth = 100

/** The steps of a search, by slot, from which hits and explanations are made. */
export interface Ranking {
  /** Best first, like the next two. */
  semantic: readonly SemanticHit[]
  words: WordsResult
  /** Scores from links, for the first `legDepth` items that they reach. */
  graph: RankedSlot[]
  linked: RankedSlot[]
  /** The semantic list's weight in the fusion; the words' list has the rest of 1. */
  semanticWeight: number
  /** Fused scores of the two lists, without links. */
  fused: ReadonlyMap<number, number>
  /** Items below the threshold that nothing else has found. They are not candidates. */
  faint: ReadonlySet<number>
  /** All items found, best first. */
  candidates: Candidate[]
  chosen: ChosenHit[]
}

export interface Candidate extends RankedSlot {
  /** The fused score plus the score from links. */
  rrf: number
  decay: number
  importance: number
  /** The factor for a statement that a newer one may have replaced, and the slot of that one; otherwise 1 and undefined. */
  outdated: number
  newer: number | undefined
}

interface ChosenHit {
  hit: Candidate
  /** Its value when diversity took it; null if there was no choice. */
  mmr: number | null
}

const noWords: WordsResult = { ranked: [], coverage: 0 }

const slotsOf = (ranked: readonly RankedSlot[]): number[] => ranked.map(({ slot }) => slot)

function runLegs(
  index: VaultIndex,
  { query, vector, filter, legs, threshold, hasExceptions }: SearchRequest,
  passes = filterTest(index, filter),
) {
  const lends = livenessTest(index, filter)
  const nearest =
    vector === undefined ? [] : searchVectors(index, query, vector, { passes, lends, threshold, depth: legDepth })
  const unseen = legs === 'semantic' && vector !== undefined ? unseenBy(index, vector) : undefined
  const byWords = unseen === undefined ? passes : (slot: number) => unseen.test(slot) && passes(slot)
  const words = unseen?.share === 0 ? noWords : searchWords(index, query, { passes: byWords, lends }, legDepth)
  const semantic = legs === 'all' && hasExceptions ? admitOutstanding(nearest, words.coverage) : nearest
  const shared = unseen === undefined ? semanticWeight(words.coverage) : 1 - unseen.share
  // The weight of a leg that found nothing goes to the other.
  const weight = words.ranked.length === 0 ? 1 : semantic.length === 0 ? 0 : shared
  const fused = fuse([
    { weight, ranked: semantic },
    { weight: 1 - weight, ranked: words.ranked },
  ])
  const faint = faintOf(semantic, words.ranked)
  const linked = legs === 'semantic' ? [] : expandLinks(index, { fused, faint }, { passes, lends })
  const graph = linked.slice(0, legDepth)
  for (const { slot } of graph) faint.delete(slot)
  return { semantic, words, graph, linked, semanticWeight: weight, fused, faint }
}

/** The part of the semantic list that stands out, and at most how many items. */
const outstandingPart = 0.2
const maxOutstanding = 10

/**
 * If words say little about a question, the nearest items count as near whatever their similarity. No fixed minimum fits all vaults: the
 * answer to a paraphrase is seldom more similar than 0.4, but 0.2 would return an unrelated record from a vault of two.
 *
 * recall@10 / nDCG@10 on the project's own set and its paraphrases, and results of a question with / without an answer: 88.4/78.6,
 * 46.6/29.9, 6.9/6.9 with 0.4 for all items; 93.0/80.5, 72.4/40.1, 8.6/9.7 with 0.2. A fifth of the list: 93.5/80.8, 75.9/41.8, 7.7/9.6;
 * 0.15 of it: 92.7/80.5, 70.7/40.1, 7.6/9.3; 0.1: 92.5/80.5, 69.0/39.6, 7.5/9.0. Other sets don't change.
 */
function admitOutstanding(nearest: readonly SemanticHit[], coverage: number): readonly SemanticHit[] {
  if (coverage >= enoughCoverage) return nearest
  const count = Math.min(maxOutstanding, Math.floor(nearest.length * outstandingPart))
  return nearest.map((hit, at) => (at < count ? { ...hit, isNear: true } : hit))
}

/** Items without vectors of the question's model, for example after a change of model. Found by words, weighted by their share of all items. */
function unseenBy(index: VaultIndex, { modelId, values }: QueryVector): { test: SlotTest; share: number } {
  const block = index.vectorsOf(modelId, values.length)
  if (block === undefined) return { test: () => true, share: 1 }
  return { test: (slot) => block.firstRowOf(slot) < 0, share: 1 - block.liveItems / Math.max(1, index.size) }
}

/**
 * Items below the threshold that were only found by their vector. They keep their place in the list, so a threshold removes results but
 * doesn't reorder others. If the others moved up: 85.1/75.4 for 85.3/76.0 on the project's own set, and 76.4 for 81.3 of recall@10 for
 * questions that name a day.
 */
function faintOf(semantic: readonly SemanticHit[], words: readonly RankedSlot[]): Set<number> {
  const faint = new Set(slotsOf(semantic.filter(({ isNear }) => !isNear)))
  for (const { slot } of words) faint.delete(slot)
  return faint
}

/**
 * Scores from links are added instead of fused as a third list. A list with full weight found as much (recall@10 93.8 on 2WikiMultihop
 * with title links, 94.3 added), but ranked linked items before the requested ones (MRR 77, added 88).
 */
function weigh(
  index: VaultIndex,
  { fused, graph, faint }: Pick<Ranking, 'fused' | 'graph' | 'faint'>,
  request: SearchRequest,
): Candidate[] {
  const { facts } = index.parts
  const scores = new Map(fused)
  for (const { slot, score } of graph) scores.set(slot, (fused.get(slot) ?? 0) + score)
  const candidates = Array.from(scores, ([slot, rrf]): Candidate => {
    const ageMs = request.filter.asOf - (facts.arrays.occurredAt[slot] as number)
    const decay = decayFactor(facts.typeOf(slot), ageMs, request.decayHalfLifeDays)
    const importance = importanceFactor(facts.arrays.importances[slot] as number)
    return { slot, rrf, decay, importance, outdated: 1, newer: undefined, score: rrf * decay * importance }
  })
  const best = byScore(newerFirst(index))
  const ranked = candidates.toSorted(best)
  // With the items below the threshold, which may outdate others, because a threshold must not reorder the rest.
  const outdated = request.preferNewer ? findOutdated(index, ranked) : new Map<number, number>()
  const demoted = ranked.map((candidate): Candidate => {
    const newer = outdated.get(candidate.slot)
    return newer === undefined
      ? candidate
      : { ...candidate, newer, outdated: outdatedFactor, score: candidate.score * outdatedFactor }
  })
  return (outdated.size === 0 ? demoted : demoted.toSorted(best)).filter(({ slot }) => !faint.has(slot))
}

/** The first `topK` after diversity over all candidates, so a shorter answer is the start of a longer one. */
function choose(index: VaultIndex, candidates: readonly Candidate[], { diversity, topK }: SearchRequest): ChosenHit[] {
  if (diversity === 0) return candidates.slice(0, topK).map((hit) => ({ hit, mmr: null }))
  const relevances = candidates.map(({ score }) => score)
  return diversify(relevances, diversity, topK, likenessOf(index, slotsOf(candidates))).flatMap(
    ({ candidate, mmr }) => {
      const hit = candidates[candidate]
      return hit === undefined ? [] : [{ hit, mmr }]
    },
  )
}

/** `searchIndex` with its steps. `passes` replaces the filter. */
export function rankSlots(index: VaultIndex, request: SearchRequest, passes?: SlotTest): Ranking {
  const legs = runLegs(index, request, passes)
  const candidates = weigh(index, legs, request)
  return { ...legs, candidates, chosen: choose(index, candidates, request) }
}

/**
 * Searches one vault. Works if any leg is missing; a question without words and vector finds nothing. Pure over the index: the same
 * question has the same answer until a change is applied.
 */
export const searchIndex = (index: VaultIndex, request: SearchRequest): SearchResult =>
  resultOf(index, rankSlots(index, request))

/** The result of a search, from its steps. */
export function resultOf(index: VaultIndex, { semantic, words, graph, chosen }: Ranking): SearchResult {
  const ranksIn = (list: readonly RankedSlot[]) => new Map(list.map(({ slot }, i) => [slot, i + 1]))
  const ranks = { semantic: ranksIn(semantic), blind: ranksIn(words.ranked), graph: ranksIn(graph) }
  const nearest = new Map(semantic.map((hit) => [hit.slot, hit]))
  const hits = chosen.map(({ hit: { slot, score } }) => ({
    itemId: index.itemIdOf(slot),
    score,
    similarity: nearest.get(slot)?.similarity ?? null,
    chunk: nearest.get(slot)?.chunk ?? null,
    matchSources: (['semantic', 'blind', 'graph'] as const).filter(
      (source) => ranks[source].has(slot) && (source !== 'semantic' || nearest.get(slot)?.isNear),
    ),
  }))
  return {
    hits,
    semanticMatchCount: semantic.filter(({ isNear }) => isNear).length,
    blindIndexMatchCount: words.ranked.length,
    graphExpansionCount: graph.filter(({ slot }) => !nearest.get(slot)?.isNear && !ranks.blind.has(slot)).length,
  }
}
