export const dayMs = 86_400_000

/** ISO 8601 in UTC with milliseconds, the format of all times in the API. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** The same for an optional time, which is null in the API. */
export const isoTimeOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : isoTime(ms))

/** `2026-11-21`, in UTC. */
export const dayOf = (ms: number): string => isoTime(ms).slice(0, 10)

/** When a vault is written to. */
export interface WriteTime {
  /** The vault's change number, from `nextSeq`. */
  seq: number
  /** In milliseconds since 1970. */
  at: number
}
