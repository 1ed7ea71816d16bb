import type { Advisory } from './ask-advisories.ts'

/** A known vulnerability that nobody has fixed yet, on the day when somebody looked at it. */
export interface Accepted {
  /** The advisory's id, the last part of its URL. */
  id: string
  /** The day, as in 2026-11-26. */
  foundOn: string
  /** Why it can wait, such as that the code isn't reached. */
  why: string
}

/** Empty is normal. Delete an entry with the update that fixes it. */
export const acceptedAdvisories: readonly Accepted[] = []

const graceDays = 7
const dayMs = 86_400_000

/**
 * The serious advisories that fail the audit: those that nobody has looked at, and those that were accepted more than a week ago. So no serious
 * vulnerability stays known for longer.
 */
export const findOverdue = (
  found: readonly Advisory[],
  accepted: readonly Accepted[],
  now: number = Date.now(),
): Advisory[] => {
  const waiting = new Set(
    accepted.filter(({ foundOn }) => now - Date.parse(foundOn) <= graceDays * dayMs).map(({ id }) => id),
  )
  return found.filter(({ id, severity }) => ['high', 'critical'].includes(severity) && !waiting.has(id))
}
