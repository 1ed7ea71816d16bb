/** What can be subscribed to. */
export const eventNames = ['message.created', 'message.acknowledged'] as const
export type EventName = (typeof eventNames)[number]

/** What a message can be about. */
export const messageCategories = ['directive', 'question', 'info', 'task', 'alert'] as const
export type MessageCategory = (typeof messageCategories)[number]

/** What a trial sends; nothing else does. */
export const trialEvent = 'webhook.test'
