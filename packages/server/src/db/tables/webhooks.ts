import type { Sealed } from '../../crypto/cell.ts'

/** A subscription: which events go to which URL. */
export interface WebhooksTable {
  id: string
  userId: string
  /** Null: for messages of all of the user's vaults, and for those without a vault. */
  vaultId: string | null
  /** Names of events, separated by commas. */
  events: string
  /** Categories of messages, separated by commas; null for all. */
  categories: string | null
  minPriority: number | null
  targetId: string | null
  isActive: number
  /** Sealed JSON of the URL and the secrets. */
  endpoint: Sealed
  errorCount: number
  lastError: Sealed | null
  lastDeliveryAt: number | null
  /** The attempts of the last few minutes, by which the breaker goes. */
  windowStartedAt: number
  windowAttempts: number
  windowFailures: number
  /** While set, one attempt a minute at most; the next one from this time. */
  heldUntil: number | null
  version: number
  createdAt: number
  updatedAt: number
}

/** What one subscription is to be sent about one event. */
export interface WebhookDeliveriesTable {
  id: string
  userId: string
  webhookId: string
  /** The `webhook-id` header: the same for all subscriptions and attempts. */
  eventId: string
  vaultId: string | null
  event: string
  messageId: string
  /** The exact bytes that are signed and sent: ids, a name of an event, a time, an agent's id. */
  body: string
  state: 'pending' | 'delivered' | 'dead'
  /** How many were begun since it was queued. */
  attempt: number
  /** The next attempt's time; while one is under way the time at which it is given up for lost. */
  dueAt: number
  leaseOwner: string | null
  /** Rises with each lease, so that whoever has lost one cannot write over its successor. */
  fence: number
  lastStatus: number | null
  lastAttemptAt: number | null
  /** Sealed JSON of the last few attempts. */
  attempts: Sealed | null
  createdAt: number
  /** When it was queued or finished: its age for the clearing of old rows. */
  changedAt: number
}
