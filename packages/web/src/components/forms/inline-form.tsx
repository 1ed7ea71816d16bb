import { Box } from '@mantine/core'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { isEscape } from './is-escape.ts'
import { Typed, useTypedForm } from './typed-form.tsx'
import { isOtherPath, type Place } from './unsaved.tsx'

interface Props {
  label: string
  onClose: () => void
  /** Receives a function that closes the form without asking. */
  children: (close: () => void) => ReactNode
}

/** A form in place of the record that it edits. The flag `edit` in the URL opens it. Filters of the list may change meanwhile. */
export function InlineForm({ label, onClose, children }: Props) {
  const form = useTypedForm(onClose, isLeavingEdit)
  const frame = useRef<HTMLElement>(null)
  useEffect(() => frame.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true }), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEscape(event) || form.isAsking) return
    // The panel around the form stays open.
    event.preventDefault()
    form.tryClose()
  }
  return (
    <>
      <Box component="section" ref={frame} aria-label={label} onKeyDown={onKeyDown}>
        <Typed onMark={form.mark}>{children(form.close)}</Typed>
      </Box>
      {form.question}
    </>
  )
}

const isLeavingEdit = (from: Place, to: Place) =>
  isOtherPath(from, to) || (to.search as { edit?: unknown }).edit !== true
