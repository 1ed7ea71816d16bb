/** Events that a webhook can subscribe to. */
export const eventNames = ['message.created', 'message.acknowledged'] as const
export type EventName = (typeof eventNames)[number]

export const messageCategories = ['directive', 'question', 'info', 'task', 'alert'] as const
export type MessageCategory = (typeof messageCategories)[number]

/** Sent only by test-webhook. */
export const trialEvent = 'webhook.test'
