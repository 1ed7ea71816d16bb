// Written by `npm run generate` from the events of webhooks; do not edit.

/** A message was sent. */
export interface MessageCreatedEvent {
  event: 'message.created'
  /** Id of the message. Read its content with an agent key. */
  messageId: string
  /** Id of the user who owns the message. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A recipient acknowledged a message. */
export interface MessageAcknowledgedEvent {
  event: 'message.acknowledged'
  /** Id of the message. Read its content with an agent key. */
  messageId: string
  /** Id of the user who owns the message. */
  userId: string
  /** When it happened. */
  timestamp: string
  /** Who acknowledged it, by the name that the agent gave. */
  acknowledgedBy: string
}

/** A test event. Its ids refer to nothing. */
export interface WebhookTestEvent {
  event: 'webhook.test'
  /** Id of the message. Read its content with an agent key. */
  messageId: string
  /** Id of the user who owns the message. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** Distinguished by `event`. */
export type WebhookEvent = MessageCreatedEvent | MessageAcknowledgedEvent | WebhookTestEvent
