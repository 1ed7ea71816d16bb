import type { z } from 'zod'
import { describeScore, type explanation, type dropped } from './explanation.ts'
import type { Explanation } from './explain-search.ts'
import type { RankedHit, Reranking } from './rerank-hits.ts'

/** An explained search as callers get it, with the scores of its hits. */
export interface DescribedSearch {
  question: z.input<typeof explanation>
  hits: Explanation['details']
}

/** As many missing records are explained without being asked for. */
const maxDropped = 20

/**
 * Changes the explanation of a search for more hits than the caller wants into one of the hits that are returned: the others become
 * missing records.
 */
export function explainReranking(
  { question, hits }: DescribedSearch,
  { ranked, failure }: Reranking,
  { topK, askedIds }: { topK: number; askedIds: readonly string[] },
): DescribedSearch {
  const positions = new Map(ranked.slice(0, topK).map(({ itemId }, at) => [itemId, at + 1]))
  const details = new Map(Array.from(hits, ([id, own]) => [id, { ...own, position: positions.get(id) ?? null }]))
  const least = ranked[topK - 1]
  const cut = ranked.slice(topK).map((hit): z.input<typeof dropped> => {
    const own = details.get(hit.itemId)
    return {
      id: hit.itemId,
      ...reasonOf(hit, least, failure),
      similarity: hit.similarity,
      scoreDetails: own === undefined ? null : describeScore(own),
    }
  })
  const asked = new Set(askedIds)
  return {
    question: {
      ...question,
      topK,
      reranker: { ran: failure === undefined, reason: failure ?? null },
      dropped: [...cut, ...question.dropped].slice(0, maxDropped),
      asked: [...question.asked, ...cut.filter(({ id }) => asked.has(id))],
    },
    hits: details,
  }
}

function reasonOf(hit: RankedHit, least: RankedHit | undefined, failure: string | undefined) {
  return failure === undefined
    ? {
        stage: 'reranked' as const,
        reason: `relevance ${figure(hit.relevance)}; the last hit has ${figure(least?.relevance)}`,
      }
    : { stage: 'topK' as const, reason: `score ${figure(hit.score)}; the last hit has ${figure(least?.score)}` }
}

const figure = (value: number | null | undefined): string => value?.toFixed(3) ?? 'none'
