import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryMeta,
} from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, type InputOf, type OutputOf } from './call.ts'
import type { OperationName } from './operations.ts'

/** A page of a list, from an operation that can also return one record. */
export type PageOf<Name extends OperationName> = Extract<
  OutputOf<Name>,
  { hasMore: boolean; offset: number; limit: number }
>
/** What a list operation returns for one `id`. */
export type OneOf<Name extends OperationName> = Exclude<OutputOf<Name>, { hasMore: boolean }>

/** `[operation, vaultId, input]`: queries can be invalidated by operation, or by operation and vault. */
export const keyOf = (name: OperationName, input: object) =>
  [name, (input as { vaultId?: string }).vaultId ?? null, input] as const

/**
 * Reads what a page shows. The request is sent in a task of its own, so that the browser can paint the new page first: in two runs of
 * bench/dashboard each, the medians of ten page changes were 97 ms on average, and 112 ms with requests sent at once.
 */
export async function read<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  signal: AbortSignal,
): Promise<OutputOf<Name>> {
  await new Promise((resolve) => setTimeout(resolve))
  return call(name, input, signal)
}

const queryOf = <Name extends OperationName, Output>(name: Name, input: InputOf<Name>) => ({
  queryKey: keyOf(name, input),
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await read(name, input, signal)) as Output,
})

export const useOperation = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: { enabled?: boolean; refetchInterval?: number | false } = {},
) => useQuery({ ...queryOf<Name, OutputOf<Name>>(name, input), ...options })

/** For input that changes while the user looks, such as filters. The previous data stays on screen until the new data arrives. */
export const useFilteredOperation = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  meta: QueryMeta = {},
) => useQuery({ ...queryOf<Name, OutputOf<Name>>(name, input), placeholderData: keepPreviousData, meta })

/** For input whose `limit` a person raises. What there was stays until there is more, also if that fails; other input starts again. */
export function useGrowingOperation<Name extends OperationName>(name: Name, input: InputOf<Name>) {
  const query = useOperation(name, input)
  const key = keyWithoutLimit(input)
  const [kept, keep] = useState({ key, data: query.data })
  if (query.data !== undefined && query.data !== kept.data) keep({ key, data: query.data })
  const data = query.data ?? (kept.key === key ? kept.data : undefined)
  return { ...query, data, isPending: data === undefined && query.isPending }
}

export const keyWithoutLimit = (input: object) => JSON.stringify({ ...input, limit: undefined })

/** One page of a list. The previous page stays on screen until the new one arrives. */
export const usePage = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: { enabled?: boolean } = {},
) => useQuery({ ...queryOf<Name, PageOf<Name>>(name, input), placeholderData: keepPreviousData, ...options })

/** A list that grows one page at a time. It is refreshed together with the list's single pages. */
export const usePages = <Name extends OperationName>(name: Name, input: InputOf<Name>) =>
  useInfiniteQuery({
    queryKey: [...keyOf(name, input), 'pages'],
    queryFn: async ({ signal, pageParam: offset }) => (await read(name, { ...input, offset }, signal)) as PageOf<Name>,
    initialPageParam: 0,
    getNextPageParam: ({ hasMore, offset, limit }) => (hasMore ? offset + limit : undefined),
    placeholderData: keepPreviousData,
  })

/** The pages of a list that is needed as a whole. */
export const useWholeList = <Name extends OperationName>(name: Name, input: InputOf<Name>) =>
  useQuery(wholeListOf(name, input))

export const wholeListOf = <Name extends OperationName>(name: Name, input: InputOf<Name>) =>
  queryOptions({
    queryKey: [...keyOf(name, input), 'whole'],
    queryFn: async ({ signal }) => {
      const pages: PageOf<Name>[] = []
      for (let hasMore = true, offset = 0; hasMore; offset += largestPage) {
        const page = (await read(name, { ...input, limit: largestPage, offset }, signal)) as PageOf<Name>
        pages.push(page)
        hasMore = page.hasMore
      }
      return pages
    },
  })

const largestPage = 100

/** One record from a list operation, by id. */
export const useOne = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name> & { id: string },
  options: { enabled?: boolean; refetchInterval?: number | false } = {},
) => useQuery({ ...queryOf<Name, OneOf<Name>>(name, input), ...options })

export const refresh = (client: QueryClient, names: readonly OperationName[]) =>
  Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))

/**
 * A call that changes data. `refreshes` names the operations whose data it makes outdated. The same call isn't sent again
 * while it is in progress, for example on a double click. `send` replaces the plain call.
 */
export function useAction<Name extends OperationName>(
  name: Name,
  { refreshes = [], waitsForRefresh = false, onDone, send = call }: Action<Name> = {},
) {
  const client = useQueryClient()
  const inProgress = useRef(new Set<string>())
  const { mutate, ...mutation } = useMutation({
    mutationFn: (input: InputOf<Name>) => send(name, input).finally(() => inProgress.current.delete(keyOfInput(input))),
    async onSuccess(output) {
      const refreshed = refresh(client, refreshes)
      if (waitsForRefresh) await refreshed
      onDone?.(output)
    },
  })
  const once: typeof mutate = (...asked) => {
    const input = keyOfInput(asked[0])
    if (inProgress.current.has(input)) return
    inProgress.current.add(input)
    mutate(...asked)
  }
  return { ...mutation, mutate: once }
}

interface Action<Name extends OperationName> {
  refreshes?: readonly OperationName[]
  /** Calls `onDone` once the refreshed data is there, for example if the form of what was saved can be opened again at once. */
  waitsForRefresh?: boolean
  onDone?: (output: OutputOf<Name>) => void
  send?: (name: Name, input: InputOf<Name>) => Promise<OutputOf<Name>>
}

const keyOfInput = (input: unknown) => JSON.stringify(input) ?? ''
