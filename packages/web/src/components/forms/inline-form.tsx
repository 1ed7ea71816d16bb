import { Box } from '@mantine/core'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { isEscape } from './is-escape.ts'
import { isSending } from './typed-form.tsx'

interface Props {
  label: string
  onClose: () => void
  children: ReactNode
}

/** A form in place of the record that it edits. The flag `edit` in the URL opens it. It keeps what is typed as a draft, so Escape closes it. */
export function InlineForm({ label, onClose, children }: Props) {
  const frame = useRef<HTMLElement>(null)
  useEffect(() => frame.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true }), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEscape(event)) return
    // The panel around the form stays open.
    event.preventDefault()
    if (!isSending(frame.current)) onClose()
  }
  return (
    <Box component="section" ref={frame} aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </Box>
  )
}
