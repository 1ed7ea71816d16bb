import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { changesBetween } from './edited-record.tsx'

interface Props<Values extends object> {
  form: Pick<UseFormReturnType<Values>, 'values' | 'errors'>
  /** The fields above, which are always shown. */
  main: readonly (keyof Values & string)[]
  /** The values of a new form. */
  usual: Values
  children: ReactNode
}

/**
 * The fields that most new records need no other value for. It opens by itself when one of them gets another value, as from a draft or a
 * template, and can't be closed while there is something to correct in it.
 */
export function MoreOptions<Values extends object>({ form, main, usual, children }: Props<Values>) {
  const isBelow = (name: string) => !main.some((one) => one === name)
  const isFilled = Object.keys(changesBetween(usual, form.values)).some(isBelow)
  const [wasFilled, setWasFilled] = useState(isFilled)
  const [isOpen, setOpen] = useState(isFilled)
  const hasError = Object.keys(form.errors).some(isBelow)
  if (isFilled !== wasFilled) {
    setWasFilled(isFilled)
    if (isFilled) setOpen(true)
  }
  // It stays open once the error is gone: someone is correcting it.
  if (hasError && !isOpen) setOpen(true)
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        ml={-8}
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={isOpen}
        leftSection={isOpen ? <ChevronDown size={15} aria-hidden /> : <ChevronRight size={15} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        More options
      </Button>
      {isOpen && children}
    </>
  )
}
