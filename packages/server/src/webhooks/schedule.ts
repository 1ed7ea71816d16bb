const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The wait before each attempt, from the end of the one before: the example of Standard Webhooks, 75 h 35 min in all. */
export const delaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

const jitter = 0.2

/**
 * How long to wait after attempt number `attempt` has failed, or undefined where it was the last. Spread by ±20 %, so that
 * what failed together does not return together. A Retry-After is followed up to twice the wait that is due.
 */
export function waitAfter(
  attempt: number,
  { retryAfterMs, random }: { retryAfterMs: number | undefined; random: number },
): number | undefined {
  const due = delaysMs[attempt]
  if (due === undefined) return undefined
  const spread = due * (1 - jitter + 2 * jitter * random)
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, 2 * due)))
}

/** Seconds or an HTTP date; undefined for anything else. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * second
  // Dates of other forms have an hour or a zone that one must guess.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
