// Written by `npm run generate` from the events of webhooks; do not edit.

/** A message was sent. */
export interface MessageCreatedEvent {
  event: 'message.created'
  /** The message; its content is read with a key. */
  messageId: string
  /** The message's owner. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A message was acknowledged by one of its addressees. */
export interface MessageAcknowledgedEvent {
  event: 'message.acknowledged'
  /** The message; its content is read with a key. */
  messageId: string
  /** The message's owner. */
  userId: string
  /** When it happened. */
  timestamp: string
  /** Who acknowledged it, as claimed. */
  acknowledgedBy: string
}

/** A test event. Its ids refer to nothing. */
export interface WebhookTestEvent {
  event: 'webhook.test'
  /** The message; its content is read with a key. */
  messageId: string
  /** The message's owner. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** Distinguished by `event`. */
export type WebhookEvent = MessageCreatedEvent | MessageAcknowledgedEvent | WebhookTestEvent
