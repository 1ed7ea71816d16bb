import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { call, type InputOf, type OutputOf } from './call.ts'
import type { OperationName } from './operations.ts'

/** The answer of a list that comes in pages, where the operation also answers with one record. */
export type PageOf<Name extends OperationName> = Extract<
  OutputOf<Name>,
  { hasMore: boolean; offset: number; limit: number }
>
/** The answer to a list operation that was asked for one `id`. */
export type OneOf<Name extends OperationName> = Exclude<OutputOf<Name>, { hasMore: boolean }>

/** `[operation, vaultId, input]`, so that what changed can be named by operation, or by operation and vault. */
export const keyOf = (name: OperationName, input: object) =>
  [name, (input as { vaultId?: string }).vaultId ?? null, input] as const

const queryOf = <Name extends OperationName, Output>(name: Name, input: InputOf<Name>) => ({
  queryKey: keyOf(name, input),
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await call(name, input, signal)) as Output,
})

export const useOperation = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: { enabled?: boolean; refetchInterval?: number | false } = {},
) => useQuery({ ...queryOf<Name, OutputOf<Name>>(name, input), ...options })

/** The same for one that is narrowed as people look; what was there before stays on the screen until the new is there. */
export const useNarrowed = <Name extends OperationName>(name: Name, input: InputOf<Name>) =>
  useQuery({ ...queryOf<Name, OutputOf<Name>>(name, input), placeholderData: keepPreviousData })

/** One page of a list; the page before stays on the screen until it is there. */
export const usePage = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: { enabled?: boolean } = {},
) => useQuery({ ...queryOf<Name, PageOf<Name>>(name, input), placeholderData: keepPreviousData, ...options })

/** A list that grows by a page at a time, kept beside the list's single pages and refreshed with them. */
export const usePages = <Name extends OperationName>(name: Name, input: InputOf<Name>) =>
  useInfiniteQuery({
    queryKey: [...keyOf(name, input), 'pages'],
    queryFn: async ({ signal, pageParam: offset }) => (await call(name, { ...input, offset }, signal)) as PageOf<Name>,
    initialPageParam: 0,
    getNextPageParam: ({ hasMore, offset, limit }) => (hasMore ? offset + limit : undefined),
    placeholderData: keepPreviousData,
  })

/** One record of a list operation, by its id. */
export const useOne = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name> & { id: string },
  options: { enabled?: boolean; refetchInterval?: number | false } = {},
) => useQuery({ ...queryOf<Name, OneOf<Name>>(name, input), ...options })

export const refresh = (client: QueryClient, names: readonly OperationName[]) =>
  Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))

/**
 * Something that changes the server. `refreshes` names the operations whose answers are no longer true after it. The same
 * again while it is under way, as a double click asks for it, is not sent.
 */
export function useAction<Name extends OperationName>(
  name: Name,
  { refreshes = [], onDone }: { refreshes?: readonly OperationName[]; onDone?: (output: OutputOf<Name>) => void } = {},
) {
  const client = useQueryClient()
  const underWay = useRef(new Set<string>())
  const { mutate, ...mutation } = useMutation({
    mutationFn: (input: InputOf<Name>) => call(name, input).finally(() => underWay.current.delete(nameOf(input))),
    onSuccess(output) {
      void refresh(client, refreshes)
      onDone?.(output)
    },
  })
  const once: typeof mutate = (...asked) => {
    const input = nameOf(asked[0])
    if (underWay.current.has(input)) return
    underWay.current.add(input)
    mutate(...asked)
  }
  return { ...mutation, mutate: once }
}

const nameOf = (input: unknown) => JSON.stringify(input) ?? ''
