import type { UseFormReturnType } from '@mantine/form'
import { CallError, messageOf } from '../../api/call-error.ts'
import { showErrors } from './field-errors.ts'
import { countOf } from '../text/time-text.ts'

/** What is said where a password or a code was not taken. */
export function explainGuess(error: Error): string {
  if (!isSlowed(error)) return messageOf(error)
  const wait = error.retryAfterSeconds ?? 60
  const waiting = wait < 90 ? countOf(wait, 'second') : countOf(Math.ceil(wait / 60), 'minute')
  return `There were too many attempts. Try again in ${waiting}.`
}

const isSlowed = (error: Error): error is CallError => error instanceof CallError && error.status === 429

/** As the server names the fields; what it says of them is worded for programs. */
const wrongGuesses: Readonly<Record<string, string>> = {
  password: 'This is not your password.',
  code: 'This code is not right, or was used before. Codes change every 30 seconds.',
}

/** The same beside the field that holds the guess. */
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
