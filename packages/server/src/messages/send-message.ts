import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { invalid, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { dayMs, isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { AgentContext, VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { queueEvent } from '../webhooks/outbox.ts'
import { callerOf, openInbox } from './inbox.ts'
import {
  categories,
  exampleMessage,
  isVisibleTo,
  targetTypeOf,
  targetTypes,
  templateNames,
  type Category,
  type Envelope,
  type Message,
  type Template,
} from './message.ts'
import { findByExternalWriteId, findEnvelopes, insertMessage } from './store.ts'

/** What a template fills in if the sender leaves it out. */
const templates: Record<Template, { category: Category; priority: number; subject: string }> = {
  task_assignment: { category: 'task', priority: 4, subject: 'Task assignment' },
  status_update: { category: 'info', priority: 2, subject: 'Status update' },
  alert: { category: 'alert', priority: 5, subject: 'Alert' },
  question: { category: 'question', priority: 3, subject: 'Question' },
}

/** Without a template. */
const plain = { category: 'info', priority: 3, subject: undefined } as const

const input = z.object({
  targetId: fields.agentName.describe(
    'The recipient: an agent\'s id, "user" for the person, or "*" for every agent that reads the vault.',
  ),
  targetType: z
    .enum(targetTypes)
    .optional()
    .describe('Derived from targetId. The call fails if the two contradict each other.'),
  content: z.string().min(1).max(10_240).describe('The text, 1 to 10,240 characters.'),
  subject: z.string().max(200).optional().describe("At most 200 characters. Default: the template's, or no subject."),
  category: z
    .enum(categories)
    .optional()
    .meta({ default: plain.category })
    .describe("Default: the template's, or info."),
  priority: fields.importance
    .optional()
    .meta({ default: plain.priority })
    .describe("1 (can wait) to 5 (urgent). Default: the template's, or 3."),
  template: z.enum(templateNames).optional().describe('Fills in category, priority and subject if you leave them out.'),
  parentMessageId: z
    .uuid()
    .optional()
    .describe('The message that you reply to. The reply goes into its thread and vault.'),
  expiresInDays: z.int().min(1).max(365).default(30).describe('Days until it expires, 1 to 365.'),
  externalWriteId: fields.externalWriteId.describe(
    'Idempotency key: a repeated call returns the first message and sends nothing.',
  ),
  ...fields.inVault,
})

type Draft = z.output<typeof input>

export const sendMessage = operation({
  name: 'send-message',
  for: {
    agent: { toolset: 'messages', scopes: ['write'], findVaultId: findParentVaultId },
    person: 'POST /api/messages',
  },
  vault: 'resolved',
  leastRole: 'owner',
  summary: 'Send a message to an agent, to the person, or to all agents of the vault. The recipient sees who sent it.',
  effect: 'write',
  changes: ['messages'],
  input,
  output: z.looseObject({
    messageId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('Whether an earlier message with the same externalWriteId was returned.'),
    targetId: z.string(),
    targetType: z.enum(targetTypes),
    category: z.enum(categories),
    priority: z.int(),
    vaultId: z.uuid(),
    threadId: z.uuid(),
    expiresAt: fields.timestamp,
  }),
  returns: ({ messageId }) => refs('message', messageId),
  examples: {
    input: {
      targetId: 'claude-code',
      template: 'task_assignment',
      content: 'Please review the migration of the billing tables.',
    },
    output: {
      messageId: exampleMessage.messageId,
      created: true,
      idempotent: false,
      targetId: 'claude-code',
      targetType: 'agent',
      category: 'task',
      priority: 4,
      vaultId: exampleMessage.vaultId,
      threadId: exampleMessage.threadId,
      expiresAt: '2026-12-21T09:00:00.000Z',
    },
  },
  created: ({ created }) => created,
  async run(draft, ctx) {
    const { message, wasCreated } = await deliver(ctx, draft)
    return describe(message, wasCreated)
  },
})

const parentOf = z.object({ parentMessageId: z.uuid(), agentId: z.string().optional().catch(undefined) })

/** A reply goes to the vault of its parent, even an expired one, if the caller can see it. */
async function findParentVaultId(
  raw: unknown,
  ctx: Pick<AgentContext, 'actor' | 'db' | 'instance' | 'now'>,
): Promise<string | undefined> {
  const { data } = parentOf.safeParse(raw)
  if (data === undefined) return undefined
  const inbox = await openInbox(ctx, 'read', { agentId: data.agentId })
  const [parent] = await findEnvelopes(ctx.db.read, { ...inbox, at: 0 }, [data.parentMessageId.toLowerCase()])
  return parent !== undefined && isVisibleTo(parent, inbox.reader) ? parent.vaultId : undefined
}

type Sender = Pick<VaultContext, 'actor' | 'db' | 'instance' | 'now' | 'vault'>

/** Writes the message and queues its webhook event in one transaction. */
async function deliver(
  ctx: Sender & Pick<VaultContext, 'about' | 'webhooks'>,
  draft: Draft,
): Promise<{ message: Envelope; wasCreated: boolean }> {
  refuseOtherTarget(draft)
  const { vault } = ctx
  const { externalWriteId } = draft
  // Before the parent is looked up, which may have expired since the first call.
  const repeated = await findByExternalWriteId(ctx.db.read, vault, externalWriteId)
  if (repeated !== undefined) return { message: repeated, wasCreated: false }
  const message = messageOf(ctx, draft, await findParent(ctx, draft))
  const answer = await ctx.db.write(async (tx) => {
    await lockVault(tx, vault)
    // The vault's row is now locked: of two equal messages at once, the second finds the first.
    const first = await findByExternalWriteId(tx, vault, externalWriteId)
    if (first !== undefined) return { message: first, wasCreated: false }
    ctx.about('message', message.messageId)
    await insertMessage(tx, vault, message, externalWriteId)
    await queueEvent(tx, { ...eventOf(vault, message), event: 'message.created', at: message.createdAt })
    return { message, wasCreated: true }
  })
  ctx.webhooks.wake()
  return answer
}

function refuseOtherTarget({ targetId, targetType }: Draft): void {
  const derived = targetTypeOf(targetId)
  if (targetType !== undefined && targetType !== derived)
    throw invalid({ targetId: `means targetType ${derived}, not ${targetType}; leave targetType out` })
}

async function findParent(ctx: Sender, { parentMessageId, agentId }: Draft): Promise<Envelope | undefined> {
  if (parentMessageId === undefined) return undefined
  const { db, vault } = ctx
  const reader = callerOf(ctx, agentId)
  const mayRead = vault.scopes.includes('read')
  const inbox = { userId: vault.userId, vaultIds: mayRead ? [vault.id] : [], at: ctx.now() }
  const [parent] = await findEnvelopes(db.read, inbox, [parentMessageId])
  if (parent === undefined || !isVisibleTo(parent, reader)) throw notFound('Message')
  return parent
}

function messageOf(ctx: Sender, draft: Draft, parent: Envelope | undefined): Message {
  const messageId = newId()
  const at = ctx.now()
  const sender = callerOf(ctx, draft.agentId)
  const defaults = draft.template === undefined ? plain : templates[draft.template]
  return {
    messageId,
    vaultId: ctx.vault.id,
    fromAgentId: sender.id,
    senderType: sender.type,
    integrationId: ctx.actor.integrationId,
    targetId: draft.targetId,
    targetType: targetTypeOf(draft.targetId),
    category: draft.category ?? defaults.category,
    priority: draft.priority ?? defaults.priority,
    subject: draft.subject ?? defaults.subject,
    content: draft.content,
    template: draft.template,
    parentMessageId: draft.parentMessageId,
    threadId: parent?.threadId ?? messageId,
    expiresAt: at + draft.expiresInDays * dayMs,
    createdAt: at,
  }
}

const eventOf = ({ userId }: VaultScope, { messageId, vaultId, category, priority, targetId }: Envelope) => ({
  userId,
  messageId,
  vaultId,
  category,
  priority,
  targetId,
})

const describe = (message: Envelope, created: boolean) => ({
  messageId: message.messageId,
  created,
  idempotent: !created,
  targetId: message.targetId,
  targetType: message.targetType,
  category: message.category,
  priority: message.priority,
  vaultId: message.vaultId,
  threadId: message.threadId,
  expiresAt: isoTime(message.expiresAt),
})
