import type { VaultContext } from '../operation/context.ts'
import { RerankError, type Reranker } from '../rerank/reranker.ts'
import { openHits, type OpenedHit } from './open-hits.ts'
import type { SearchHit } from './search-index.ts'

/** The second look at the best records of a search, by a model that reads them together with the question. */

export interface RankedHit extends SearchHit {
  /** How well it answers the question, on the reranker's own scale; null if none rated it. */
  relevance: number | null
}

/** How many of the best records a reranker reads. */
export const rerankedHits = 50

export interface Reranking {
  /** All hits, best first. Hits that could not be read come last and have no relevance. */
  ranked: RankedHit[]
  /** Those of them that are damaged, and not just deleted since the search. */
  damagedIds: ReadonlySet<string>
}

export const unrated = (hit: SearchHit): RankedHit => ({ ...hit, relevance: null })

type Context = Pick<VaultContext, 'db' | 'vault' | 'instance' | 'log'> & { reranker: Reranker }

/** Keeps the order of hits with equal ratings. Returns the reason if the reranker fails or takes too long. */
export async function rerankHits(
  ctx: Context,
  query: string,
  hits: readonly SearchHit[],
): Promise<Reranking | { failure: string }> {
  try {
    // Opening fifty records takes longer than the search itself, and would be in vain.
    if (ctx.reranker.isLeftAlone) throw new RerankError('breaker_open')
    const { opened, damagedIds } = await openInTime(ctx, hits)
    const ratings = await ctx.reranker.rate(query, opened.map(readable))
    const relevances = new Map(opened.map(({ id }, at) => [id, ratings[at] ?? null]))
    const rated = hits.map((hit) => ({ ...hit, relevance: relevances.get(hit.itemId) ?? null }))
    return { ranked: rated.toSorted(mostRelevantFirst), damagedIds }
  } catch (error) {
    if (!(error instanceof RerankError)) throw error
    ctx.log.warn('a search ran without the reranker', { code: error.code })
    return { failure: describeFailure(error.code, ctx.reranker.budgetMs) }
  }
}

/** Long notes take milliseconds each, and much longer while many searches open them. */
async function openInTime(ctx: Context, hits: readonly SearchHit[]): ReturnType<typeof openHits> {
  const timeout = AbortSignal.timeout(ctx.reranker.budgetMs)
  try {
    return await openHits(ctx, hits, timeout)
  } catch (error) {
    throw timeout.aborted && error === timeout.reason ? new RerankError('texts_late') : error
  }
}

const readable = ({ type, title, text }: OpenedHit): string => (type === 'note' ? `${title}\n${text}` : text)

function mostRelevantFirst({ relevance: one }: RankedHit, { relevance: other }: RankedHit): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return other - one
}

function describeFailure(code: string, budgetMs: number): string {
  if (code === 'timeout') return `the reranker did not answer within ${budgetMs} ms`
  if (code === 'texts_late') return `reading the records for the reranker took longer than ${budgetMs} ms`
  return code === 'breaker_open'
    ? 'the reranker has failed before and is left alone for a while'
    : `the reranker failed: ${code}`
}
