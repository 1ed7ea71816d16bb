/** Events that a webhook can subscribe to. */
export const messageEvents = ['message.created', 'message.acknowledged'] as const

const recordEvents = [
  'memory.created',
  'memory.updated',
  'memory.archived',
  'memory.deleted',
  'task.created',
  'task.updated',
  'task.completed',
  'task.archived',
  'task.deleted',
  'note.created',
  'note.updated',
  'note.trashed',
  'note.deleted',
] as const

export const eventNames = [...messageEvents, ...recordEvents] as const
export type EventName = (typeof eventNames)[number]
export type RecordEventName = (typeof recordEvents)[number]

export const messageCategories = ['directive', 'question', 'info', 'task', 'alert'] as const
export type MessageCategory = (typeof messageCategories)[number]

/** The types of memories that events can be limited to. Tasks have events of their own. */
export const memoryEventTypes = ['fact', 'skill', 'preference', 'constraint', 'episodic', 'correction'] as const

/** Sent only by test-webhook. */
export const trialEvent = 'webhook.test'
