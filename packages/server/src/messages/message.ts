import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { describeSentBy, sentBy, type Integrations } from '../operation/sent-by.ts'
import { trustLevels, type Trust } from '../operation/writer.ts'

/**
 * A message in code, on the wire and in contracts.
 *
 * - target: the id of an agent, `user` for the person who owns the vault, `*` for everyone who reads the vault.
 * - received: addressed to the reader or to everyone, and not sent by the reader.
 * - pending: received, not expired, and not acknowledged by the reader. Each recipient of a broadcast acknowledges it separately.
 * - thread: a message and all replies below it. Its id is the first message's id.
 * - visible: received or sent; for people, everything in their vaults.
 */

export const categories = ['directive', 'question', 'info', 'task', 'alert'] as const
export type Category = (typeof categories)[number]

export const targetTypes = ['agent', 'user', 'broadcast'] as const
export type TargetType = (typeof targetTypes)[number]

export const templateNames = ['task_assignment', 'status_update', 'alert', 'question'] as const
export type Template = (typeof templateNames)[number]

/** The part of a message that isn't encrypted. */
export interface Envelope {
  messageId: string
  vaultId: string
  fromAgentId: string
  senderType: Party['type']
  /** Whose key sent it; undefined for people. */
  integrationId: string | undefined
  targetId: string
  targetType: TargetType
  category: Category
  priority: number
  template: Template | undefined
  parentMessageId: string | undefined
  threadId: string
  expiresAt: number
  createdAt: number
}

export interface Message extends Envelope {
  subject: string | undefined
  content: string
  /** A file brought it, so this instance doesn't know its sender. */
  isImported?: boolean | undefined
}

/** Who sends or receives. A person and an agent with the same id are different parties. */
export interface Party {
  type: 'agent' | 'user'
  id: string
}

export interface Ack {
  messageId: string
  by: Party
  /** Whose key acknowledged it; undefined for people. */
  integrationId: string | undefined
  note: string | undefined
  at: number
}

export const targetTypeOf = (targetId: string): TargetType =>
  targetId === '*' ? 'broadcast' : targetId === 'user' ? 'user' : 'agent'

export const isSentBy = (
  { senderType, fromAgentId }: { senderType: string; fromAgentId: string },
  { type, id }: Party,
): boolean => senderType === type && fromAgentId === id

/** Whether the party is a recipient, and so can acknowledge it. */
export function isAddressedTo(message: Envelope, party: Party): boolean {
  if (message.targetType === 'broadcast') return !isSentBy(message, party)
  return message.targetType === party.type && message.targetId === party.id
}

/** A person sees everything in their vaults, including messages between agents. */
export const isVisibleTo = (message: Envelope, party: Party): boolean =>
  party.type === 'user' || isAddressedTo(message, party) || isSentBy(message, party)

export const messageId = z.uuid().describe('Id of the message.')

export const messageRecord = z
  .looseObject({
    messageId: z.uuid(),
    id: z.uuid(),
    vaultId: z.uuid(),
    fromAgentId: z.string().describe('The name that the sender gave.'),
    senderType: z.enum(['agent', 'user']),
    sentBy: sentBy.describe('The integration whose key sent it; null if a person did, or if it is not known.'),
    trust: z
      .enum(trustLevels)
      .describe('`user_authored`: a person sent it. `imported`: it came from a file, and its sender is a claim.'),
    targetId: z.string(),
    targetType: z.enum(targetTypes),
    category: z.enum(categories),
    priority: z.int(),
    subject: z.string().nullable(),
    content: z.string(),
    template: z.enum(templateNames).nullable(),
    status: z
      .enum(['pending', 'acknowledged'])
      .describe('Whether the reader acknowledged it. For messages to others: whether anyone did.'),
    acknowledgedAt: fields.timestamp.nullable(),
    acknowledgedBy: z.string().nullable().describe('The name that the recipient gave.'),
    acknowledgedWith: sentBy.describe('The integration whose key acknowledged it; null as in `sentBy`.'),
    ackNote: z.string().nullable(),
    parentMessageId: z.uuid().nullable(),
    threadId: z.uuid(),
    expiresAt: fields.timestamp,
    createdAt: fields.timestamp,
  })
  .meta({ id: 'Message' })

export type MessageRecord = z.infer<typeof messageRecord>

export const describeMessage = (message: Message, ack: Ack | undefined, integrations: Integrations): MessageRecord => ({
  messageId: message.messageId,
  id: message.messageId,
  vaultId: message.vaultId,
  fromAgentId: message.fromAgentId,
  senderType: message.senderType,
  sentBy: describeSentBy(integrations, message.integrationId),
  trust: trustOf(message),
  targetId: message.targetId,
  targetType: message.targetType,
  category: message.category,
  priority: message.priority,
  subject: message.subject ?? null,
  content: message.content,
  template: message.template ?? null,
  status: ack === undefined ? 'pending' : 'acknowledged',
  acknowledgedAt: isoTimeOrNull(ack?.at),
  acknowledgedBy: ack?.by.id ?? null,
  acknowledgedWith: describeSentBy(integrations, ack?.integrationId),
  ackNote: ack?.note ?? null,
  parentMessageId: message.parentMessageId ?? null,
  threadId: message.threadId,
  expiresAt: isoTime(message.expiresAt),
  createdAt: isoTime(message.createdAt),
})

function trustOf({ isImported, senderType }: Message): Trust {
  if (isImported === true) return 'imported'
  return senderType === 'user' ? 'user_authored' : 'agent_authored'
}

export const exampleMessage: MessageRecord = {
  messageId: '0198c5f0-0000-7000-8000-000000000301',
  id: '0198c5f0-0000-7000-8000-000000000301',
  vaultId: '0198c5f0-0000-7000-8000-000000000001',
  fromAgentId: 'planner',
  senderType: 'agent',
  sentBy: { integrationId: '0198c5f0-0000-7000-8000-000000000012', label: 'Desk', agentId: 'planner' },
  trust: 'agent_authored',
  targetId: 'claude-code',
  targetType: 'agent',
  category: 'task',
  priority: 4,
  subject: 'Task assignment',
  content: 'Please review the migration of the billing tables.',
  template: 'task_assignment',
  status: 'pending',
  acknowledgedAt: null,
  acknowledgedBy: null,
  acknowledgedWith: null,
  ackNote: null,
  parentMessageId: null,
  threadId: '0198c5f0-0000-7000-8000-000000000301',
  expiresAt: '2026-12-21T09:00:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
}
