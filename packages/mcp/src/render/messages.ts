import { printParty, type Message } from '@holdfast/client'
import { dated } from './one-line.ts'
import { item } from './recall-fence.ts'

/** Prints a message in full, because no other tool reads it. */
export const messageItem = (message: Message, now: number, vaultName: string): string =>
  item(
    {
      id: `msg:${message.messageId}`,
      from: printParty(message.fromAgentId, message.senderType),
      to: message.targetId,
      category: message.category,
      priority: message.priority,
      sent: dated(message.createdAt, now),
      status: message.status,
      note: message.ackNote ?? undefined,
      vault: vaultName,
      thread: message.threadId === message.messageId ? undefined : message.threadId,
      subject: message.subject ?? undefined,
    },
    message.content,
  )
