import type { Integration, ReviewItem } from '@holdfast/client/dashboard'
import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, type OutputOf } from '../../api/call.ts'
import { keyOf, usePage, useAction, read } from '../../api/queries.ts'
import type { ReviewKind } from './kinds.ts'
import { toastError, toastUndo } from '../../shell/toasts.tsx'

const pageSize = 20
/** The length at which the server cuts excerpts. */
const excerptChars = 2_000

/** How many pages are fetched automatically while too little is found. After that, a click continues. */
const automaticPages = 10

/** How many items are looked for before a person asks for more. */
const enough = 10

type Found = OutputOf<'list-review'>
/** Where a page starts. */
type Place = { offset: number } | { after: string } | undefined

/**
 * Finding duplicates goes through the whole vault in many calls. It restarts only when you open the page, not when something
 * changes or is decided.
 */
const keyOfDuplicates = (vaultId: string) => ['find-duplicates', vaultId] as const

/** The items to review without those already decided. Fetches more pages while the server has more and too little is found. */
export function useReview(vaultId: string, kind: ReviewKind, isJudged: (item: ReviewItem) => boolean) {
  const input = { vaultId, kind, limit: pageSize }
  const query = useInfiniteQuery({
    queryKey: kind === 'duplicate' ? keyOfDuplicates(vaultId) : [...keyOf('list-review', input), 'pages'],
    queryFn: ({ signal, pageParam }) => read('list-review', { ...input, ...pageParam }, signal),
    initialPageParam: undefined as Place,
    getNextPageParam: ({ hasMore, next, after }): Place =>
      !hasMore ? undefined : after === null ? { offset: next ?? 0 } : { after },
    ...(kind === 'duplicate' && { staleTime: Infinity, gcTime: 0 }),
  })
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const [wanted, setWanted] = useState({ moreThan: 0, pages: automaticPages })
  const found = data?.pages.flatMap((page) => page.items) ?? []
  const items = found.filter((item) => !isJudged(item))
  const isTooLittle = items.length === 0 || found.length < enough || found.length <= wanted.moreThan
  const pageCount = data?.pages.length ?? 0
  const isChecking = hasNextPage && isTooLittle && pageCount < wanted.pages && !isFetchNextPageError
  useEffect(() => {
    if (isChecking && !isFetchingNextPage) void fetchNextPage()
  }, [isChecking, isFetchingNextPage, fetchNextPage])
  return {
    query,
    items,
    isChecking: isChecking || isFetchingNextPage,
    checkMore() {
      setWanted({ moreThan: found.length, pages: pageCount + automaticPages })
      // Also retries a page that failed.
      void fetchNextPage()
    },
  }
}

/** Updates an edited memory in the list of duplicates, which isn't fetched again. */
export function useUpdateDuplicate(vaultId: string) {
  const client = useQueryClient()
  return async (id: string) => {
    const answer = await call('list-memories', { vaultId, id })
    if (!('memory' in answer)) return
    const { content, ...memory } = answer.memory
    const replace = (item: ReviewItem): ReviewItem => ({
      ...item,
      memories: item.memories.map((one) =>
        one.id === id
          ? { ...one, ...memory, excerpt: content.slice(0, excerptChars), isWhole: content.length <= excerptChars }
          : one,
      ),
    })
    client.setQueryData<InfiniteData<Found, Place>>(
      keyOfDuplicates(vaultId),
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replace) })) },
    )
  }
}

const most = 100

/** Returns a function that finds an agent; undefined if it is deleted or not loaded yet. */
export function useAgents(): (id: string | null) => Integration | undefined {
  const { data } = usePage('list-integrations', { limit: most })
  return (id) => data?.integrations.find((one) => one.id === id)
}

/** Accepts all future guesses of an agent, or stops accepting them. Both can be undone from their toast. */
export function useTrust(vaultId: string) {
  const { mutate } = useAction('trust-integration', { refreshes: ['list-review', 'read-overview'] })
  const trust = (integrationId: string, label: string, trusted: boolean): void =>
    mutate(
      { vaultId, integrationId, trusted },
      {
        onSuccess() {
          const message = trusted ? `Accepting all guesses from ${label}` : `Guesses from ${label} need review again`
          toastUndo(message, () => trust(integrationId, label, !trusted))
        },
        onError: (error) => toastError(error),
      },
    )
  return trust
}
