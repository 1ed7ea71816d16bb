import type { Sealed } from '../../crypto/cell.ts'
import type { BinaryId } from '../binary-ids.ts'

/** A call, or all reads of one kind by one caller within a minute. */
export interface ActivityTable {
  userId: string
  /** The id of its request, as in the log. For several calls, of the first one. */
  id: BinaryId
  at: number
  vaultId: BinaryId | null
  actor: 'agent' | 'person' | 'operator' | 'service' | 'stranger'
  integrationId: BinaryId | null
  /** The person who called, if they are a member of the vault and not its owner, to whom the row belongs. */
  memberId: BinaryId | null
  /** The agent's key, or the person's session or token. */
  credentialId: BinaryId | null
  operation: string
  class: string
  recordId: BinaryId | null
  /** The kind of that record, as `calls/records.ts` names it. */
  recordKind: string | null
  /** How many records it was about; `recordId` is the first of them. */
  records: number
  calls: number
  status: number
  /** The other end of the connection. Sealed under the instance key, the only key there is for a failed sign-in. */
  address: Sealed | null
}

/** What a user has used in a month: units of a class of requests, or tokens of embeddings. */
export interface UsageTable {
  userId: string
  /** `2026-11`, in UTC. */
  month: string
  kind: string
  units: number
}

/** The requests of a user that one of several servers has counted lately. */
export interface RateCountsTable {
  userId: string
  requestClass: string
  server: string
  /** JSON: pairs of a second since 1970 and its number of requests. */
  counts: string
  at: number
}

/** How many values fell into each slot of a histogram: see `calls/histogram.ts`. */
type Slots = Record<SlotColumn, number>
export type SlotColumn = `s${'0' | '1' | '2'}${Digit}` | 's30' | 's31'
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** An agent's calls of one operation on one day, by duration or by length of the answers. */
export interface CallCountsTable extends Slots {
  userId: string
  /** `2026-11-21`, in UTC. */
  day: string
  integrationId: string
  operation: string
  /** What the slots count: milliseconds of successful calls, or characters of the answer. */
  measure: 'ms' | 'chars'
  calls: number
  /** Failed calls, without the refused ones. */
  errors: number
  /** Refused by a limit or a quota. */
  refused: number
  /** Tokens used for embedding. */
  tokens: number
}
