import type { UseFormReturnType } from '@mantine/form'
import { toastError } from '../../shell/toasts.tsx'
import { CallError, messageOf } from '../../api/call-error.ts'
import { countOf } from '../text/time-text.ts'

/** Shows the server's field errors next to the fields, and all others as a toast. */
export function showErrors<Values extends object>(form: UseFormReturnType<Values>, error: Error): void {
  if (!(error instanceof CallError)) return toastError(error)
  const own = Object.keys(form.getValues())
  const [known, others] = [true, false].map((isOwn) =>
    Object.entries(error.fields).filter(([name]) => own.includes(rootOf(name)) === isOwn),
  ) as [[string, string][], [string, string][]]
  form.setErrors(Object.fromEntries(known.map(([name, message]) => [rootOf(name), message])))
  if (others.length > 0) toastError(new Error(others.map(([name, message]) => `${name}: ${message}`).join('; ')))
  else if (known.length === 0) toastError(error)
}

const rootOf = (name: string) => name.split('.')[0] ?? name

/** The message for a rejected password or code. */
export function explainGuess(error: Error): string {
  if (!isSlowed(error)) return messageOf(error)
  const wait = error.retryAfterSeconds ?? 60
  const waiting = wait < 90 ? countOf(wait, 'second') : countOf(Math.ceil(wait / 60), 'minute')
  return `Too many attempts. Try again in ${waiting}.`
}

const isSlowed = (error: Error): error is CallError => error instanceof CallError && error.status === 429

/** Messages by field name, because the server's own are written for programs. */
const wrongGuesses: Readonly<Record<string, string>> = {
  password: 'This password is wrong.',
  code: 'This code is wrong or was used before. Codes change every 30 seconds.',
}

/** Shows that message next to the field of the password or code. */
export function showGuessErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  field: keyof Values & string,
  error: Error,
): void {
  const wrong = error instanceof CallError ? Object.keys(error.fields).find((name) => name in wrongGuesses) : undefined
  if (isSlowed(error)) form.setErrors({ [field]: explainGuess(error) })
  else if (wrong !== undefined) form.setErrors({ [wrong]: wrongGuesses[wrong] })
  else showErrors(form, error)
}
