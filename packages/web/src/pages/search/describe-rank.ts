import type { Details, Dropped } from './lab-state.ts'

/** Where an item stands in each list; those that it is not in are left out. */
export function ranksOf({ semanticRank, blindRank, graphRank }: Details): string[] {
  const ranks = [
    ['meaning', semanticRank],
    ['words', blindRank],
    ['links', graphRank],
  ] as const
  return ranks.flatMap(([name, rank]) => (rank === null ? [] : [`${name} #${rank}`]))
}

/** What diversity did to a hit; undefined where it left it in its place. */
export function moveOf({ place, position }: Details): string | undefined {
  if (position === null || position === place) return undefined
  return position < place
    ? `taken before better ones that say the same (${place} by score)`
    : `${place} by score, others say something new`
}

const stages: Readonly<Record<Dropped['stage'], string>> = {
  archived: 'Archived',
  expired: 'Expired',
  superseded: 'Superseded',
  later: 'Later than asked',
  filtered: 'Filtered out',
  threshold: 'Below the threshold',
  depth: 'Too far down',
  topK: 'Not among the first',
  diversity: 'Too like a better one',
  unmatched: 'Nothing leads to it',
  unknown: 'Not in this vault',
}

export const titleOfStage = (stage: Dropped['stage']) => stages[stage]
