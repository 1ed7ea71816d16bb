import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import { undoEach, type UndoResult, type UndoStep } from '../../components/records/undo-each.ts'

/** A decision that was made on this page and can be taken back. */
interface Made {
  /** Which of the page's decisions it is. Servers answer later decisions first if those take less work. */
  number: number
  undo: () => Promise<void>
  /** Hides its toast. */
  hide: () => void
}

/** `undos`: of what was done, in its order. If none of it can be undone, there is only the message. */
export type OfferUndo = (message: string, undos: readonly UndoStep[], after?: After) => void

type After = (result: UndoResult) => Promise<void>

/** What was decided on this page: each decision can be undone once, from its toast or as the last one. */
export function useUndo() {
  const started = useRef(0)
  const made = useRef<Made[]>([])
  const running = useRef(new Set<Promise<void>>())
  const { mutate } = useMutation({
    async mutationFn(step: () => Promise<void>) {
      const work = step()
      running.current.add(work)
      try {
        await work
      } finally {
        running.current.delete(work)
      }
    },
    onError: (error) => toastError(error),
  })
  const takeBack = (decision: Made) => {
    if (!made.current.includes(decision)) return
    made.current = made.current.filter((one) => one !== decision)
    decision.hide()
    mutate(decision.undo)
  }
  const offer = (number: number, message: string, undos: readonly UndoStep[], after?: After) => {
    if (undos.length === 0) return toast(message)
    const undo = async () => {
      const result = await undoEach(undos.toReversed())
      await after?.(result)
    }
    const decision: Made = { number, undo, hide: toastUndo(message, () => takeBack(decision)) }
    made.current.push(decision)
  }
  return {
    /** Runs a decision, which offers to undo it, and shows its error. */
    run(decide: (offerUndo: OfferUndo) => Promise<void>) {
      const number = ++started.current
      mutate(() => decide((message, undos, after) => offer(number, message, undos, after)))
    },
    /** A decision hides its item at once and may still be on its way to the server. */
    async undoLast() {
      await Promise.allSettled(running.current)
      const last = made.current.toSorted((one, other) => one.number - other.number).at(-1)
      if (last === undefined) toast('Nothing to undo on this page')
      else takeBack(last)
    },
  }
}
