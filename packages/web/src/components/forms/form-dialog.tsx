import { Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Typed, useTypedForm } from './typed-form.tsx'
import { isOtherPlace } from './unsaved.tsx'
import { useIsOnPhone } from '../../shell/use-is-on-phone.ts'

interface Props extends Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'zIndex' | 'returnFocus'> {
  /** The form keeps what is typed as a draft, so closing it doesn't ask. */
  keepsDraft?: boolean
  /** Receives a function that closes the dialog without asking, for the Cancel button and for a form that is saved. */
  children: (close: () => void) => ReactNode
}

/** A dialog with a form, which takes the whole screen of a phone. Once something is typed, Escape, a click outside and leaving the page ask before discarding it. */
export function FormDialog({ onClose, keepsDraft = false, children, ...props }: Props) {
  const isOnPhone = useIsOnPhone()
  const form = useTypedForm({ onClose, isLeaving: isOtherPlace, keepsDraft })
  return (
    <>
      {/* While the question is open, Escape answers it. */}
      <Modal {...props} fullScreen={isOnPhone} onClose={form.tryClose} closeOnEscape={!form.isAsking}>
        <Typed frame={form.frame} onMark={form.mark}>
          {children(form.close)}
        </Typed>
      </Modal>
      {form.question}
    </>
  )
}
