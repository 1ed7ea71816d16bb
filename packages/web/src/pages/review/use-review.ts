import type { ReviewItem } from '@holdfast/client/dashboard'
import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, type OutputOf } from '../../api/call.ts'
import { keyOf } from '../../api/queries.ts'
import type { ReviewKind } from './kinds.ts'

const pageSize = 20
/** As the server cuts them. */
const excerptChars = 2_000

/** So many calls look for more by themselves where they find nothing; after that somebody has to want it. */
const unaskedPages = 10

type Found = OutputOf<'browse-review'>
/** Where a page begins. */
type Place = { offset: number } | { after: string } | undefined

/**
 * Looking for duplicates goes through the whole vault, a while at a call: it is not done again when something changes, nor when one of
 * them is judged, but when somebody comes to the page.
 */
const keyOfDuplicates = (vaultId: string) => ['find-duplicates', vaultId] as const

/** What waits, as far as it has been asked for, but for what is judged. It grows where the server says that it goes on. */
export function useReview(vaultId: string, kind: ReviewKind, isJudged: (item: ReviewItem) => boolean) {
  const input = { vaultId, kind, limit: pageSize }
  const query = useInfiniteQuery({
    queryKey: kind === 'duplicate' ? keyOfDuplicates(vaultId) : [...keyOf('browse-review', input), 'pages'],
    queryFn: ({ signal, pageParam }) => call('browse-review', { ...input, ...pageParam }, signal),
    initialPageParam: undefined as Place,
    getNextPageParam: ({ hasMore, next, after }): Place =>
      !hasMore ? undefined : after === null ? { offset: next ?? 0 } : { after },
    ...(kind === 'duplicate' && { staleTime: Infinity, gcTime: 0 }),
  })
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const [wanted, setWanted] = useState({ moreThan: 0, pages: unaskedPages })
  const found = data?.pages.flatMap((page) => page.items) ?? []
  // The others are asked for again, and tell so themselves.
  const items = kind === 'duplicate' ? found.filter((item) => !isJudged(item)) : found
  const isTooLittle = items.length === 0 || found.length <= wanted.moreThan
  const pageCount = data?.pages.length ?? 0
  const isLooking = hasNextPage && isTooLittle && pageCount < wanted.pages && !isFetchNextPageError
  useEffect(() => {
    if (isLooking && !isFetchingNextPage) void fetchNextPage()
  }, [isLooking, isFetchingNextPage, fetchNextPage])
  return {
    query,
    items,
    isLooking: isLooking || isFetchingNextPage,
    lookFurther() {
      setWanted({ moreThan: found.length, pages: pageCount + unaskedPages })
      // One that failed is tried again.
      void fetchNextPage()
    },
  }
}

/** Puts a memory as it is now into the duplicates on the screen, which are not asked for again. */
export function useRenewed(vaultId: string) {
  const client = useQueryClient()
  return async (id: string) => {
    const answer = await call('browse-memories', { vaultId, id })
    if (!('memory' in answer)) return
    const { content, ...memory } = answer.memory
    const renew = (item: ReviewItem): ReviewItem => ({
      ...item,
      memories: item.memories.map((one) =>
        one.id === id
          ? { ...one, ...memory, excerpt: content.slice(0, excerptChars), isWhole: content.length <= excerptChars }
          : one,
      ),
    })
    client.setQueryData<InfiniteData<Found, Place>>(
      keyOfDuplicates(vaultId),
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(renew) })) },
    )
  }
}
