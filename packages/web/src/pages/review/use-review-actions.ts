import type { ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { useQueryClient } from '@tanstack/react-query'
import type { OperationName } from '../../api/operations.ts'
import { refresh } from '../../api/queries.ts'
import { memoryReads } from '../../components/records/use-memory-actions.ts'
import { reportUndone, type UndoResult, type UndoStep } from '../../components/records/undo-each.ts'
import { countOf } from '../../components/text/time-text.ts'
import { describeDecision } from './kinds.ts'
import { archive, canDecide, perform, type Decision } from './perform.ts'
import { keyOfItem, titleOfItem, type Judged } from './use-judged.ts'
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
      const backInReview = async (result: UndoResult) => {
        await refresh(client, reads)
        reportUndone(result, 'Back in review')
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
      const done: (UndoStep | undefined)[] = []
      try {
        for (const item of items) {
          const undo = await perform(vaultId, item, decision, kept)
          done.push(undo && showAgain(judged, titleOfItem(item), keyOfItem(item), undo))
        }
      } finally {
        const undos = done.filter((one) => one !== undefined)
        if (done.length > 0) offerUndo(describeDecision(first.kind, decision, done.length), undos)
      }
    })
  }

  return {
    undoLast,
    decide,
    /** Keeps one memory of a pair, which replaces the other one. */
    prefer: (item: ReviewItem, kept: ReviewedMemory) => decide([item], 'accept', kept),
    /** Archives one memory of an item: it is wrong. */
    archive: (item: ReviewItem, { id, title }: ReviewedMemory) =>
      hideAndRun([id], item.kind === 'duplicate', async (offerUndo) => {
        const undo = await archive(vaultId, id)
        offerUndo(describeDecision('unsure', 'reject', 1), [showAgain(judged, title, id, undo)])
      }),
    /** Skips items, which is undone like a decision. */
    hide(keys: readonly string[], skipped: Judged) {
      skipped.add(keys)
      const undo = async () => skipped.drop(keys)
      run(async (offerUndo) => offerUndo(`${countOf(keys.length, 'item')} skipped`, [{ title: '', undo }]))
    },
  }
}

/** An item whose decision can't be undone stays hidden. */
const showAgain = (judged: Judged, title: string, key: string, undo: () => Promise<unknown>): UndoStep => ({
  title,
  async undo() {
    await undo()
    judged.drop([key])
  },
})

export type ReviewActions = ReturnType<typeof useReviewActions>
