import type { Sealed } from '../../crypto/cell.ts'

/** A subscription: which events go to which URL. */
export interface WebhooksTable {
  id: string
  userId: string
  /** Null: records of all of the user's vaults, and messages without a vault. */
  vaultId: string | null
  /** Names of events, separated by commas. */
  events: string
  /** Categories of messages, separated by commas; null for all. */
  categories: string | null
  /** Types of memories, separated by commas; null for all. */
  memoryTypes: string | null
  minPriority: number | null
  targetId: string | null
  isActive: number
  /** Sealed JSON of the URL and the secrets. */
  endpoint: Sealed
  endpointRevision: number
  errorCount: number
  lastError: Sealed | null
  lastErrorRevision: number
  lastDeliveryAt: number | null
  /** Attempts of the last few minutes, which the circuit breaker counts. */
  windowStartedAt: number
  windowAttempts: number
  windowFailures: number
  /** While set, at most one attempt a minute; the next one from this time. */
  heldUntil: number | null
  version: number
  createdAt: number
  updatedAt: number
}

/** The delivery of one event to one subscription. */
export interface WebhookDeliveriesTable {
  id: string
  userId: string
  webhookId: string
  /** The `webhook-id` header: the same for all subscriptions and attempts. */
  eventId: string
  vaultId: string | null
  event: string
  /** The message, memory, task or note that the event is about. */
  recordId: string
  /** The exact bytes that are signed and sent: ids, the event's name, a time, an agent's id. */
  body: string
  state: 'pending' | 'delivered' | 'dead'
  /** How many attempts have started since it was queued. */
  attempt: number
  /** When the next attempt is due; during an attempt, when that one counts as lost. */
  dueAt: number
  leaseOwner: string | null
  /** Rises with each lease, so a worker that has lost its lease can't overwrite its successor. */
  fence: number
  lastStatus: number | null
  lastAttemptAt: number | null
  /** Sealed JSON of the last few attempts. */
  attempts: Sealed | null
  attemptsRevision: number
  createdAt: number
  /** When it was queued or finished. Old rows are deleted by this time. */
  changedAt: number
}
