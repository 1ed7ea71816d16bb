import type { Sealed } from '../../crypto/cell.ts'

/** Sender and target are plain, like all ids of agents. The text is sealed. */
export interface MessagesTable {
  id: string
  userId: string
  vaultId: string
  fromAgentId: string
  senderType: string
  targetId: string
  targetType: string
  category: string
  priority: number
  template: string | null
  parentMessageId: string | null
  /** The id of the thread's first message. A message that starts a thread has its own. */
  threadId: string
  externalTag: Uint8Array | null
  /** Sealed JSON of subject and content. */
  body: Sealed
  expiresAt: number
  createdAt: number
  /** Whose key sent it; null for people, and for messages from before this was kept. */
  integrationId: string | null
}

/** A recipient's acknowledgement of a message. A broadcast has a row for each recipient that acknowledged it. */
export interface MessageAcksTable {
  userId: string
  vaultId: string
  messageId: string
  recipientType: string
  recipientId: string
  note: Sealed | null
  acknowledgedAt: number
  /** Whose key acknowledged it; null as in `messages`. */
  integrationId: string | null
}
