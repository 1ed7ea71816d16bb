import { contextFactor } from '../vault-index/legs/context-factor.ts'
import type { RankedSlot } from '../vault-index/legs/top-slots.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { fuse } from './rank.ts'
import type { Candidate, Ranking, SearchRequest } from './search-index.ts'

/** The parts of an item's score: exactly (semanticPart + blindPart + lent) × decay × importance × outdated. */
export interface ItemScore {
  score: number
  /** Place by score, from 1. */
  place: number
  /** Place in the answer, from 1; null if it is missing. */
  position: number | null
  /** Places in the legs' lists, from 1; null if it is not in the list. */
  semanticRank: number | null
  blindRank: number | null
  graphRank: number | null
  /** The scores that order the lists. */
  semanticScore: number | null
  blindScore: number | null
  /** The model's cosine with the question, and the calibrated similarity. */
  cosine: number | null
  similarity: number | null
  /** The weighted contributions of its places in the lists. */
  semanticPart: number
  blindPart: number
  /** The contribution of links and mentions. */
  lent: number
  /** The sum of the three. */
  rrf: number
  /** Factors in both legs' scores, for a date and a speaker that the question names. */
  dateFactor: number
  speakerFactor: number
  /** Factors in its score. */
  decay: number
  importance: number
  outdated: number
  /** The id of the newer statement that may have replaced it; null without one. */
  newerId: string | null
  /** Its value when diversity chose it; null if it was not chosen, or diversity is off. */
  mmr: number | null
}

/** Explains the items that a search found; undefined for all others. */
export function itemScores(
  index: VaultIndex,
  { query }: SearchRequest,
  ranking: Ranking,
): (slot: number) => ItemScore | undefined {
  const { semantic, words, graph, semanticWeight, candidates, chosen } = ranking
  const lists = { semantic: placesIn(semantic), blind: placesIn(words.ranked), graph: placesIn(graph) }
  const parts = {
    semantic: fuse([{ weight: semanticWeight, ranked: semantic }]),
    blind: fuse([{ weight: 1 - semanticWeight, ranked: words.ranked }]),
  }
  const found = placesIn<Candidate>(candidates)
  const taken = new Map(chosen.map(({ hit, mmr }, at) => [hit.slot, { position: at + 1, mmr }]))
  const factor = contextFactor(index, query)
  return (slot) => {
    const candidate = found.get(slot)
    if (candidate === undefined) return undefined
    const { score, rrf, decay, importance, outdated, newer } = candidate.item
    const near = lists.semantic.get(slot)
    const worded = lists.blind.get(slot)
    const linked = lists.graph.get(slot)
    return {
      score,
      place: candidate.rank,
      position: taken.get(slot)?.position ?? null,
      semanticRank: near?.rank ?? null,
      blindRank: worded?.rank ?? null,
      graphRank: linked?.rank ?? null,
      semanticScore: near?.item.score ?? null,
      blindScore: worded?.item.score ?? null,
      cosine: near?.item.cosine ?? null,
      similarity: near?.item.similarity ?? null,
      semanticPart: parts.semantic.get(slot) ?? 0,
      blindPart: parts.blind.get(slot) ?? 0,
      lent: linked?.item.score ?? 0,
      rrf,
      dateFactor: factor.ofDate(slot),
      speakerFactor: factor.ofSpeaker(slot),
      decay,
      importance,
      outdated,
      newerId: newer === undefined ? null : index.itemIdOf(newer),
      mmr: taken.get(slot)?.mmr ?? null,
    }
  }
}

const placesIn = <T extends RankedSlot>(list: readonly T[]) =>
  new Map(list.map((item, at) => [item.slot, { item, rank: at + 1 }]))
