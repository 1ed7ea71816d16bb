import type { ReviewItem } from '@holdfast/client/dashboard'
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf, read } from '../../api/queries.ts'
import { toastError } from '../../shell/toasts.tsx'

/** Replaces the proposals that the person asked to see whole. They are fetched again together with the list. */
export function useWholeProposals(vaultId: string, listed: readonly ReviewItem[]) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<readonly string[]>([])
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) => client.fetchQuery(queryOf(vaultId, id)),
    onSuccess: (_, id) => setAsked((before) => [...new Set([...before, id])]),
    onError: (error) => toastError(error),
  })
  const answers = useQueries({ queries: asked.map((id) => queryOf(vaultId, id)) })
  const whole = new Map(
    answers.flatMap(({ data }) => (data?.items ?? []).map((item) => [item.proposal?.proposalId, item] as const)),
  )
  return {
    items: listed.map((item) => (item.proposal === null ? item : (whole.get(item.proposal.proposalId) ?? item))),
    isLoading: isPending,
    showWhole: ({ proposal }: ReviewItem) => proposal !== null && mutate(proposal.proposalId),
  }
}

function queryOf(vaultId: string, id: string) {
  const input = { vaultId, kind: 'proposal', id } as const
  return {
    queryKey: keyOf('list-review', input),
    queryFn: ({ signal }: { signal: AbortSignal }) => read('list-review', input, signal),
  }
}
