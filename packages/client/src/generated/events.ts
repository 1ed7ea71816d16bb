// Written by `npm run generate` from the events of webhooks; do not edit.

/** A message was sent. */
export interface MessageCreatedEvent {
  event: 'message.created'
  /** The message; its content is read with a key. */
  messageId: string
  /** Whose message it is. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A message was acknowledged by one of its addressees. */
export interface MessageAcknowledgedEvent {
  event: 'message.acknowledged'
  /** The message; its content is read with a key. */
  messageId: string
  /** Whose message it is. */
  userId: string
  /** When it happened. */
  timestamp: string
  /** Who acknowledged it, as claimed. */
  acknowledgedBy: string
}

/** A trial; its ids are of nothing. */
export interface WebhookTestEvent {
  event: 'webhook.test'
  /** The message; its content is read with a key. */
  messageId: string
  /** Whose message it is. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** Told apart by `event`. */
export type WebhookEvent = MessageCreatedEvent | MessageAcknowledgedEvent | WebhookTestEvent
