import type { Sealed } from '../../crypto/cell.ts'

/** Who sent it and whom it is for lie open, as ids of agents do; what it says is sealed. */
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
  /** The id of the thread's first message, which has its own. */
  threadId: string
  externalTag: Uint8Array | null
  /** Sealed JSON of subject and content. */
  body: Sealed
  expiresAt: number
  createdAt: number
}

/** That one recipient has acknowledged a message: a broadcast has a row for each who did. */
export interface MessageAcksTable {
  userId: string
  vaultId: string
  messageId: string
  recipientType: string
  recipientId: string
  note: Sealed | null
  acknowledgedAt: number
}
