import { oneLine } from './one-line.ts'

/** What answers say of records that the server couldn't open. */
interface Incomplete {
  leftOut?: { damagedIds: readonly string[] } | undefined
  /** Of searches. Without vectors or a reranker, an answer lacks no records that are damaged. */
  degraded?: readonly { leg: string; reason: string }[] | undefined
}

const reasonChars = 1_000
const shownIds = 20

/** One line per reason why an answer lacks records, or none. An agent can't repair anything, so each says whom to ask. */
export function leftOutLines({ leftOut, degraded = [] }: Incomplete): string[] {
  const ids = leftOut?.damagedIds ?? []
  const more = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : ''
  const reasons = [
    ...(ids.length === 0
      ? []
      : [`records that are left out, because they are damaged: ${ids.slice(0, shownIds).join(', ')}${more}`]),
    ...degraded.filter(({ leg }) => leg !== 'semantic' && leg !== 'reranker').map(({ reason }) => reason),
  ]
  return [...new Set(reasons)].map(
    (reason) => `incomplete: ${oneLine(reason, reasonChars)}. Ask the user to run: holdfast doctor`,
  )
}
