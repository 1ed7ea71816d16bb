import type { ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { countMemories, memoryReads, useMemoryActions } from '../../components/use-memory-actions.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'

const sureConfidence = 5

/** What a person decides about what waits; each can be taken back from the note that tells of it, but for a merge. */
export function useReviewActions(vaultId: string) {
  const client = useQueryClient()
  const { merge, isBusy } = useMemoryActions(vaultId)
  const { mutate, isPending } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
    onSettled: () => refresh(client, memoryReads),
  })

  const leave = async ({ kind, memories }: ReviewItem) => {
    const looked = { vaultId, kind, ids: memories.map(({ id }) => id) }
    await call('decide-review', { ...looked, decision: 'keep' })
    const undo = async () => {
      await call('decide-review', { ...looked, decision: 'reopen' })
      toast('It waits again')
    }
    toastUndo(kind === 'unsure' ? 'Left as it is' : 'Both stay', () => mutate(undo))
  }

  const believe = async ({ id, confidence }: ReviewedMemory) => {
    await call('rate-memories', { vaultId, ids: [id], confidence: sureConfidence })
    const undo = async () => {
      await call('rate-memories', { vaultId, ids: [id], confidence })
      toast('It waits again')
    }
    toastUndo('Believed', () => mutate(undo))
  }

  const archive = async ({ id }: ReviewedMemory) => {
    await call('archive-memories', { vaultId, ids: [id] })
    const undo = async () => {
      await call('restore-memories', { vaultId, ids: [id] })
      toast(`${countMemories(1)} restored`)
    }
    toastUndo(`${countMemories(1)} archived`, () => mutate(undo))
  }

  return {
    isBusy: isPending || isBusy,
    leave: (item: ReviewItem) => mutate(() => leave(item)),
    prefer: (kept: ReviewedMemory, others: readonly ReviewedMemory[]) =>
      merge(
        kept.id,
        others.map(({ id }) => id),
      ),
    believe: (memory: ReviewedMemory) => mutate(() => believe(memory)),
    archive: (memory: ReviewedMemory) => mutate(() => archive(memory)),
  }
}

export type ReviewActions = ReturnType<typeof useReviewActions>
