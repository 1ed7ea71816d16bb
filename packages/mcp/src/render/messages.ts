import { findKeyLabel, printParty, printSender, type Message } from '@holdfast/client'
import { dated, displayName } from './one-line.ts'
import { item, type Item } from './recall-fence.ts'

/** Prints a message in full, because no other tool reads it. */
export const messageItem = (message: Message, now: number, vaultName: string): Item =>
  item(
    {
      id: `msg:${message.messageId}`,
      from: printSender({
        name: message.fromAgentId,
        type: message.senderType,
        keyLabel: findKeyLabel(message.fromAgentId, message.sentBy),
        trust: message.trust,
      }),
      to: displayName(message.targetId),
      category: message.category,
      priority: message.priority,
      sent: dated(message.createdAt, now),
      status: message.status,
      acknowledged: message.acknowledgedBy === null ? undefined : printAcker(message.acknowledgedBy, message),
      note: message.ackNote ?? undefined,
      vault: vaultName,
      thread: message.threadId === message.messageId ? undefined : message.threadId,
      subject: message.subject ?? undefined,
    },
    message.content,
  )

/** Who acknowledged an imported message is a claim of the file. */
const printAcker = (name: string, { acknowledgedWith, trust }: Message): string =>
  trust === 'imported' ? 'imported' : `by ${printParty(name, findKeyLabel(name, acknowledgedWith))}`
