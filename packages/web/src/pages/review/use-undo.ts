import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'

/** A decision that was made on this page and can be taken back. */
interface Made {
  undo: () => Promise<void>
  /** Hides its toast. */
  hide: () => void
}

/** What was decided on this page: each decision can be undone once, from its toast or as the last one. */
export function useUndo() {
  const made = useRef<Made[]>([])
  const { mutate: run } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
  })
  const takeBack = (decision: Made) => {
    if (!made.current.includes(decision)) return
    made.current = made.current.filter((one) => one !== decision)
    decision.hide()
    run(decision.undo)
  }
  return {
    /** Runs a step and shows its error. */
    run: (step: () => Promise<void>) => run(step),
    offer(message: string, undo: () => Promise<void>) {
      const decision: Made = { undo, hide: toastUndo(message, () => takeBack(decision)) }
      made.current.push(decision)
    },
    undoLast() {
      const last = made.current.at(-1)
      if (last === undefined) toast('Nothing to undo on this page')
      else takeBack(last)
    },
  }
}
