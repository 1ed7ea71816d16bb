import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import type { Undo } from './perform.ts'

/** A decision that was made on this page and can be taken back. */
interface Made {
  undo: () => Promise<void>
  /** Hides its toast. */
  hide: () => void
}

/** What was decided on this page: each decision can be undone once, from its toast or as the last one. */
export function useUndo() {
  const made = useRef<Made[]>([])
  const running = useRef(new Set<Promise<void>>())
  const { mutate: run } = useMutation({
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
    run(decision.undo)
  }
  return {
    /** Runs a step and shows its error. */
    run: (step: () => Promise<void>) => run(step),
    /** `undos`: of what was done, in its order. If none of it can be undone, there is only the message. */
    offer(message: string, undos: readonly Undo[], after?: () => Promise<void>) {
      const able = undos.filter((one) => one !== undefined)
      if (able.length === 0) return toast(message)
      const undo = async () => {
        for (const one of able.toReversed()) await one()
        await after?.()
      }
      const decision: Made = { undo, hide: toastUndo(message, () => takeBack(decision)) }
      made.current.push(decision)
    },
    /** A decision hides its item at once and may still be on its way to the server. */
    async undoLast() {
      await Promise.allSettled(running.current)
      const last = made.current.at(-1)
      if (last === undefined) toast('Nothing to undo on this page')
      else takeBack(last)
    },
  }
}
