import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { UnsavedQuestion, useLeaveQuestion } from './unsaved.tsx'

interface Options {
  onClose: () => void
  isLeaving: Parameters<typeof useLeaveQuestion>[1]
  /** The form keeps what is typed as a draft, so there is nothing to ask about. */
  keepsDraft: boolean
}

/** A form that asks once before typed text is discarded: by Escape, by leaving the page or by reloading it. */
export function useTypedForm({ onClose, isLeaving, keepsDraft }: Options) {
  const frame = useRef<HTMLDivElement>(null)
  const isTyped = useRef(false)
  const isUnsaved = useCallback(() => isTyped.current && !keepsDraft, [keepsDraft])
  const mark = useCallback((typed: boolean) => void (isTyped.current = typed), [])
  const [isClosing, setClosing] = useState(false)
  const leaving = useLeaveQuestion(isUnsaved, isLeaving)
  const isAsking = isClosing || leaving.isAsking
  const close = () => {
    isTyped.current = false
    setClosing(false)
    onClose()
  }
  const stay = () => (isClosing ? setClosing(false) : leaving.stay())
  return {
    frame,
    mark,
    isAsking,
    /** Without asking, for the Cancel button and for a form that is saved. */
    close,
    /** Asks later, because the question would take the same Escape as its answer. */
    tryClose() {
      if (isSending(frame.current)) return
      if (isUnsaved()) setTimeout(() => setClosing(true))
      else close()
    },
    question: <UnsavedQuestion isOpen={isAsking} onStay={stay} onLeave={isClosing ? close : leaving.leave} />,
  }
}

/**
 * While a form is sent (`aria-busy`), it stays open: its answer would close one that was opened again, an error would show nowhere, and
 * what is sent again would exist twice.
 */
export const isSending = (frame: HTMLElement | null): boolean => frame?.querySelector('form[aria-busy=true]') != null

interface TypedProps {
  frame: RefObject<HTMLDivElement | null>
  onMark: (typed: boolean) => void
  children: ReactNode
}

/** Notes that a person changed a field, also one that a picker shows elsewhere on the page. */
export function Typed({ frame, onMark, children }: TypedProps) {
  useEffect(() => {
    onMark(false)
    return () => onMark(false)
  }, [onMark])
  return (
    <div ref={frame} onInput={() => onMark(true)}>
      {children}
    </div>
  )
}
