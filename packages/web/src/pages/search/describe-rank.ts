import type { Answer, Details, Dropped } from './lab-state.ts'

/** The item's rank in each list that contains it. */
export function describeRanks({ semanticRank, blindRank, graphRank }: Details): string[] {
  const ranks = [
    ['meaning', semanticRank],
    ['words', blindRank],
    ['links', graphRank],
  ] as const
  return ranks.flatMap(([name, rank]) => (rank === null ? [] : [`${name} #${rank}`]))
}

/** How the reranker or diversity moved a hit; undefined if neither did. */
export function describeMove({ place, position }: Details, { reranker }: Answer['explanation']): string | undefined {
  if (position === null || position === place) return undefined
  const mover = reranker?.ran === true ? 'by the reranker' : 'for diversity'
  return `moved ${position < place ? 'up' : 'down'} ${mover} (was #${place})`
}

const stages: Readonly<Record<Dropped['stage'], string>> = {
  archived: 'Archived',
  expired: 'Expired',
  superseded: 'Superseded',
  later: 'Newer than the “as of” time',
  filtered: 'Filtered out',
  threshold: 'Below the threshold',
  depth: 'Ranked too low',
  topK: 'Below the cut-off',
  diversity: 'Dropped for diversity',
  reranked: 'Less relevant for the reranker',
  unmatched: 'No match',
  unknown: 'Not in this vault',
}

export const titleOfStage = (stage: Dropped['stage']) => stages[stage]
