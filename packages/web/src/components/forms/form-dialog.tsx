import { Modal, type ModalProps } from '@mantine/core'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { isOtherPlace, UnsavedQuestion, useLeaveQuestion } from './unsaved.tsx'

interface Props extends Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'zIndex' | 'returnFocus'> {
  /** Receives a function that closes the dialog without asking, for the Cancel button and for a form that is saved. */
  children: (close: () => void) => ReactNode
}

/** A dialog with a form. Once something is typed, Escape, a click outside and leaving the page ask before discarding it. */
export function FormDialog({ onClose, children, ...props }: Props) {
  const isTyped = useRef(false)
  const isUnsaved = useCallback(() => isTyped.current, [])
  const mark = useCallback((typed: boolean) => void (isTyped.current = typed), [])
  const [isClosing, setClosing] = useState(false)
  const leaving = useLeaveQuestion(isUnsaved, isOtherPlace)
  const isAsking = isClosing || leaving.isAsking
  const close = () => {
    isTyped.current = false
    setClosing(false)
    onClose()
  }
  const stay = () => (isClosing ? setClosing(false) : leaving.stay())
  return (
    <>
      <Modal
        {...props}
        // Later, because the question would take the same Escape as its answer.
        onClose={() => (isTyped.current ? void setTimeout(() => setClosing(true)) : close())}
        // Escape then answers the question.
        closeOnEscape={!isAsking}
      >
        <Typed onMark={mark} close={close}>
          {children}
        </Typed>
      </Modal>
      <UnsavedQuestion isOpen={isAsking} onStay={stay} onLeave={isClosing ? close : leaving.leave} />
    </>
  )
}

interface TypedProps extends Pick<Props, 'children'> {
  onMark: (typed: boolean) => void
  close: () => void
}

/** Notes that a person changed a field, also one that a picker shows elsewhere on the page. */
function Typed({ onMark, close, children }: TypedProps) {
  useEffect(() => {
    onMark(false)
    return () => onMark(false)
  }, [onMark])
  return <div onInput={() => onMark(true)}>{children(close)}</div>
}
