export const dayMs = 86_400_000

/** ISO 8601 in UTC with milliseconds, as all times are on the wire. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** The same where there may be no time: null on the wire. */
export const isoTimeOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : isoTime(ms))

/** `2026-11-21`, in UTC. */
export const dayOf = (ms: number): string => isoTime(ms).slice(0, 10)
