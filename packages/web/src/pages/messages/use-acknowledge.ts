import type { MessageThread } from '@holdfast/client/dashboard'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { OperationName } from '../../api/operations.ts'
import { refresh } from '../../api/queries.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'

/** Operations whose data changes when a message is sent, deleted or acknowledged. */
export const messageReads: readonly OperationName[] = ['read-messages', 'list-threads', 'read-overview']

/** The most ids that the server accepts in one call. */
const maxIds = 50

/** Acknowledges messages to the user: by id, or all pending ones of some threads. */
export function useAcknowledge() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
    onSettled: () => refresh(client, messageReads),
  })
  return {
    isBusy: isPending,
    some: (ids: readonly string[], note?: string) => mutate(() => acknowledge(ids, note)),
    threads: (threads: readonly MessageThread[]) =>
      mutate(async () => {
        const ids: string[] = []
        for (const { threadId, pending, latest } of threads)
          if (pending > 0) ids.push(...(await listWaiting(threadId, latest.vaultId)))
        await acknowledge(ids)
      }),
  }
}

async function acknowledge(ids: readonly string[], note?: string): Promise<void> {
  let count = 0
  for (let at = 0; at < ids.length; at += maxIds) {
    const { results = [] } = await call('ack-message', { messageIds: ids.slice(at, at + maxIds), note })
    count += results.length
  }
  if (count > 0) toast(`${countOf(count, 'message')} acknowledged`)
}

async function listWaiting(threadId: string, vaultId: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; ; offset += 100) {
    const asked = { threadId, vaultId, status: 'pending', box: 'received', limit: 100, offset } as const
    const page = await call('read-messages', asked)
    ids.push(...page.messages.map(({ messageId }) => messageId))
    if (!page.hasMore) return ids
  }
}
