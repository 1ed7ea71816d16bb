import { useQuery } from '@tanstack/react-query'
import { usePage } from '../../api/queries.ts'

/** So many of each kind are asked for. */
export const shownItems = 3

/** The first proposals, and the first guesses. */
export const useReviewItems = (vaultId: string) =>
  [
    usePage('list-review', { vaultId, kind: 'proposal', limit: shownItems }),
    usePage('list-review', { vaultId, kind: 'unsure', limit: shownItems }),
  ] as const

/**
 * What waits for review, and the code that shows it, which compares texts: most visits have nothing to decide and don't load it. If it
 * can't be loaded, the head of the group still leads to the review.
 */
export function useWaitingReview(vaultId: string) {
  const items = useReviewItems(vaultId)
  const hasItems = items.some(({ data }) => data !== undefined && data.items.length > 0)
  const code = useQuery({
    queryKey: ['code', 'waiting-review'],
    queryFn: () => import('./waiting-review.tsx'),
    enabled: hasItems,
    staleTime: Infinity,
  })
  const isPending = items.some((query) => query.isPending) || (hasItems && code.isPending)
  return { isPending, WaitingReview: code.data?.WaitingReview }
}
