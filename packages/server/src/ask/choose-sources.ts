import { openHits, type OpenedHit } from '../search/open-hits.ts'
import { degradedBy, searchVault, type SearchContext, type VaultAnswer } from '../search/search-vault.ts'

/** The records that a question is answered from: what a search finds, shortened to the parts that fit the question. */
export interface Source extends OpenedHit {
  /** From 1; the answer cites it by this. */
  number: number
}

const maxSources = 10
const maxCharsInAll = 12_000
/** The part of the question's words that the best records must contain, unless one is similar in meaning. With less, none answers it. */
const minCoverage = 0.3

export interface Sources {
  /** Empty if only weak matches were found. */
  sources: Source[]
  degraded: VaultAnswer['degraded']
}

/** Doesn't count as a recall. */
export async function chooseSources(ctx: SearchContext, query: string): Promise<Sources> {
  const kinds = ['memory', 'note'] as const
  const { hits, explanation, degraded } = await searchVault(ctx, {
    query,
    kinds,
    topK: maxSources,
    explain: { ids: [] },
    reranks: true,
  })
  const isCovered = (explanation?.question.coverage ?? 0) >= minCoverage
  // The search has dropped what is neither similar nor stands out.
  const isSimilar = hits.some(({ similarity }) => similarity !== null)
  if (!isCovered && !isSimilar) return { sources: [], degraded }
  const { opened, damagedIds } = await openHits(ctx, hits)
  return {
    sources: withinLimit(opened).map((source, at) => ({ number: at + 1, ...source })),
    degraded: [...degraded, ...degradedBy(damagedIds)],
  }
}

/** The best first, as many as fit. */
function withinLimit(records: readonly OpenedHit[]): OpenedHit[] {
  let chars = 0
  return records.filter(({ text, title }) => (chars += text.length + title.length) <= maxCharsInAll)
}
