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
import { useUndo, type OfferUndo } from './use-undo.ts'

const reads: readonly OperationName[] = [...memoryReads, 'list-tasks', 'count-tasks', 'list-notes', 'read-note']

/** Decisions on items, each of which can be undone. Decided items disappear at once, so the next one can be decided meanwhile. */
export function useReviewActions(vaultId: string, judged: Judged) {
  const client = useQueryClient()
  const { run, undoLast } = useUndo()

  /** Hides what is decided until the lists are fetched again. Likely duplicates aren't, so they stay hidden. */
  const hideAndRun = (keys: readonly string[], isLasting: boolean, work: (offerUndo: OfferUndo) => Promise<void>) =>
    run(async (offerUndo) => {
      judged.add(keys)
      const backInReview = async () => {
        judged.drop(keys)
        await refresh(client, reads)
        toast('Back in review')
      }
      try {
        await work((message, undos) => offerUndo(message, undos, backInReview))
      } catch (error) {
        judged.drop(keys)
        throw error
      } finally {
        await refresh(client, reads)
      }
      if (!isLasting) judged.drop(keys)
    })

  const decide = (asked: readonly ReviewItem[], decision: Decision, kept?: ReviewedMemory) => {
    const items = asked.filter((item) => canDecide(item, decision))
    const [first] = items
    if (first === undefined) return
    hideAndRun(items.map(keyOfItem), first.kind === 'duplicate', async (offerUndo) => {
      const undos: Undo[] = []
      try {
        for (const item of items) undos.push(await perform(vaultId, item, decision, kept))
      } finally {
        if (undos.length > 0) offerUndo(describeDecision(first.kind, decision, undos.length), undos)
      }
    })
  }

  return {
    undoLast,
    decide,
    /** Keeps one memory of a pair, which replaces the other one. */
    prefer: (item: ReviewItem, kept: ReviewedMemory) => decide([item], 'accept', kept),
    /** Archives one memory of an item: it is wrong. */
    archive: (item: ReviewItem, memory: ReviewedMemory) =>
      hideAndRun([memory.id], item.kind === 'duplicate', async (offerUndo) =>
        offerUndo(describeDecision('unsure', 'reject', 1), [await archive(vaultId, memory)]),
      ),
    /** Skips items, which is undone like a decision. */
    hide(keys: readonly string[], skipped: Judged) {
      skipped.add(keys)
      run(async (offerUndo) => offerUndo(`${countOf(keys.length, 'item')} skipped`, [async () => skipped.drop(keys)]))
    },
  }
}

export type ReviewActions = ReturnType<typeof useReviewActions>
