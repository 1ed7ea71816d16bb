import type { z } from 'zod'
import { version } from '../core/version.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** What a server answered, which may be of another version than this command line. */
export function readAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const { data, error } = schema.safeParse(answer)
  if (error === undefined) return data
  const other =
    typeof answer === 'object' && answer !== null && 'version' in answer ? ` (${String(answer.version)})` : ''
  throw new CommandError(
    exitCodes.failure,
    `The server is of another version${other} than this command line (${version}): its answer was not understood.`,
    'Use the command line of the checkout that the server runs from, or restart the server after an upgrade.',
  )
}
