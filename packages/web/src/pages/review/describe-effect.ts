import type { ProposedChange, ReviewItem } from '@holdfast/client/dashboard'

type Changes = ReviewItem['changes']

/** Whether the record already says what the proposal asks for: someone has made the same change since. */
export const isMoot = ({ effect, isOutdated }: ProposedChange, changes: Changes): boolean =>
  effect === 'change' && isOutdated && changes.length === 0

/** What accepting a proposal does, unless the changes that follow say it all. With a colon at the end, they follow, too. */
export function describeEffect({ effect }: ProposedChange, changes: Changes, nowMs: number): string | undefined {
  if (effect === 'archive') return 'Accepting archives it: searches stop finding it.'
  if (effect === 'trash') return 'Accepting moves it to the trash.'
  const expiresAt = changes.find(({ field }) => field === 'expiresAt')?.after ?? null
  const isEnd = expiresAt !== null && Date.parse(expiresAt) <= nowMs
  if (effect === 'supersede') {
    const end = 'Accepting replaces it with a new memory that has already expired: searches find neither.'
    return isEnd ? end : 'Accepting stores a new memory that replaces this one:'
  }
  if (isEnd) return 'Accepting lets it expire at once: searches stop finding it.'
  return changes.length === 0 ? 'Accepting changes where it is, not its text.' : undefined
}
