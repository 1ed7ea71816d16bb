// Written by `npm run generate` from the events of webhooks; do not edit.

/** A message was sent. */
export interface MessageCreatedEvent {
  event: 'message.created'
  /** Id of the message. Read its content with an agent key. */
  messageId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A recipient acknowledged a message. */
export interface MessageAcknowledgedEvent {
  event: 'message.acknowledged'
  /** Id of the message. Read its content with an agent key. */
  messageId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
  /** Who acknowledged it, by the name that the agent gave. */
  acknowledgedBy: string
}

/** A memory was created. */
export interface MemoryCreatedEvent {
  event: 'memory.created'
  /** Id of the memory. Read its content with an agent key. */
  memoryId: string
  /** Id of the vault that holds the memory. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A memory was updated, restored, superseded or moved here from another vault. */
export interface MemoryUpdatedEvent {
  event: 'memory.updated'
  /** Id of the memory. Read its content with an agent key. */
  memoryId: string
  /** Id of the vault that holds the memory. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A memory was archived. */
export interface MemoryArchivedEvent {
  event: 'memory.archived'
  /** Id of the memory. Read its content with an agent key. */
  memoryId: string
  /** Id of the vault that holds the memory. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A memory was deleted permanently. */
export interface MemoryDeletedEvent {
  event: 'memory.deleted'
  /** Id of the memory. */
  memoryId: string
  /** Id of the vault that holds the memory. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A task was created. */
export interface TaskCreatedEvent {
  event: 'task.created'
  /** Id of the task. Read its content with an agent key. */
  taskId: string
  /** Id of the vault that holds the task. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A task was updated or restored. */
export interface TaskUpdatedEvent {
  event: 'task.updated'
  /** Id of the task. Read its content with an agent key. */
  taskId: string
  /** Id of the vault that holds the task. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A task was done. */
export interface TaskCompletedEvent {
  event: 'task.completed'
  /** Id of the task. Read its content with an agent key. */
  taskId: string
  /** Id of the vault that holds the task. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A task was archived. */
export interface TaskArchivedEvent {
  event: 'task.archived'
  /** Id of the task. Read its content with an agent key. */
  taskId: string
  /** Id of the vault that holds the task. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A task was deleted permanently. */
export interface TaskDeletedEvent {
  event: 'task.deleted'
  /** Id of the task. */
  taskId: string
  /** Id of the vault that holds the task. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A note was created. */
export interface NoteCreatedEvent {
  event: 'note.created'
  /** Id of the note. Read its content with an agent key. */
  noteId: string
  /** Id of the vault that holds the note. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A note was updated, moved or restored. */
export interface NoteUpdatedEvent {
  event: 'note.updated'
  /** Id of the note. Read its content with an agent key. */
  noteId: string
  /** Id of the vault that holds the note. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A note was moved to the trash. */
export interface NoteTrashedEvent {
  event: 'note.trashed'
  /** Id of the note. Read its content with an agent key. */
  noteId: string
  /** Id of the vault that holds the note. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A note was deleted permanently. */
export interface NoteDeletedEvent {
  event: 'note.deleted'
  /** Id of the note. */
  noteId: string
  /** Id of the vault that holds the note. */
  vaultId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** A test event. Its ids refer to nothing. */
export interface WebhookTestEvent {
  event: 'webhook.test'
  /** Id of the message. Read its content with an agent key. */
  messageId: string
  /** Id of the user who owns the record. */
  userId: string
  /** When it happened. */
  timestamp: string
}

/** Distinguished by `event`. */
export type WebhookEvent = MessageCreatedEvent | MessageAcknowledgedEvent | MemoryCreatedEvent | MemoryUpdatedEvent | MemoryArchivedEvent | MemoryDeletedEvent | TaskCreatedEvent | TaskUpdatedEvent | TaskCompletedEvent | TaskArchivedEvent | TaskDeletedEvent | NoteCreatedEvent | NoteUpdatedEvent | NoteTrashedEvent | NoteDeletedEvent | WebhookTestEvent
