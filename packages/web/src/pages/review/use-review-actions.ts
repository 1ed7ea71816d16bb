import type { ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { useQueryClient } from '@tanstack/react-query'
import type { OperationName } from '../../api/operations.ts'
import { refresh } from '../../api/queries.ts'
import { memoryReads } from '../../components/records/use-memory-actions.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast } from '../../shell/toasts.tsx'
import { describeDecision } from './kinds.ts'
import { archive, canDecide, perform, type Decision, type Undo } from './perform.ts'
import { keyOfItem, type Judged } from './use-judged.ts'
import { useUndo } from './use-undo.ts'

const reads: readonly OperationName[] = [...memoryReads, 'list-tasks', 'count-tasks', 'list-notes', 'read-note']

/** Decisions on items, each of which can be undone. Decided items disappear at once, so the next one can be decided meanwhile. */
export function useReviewActions(vaultId: string, judged: Judged) {
  const client = useQueryClient()
  const { run, offer, undoLast } = useUndo()

  /** Hides what the work decides until the lists are fetched again. Likely duplicates aren't, so they stay hidden. */
  const hideDuring = async (keys: readonly string[], isLasting: boolean, work: () => Promise<void>) => {
    judged.add(keys)
    try {
      await work()
    } catch (error) {
      judged.drop(keys)
      throw error
    } finally {
      await refresh(client, reads)
    }
    if (!isLasting) judged.drop(keys)
  }

  const offerUndo = (message: string, keys: readonly string[], undos: readonly Undo[]) =>
    offer(message, undos, async () => {
      judged.drop(keys)
      await refresh(client, reads)
      toast('Back in review')
    })

  const decide = async (asked: readonly ReviewItem[], decision: Decision, kept?: ReviewedMemory) => {
    const items = asked.filter((item) => canDecide(item, decision))
    const [first] = items
    if (first === undefined) return
    const keys = items.map(keyOfItem)
    await hideDuring(keys, first.kind === 'duplicate', async () => {
      const undos: Undo[] = []
      try {
        for (const item of items) undos.push(await perform(vaultId, item, decision, kept))
      } finally {
        if (undos.length > 0) offerUndo(describeDecision(first.kind, decision, undos.length), keys, undos)
      }
    })
  }

  const archiveOne = (item: ReviewItem, memory: ReviewedMemory) =>
    hideDuring([memory.id], item.kind === 'duplicate', async () => {
      offerUndo(describeDecision('unsure', 'reject', 1), [memory.id], [await archive(vaultId, memory)])
    })

  return {
    undoLast,
    decide: (items: readonly ReviewItem[], decision: Decision) => run(() => decide(items, decision)),
    /** Keeps one memory of a pair, which replaces the other one. */
    prefer: (item: ReviewItem, kept: ReviewedMemory) => run(() => decide([item], 'accept', kept)),
    /** Archives one memory of an item: it is wrong. */
    archive: (item: ReviewItem, memory: ReviewedMemory) => run(() => archiveOne(item, memory)),
    /** Skips items, which is undone like a decision. */
    hide(keys: readonly string[], skipped: Judged) {
      skipped.add(keys)
      offer(`${countOf(keys.length, 'item')} skipped`, [async () => skipped.drop(keys)])
    },
  }
}

export type ReviewActions = ReturnType<typeof useReviewActions>
