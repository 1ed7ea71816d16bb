import type { UseFormReturnType } from '@mantine/form'
import { CallError } from '../../api/call-error.ts'
import { toastError } from '../../shell/toasts.tsx'

/** Puts what the server says of fields beside them; what belongs to no field of the form is a toast. */
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
