import type { Sealed } from '../../crypto/cell.ts'

/** A call that was made, or reads of one kind by one caller within a minute, counted. */
export interface ActivityTable {
  userId: string
  /** The id of its request, as in the log; of several, that of the first. */
  id: string
  at: number
  vaultId: string | null
  actor: 'agent' | 'person' | 'operator' | 'service' | 'stranger'
  integrationId: string | null
  /** The agent's key, or the person's session or token. */
  credentialId: string | null
  operation: string
  class: string
  recordId: string | null
  /** Of which kind that record is, as `operation/records.ts` names it. */
  recordKind: string | null
  /** How many records it was about; `recordId` is the first of them. */
  records: number
  calls: number
  status: number
  /** The other end of the connection, sealed under the instance key: also who failed to sign in has one, and holds no other. */
  address: Sealed | null
}
