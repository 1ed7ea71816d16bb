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

/** How often a value lay in each slot of a histogram: see `limits/histogram.ts`. */
type Slots = Record<SlotColumn, number>
export type SlotColumn = `s${'0' | '1' | '2'}${Digit}` | 's30' | 's31'
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** What an agent has called on a day: one operation, told by the time or by the length of its answers. */
export interface CallCountsTable extends Slots {
  userId: string
  /** `2026-11-21`, in UTC. */
  day: string
  integrationId: string
  operation: string
  /** What the slots hold: milliseconds of those that were answered, or characters of the answer. */
  measure: 'ms' | 'chars'
  calls: number
  /** Those that failed, but for the refused. */
  errors: number
  /** By a limit or a quota. */
  refused: number
  /** Of embeddings. */
  tokens: number
}

/** How much a vault held when it was last measured: records of a kind, and the bytes of what is sealed of them. */
export interface VaultSizesTable {
  userId: string
  vaultId: string
  kind: string
  records: number
  bytes: number
}

/** Up to which change a vault was measured. */
export interface VaultMeasuresTable {
  userId: string
  vaultId: string
  seq: number
  measuredAt: number
}
