import type { z } from 'zod'
import { describeScore, type explanation, type dropped } from './explanation.ts'
import { lostCount, type Explanation } from './explain-search.ts'
import type { RankedHit } from './rerank-hits.ts'

/** An explained search as callers get it, with the scores of its hits. */
export interface DescribedSearch {
  question: z.input<typeof explanation>
  hits: Explanation['details']
}

/** The explanation of a search that a reranker should have rated. */
export const explainUnranked = (explained: DescribedSearch, failure: string): DescribedSearch => ({
  ...explained,
  question: { ...explained.question, reranker: { ran: false, reason: failure } },
})

/**
 * Changes the explanation of a search for more hits than the caller wants into one of the hits that are returned: the others become
 * missing records.
 */
export function explainReranking(
  { question, hits }: DescribedSearch,
  ranked: readonly RankedHit[],
  { topK, askedIds }: { topK: number; askedIds: readonly string[] },
): DescribedSearch {
  const positions = new Map(ranked.slice(0, topK).map(({ itemId }, at) => [itemId, at + 1]))
  const details = new Map(Array.from(hits, ([id, own]) => [id, { ...own, position: positions.get(id) ?? null }]))
  const least = figure(ranked[topK - 1]?.relevance)
  const cut = ranked.slice(topK).map((hit): z.input<typeof dropped> => {
    const own = details.get(hit.itemId)
    return {
      id: hit.itemId,
      stage: 'reranked',
      reason: `relevance ${figure(hit.relevance)}; the last hit has ${least}`,
      similarity: hit.similarity,
      scoreDetails: own === undefined ? null : describeScore(own),
    }
  })
  const missing = new Map([...question.asked, ...cut].map((one) => [one.id, one]))
  return {
    question: {
      ...question,
      topK,
      reranker: { ran: true, reason: null },
      dropped: [...cut, ...question.dropped].slice(0, lostCount),
      asked: askedIds.flatMap((id) => missing.get(id) ?? []),
    },
    hits: details,
  }
}

const figure = (value: number | null | undefined): string => value?.toFixed(3) ?? 'none'
