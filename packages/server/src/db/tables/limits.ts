/** What a user has used in a month: units of a class of requests, or tokens of embeddings. */
export interface UsageTable {
  userId: string
  /** `2026-11`, in UTC. */
  month: string
  kind: string
  units: number
}

/** What one of several servers has counted for a user lately. */
export interface RateCountsTable {
  userId: string
  requestClass: string
  server: string
  /** JSON: pairs of a second since 1970 and how many requests it saw. */
  counts: string
  at: number
}
