import type { VaultScope } from '../crypto/keys.ts'
import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { dayMs, isoTime } from '../core/time.ts'
import type { AgentContext, VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { lockVault } from '../vault-index/lock-store.ts'
import { queueEvent } from '../webhooks/outbox.ts'
import {
  categories,
  exampleMessage,
  isVisibleTo,
  targetTypeOf,
  targetTypes,
  templateNames,
  type Envelope,
  type Message,
} from './message.ts'
import { callerOf, openInbox } from './open-inbox.ts'
import { findByExternalWriteId, findEnvelopes, insertMessage } from './store.ts'
import { plain, templates } from './templates.ts'

const input = z.object({
  targetId: fields.agentName.describe(
    'Who it is for: the id of an agent, "user" for the person, "*" for every agent that reads the vault.',
  ),
  targetType: z.enum(targetTypes).optional().describe('Follows from targetId; refused where it says something else.'),
  content: z.string().min(1).max(10_240).describe('What to say, 1 to 10,240 characters.'),
  subject: z.string().max(200).optional().describe("At most 200 characters. Default: the template's, else none."),
  category: z
    .enum(categories)
    .optional()
    .meta({ default: plain.category })
    .describe("Default: the template's, else info."),
  priority: fields.importance
    .optional()
    .meta({ default: plain.priority })
    .describe("1 (some time) to 5 (at once). Default: the template's, else 3."),
  template: z
    .enum(templateNames)
    .optional()
    .describe('Fills in category, priority and subject where they are left out.'),
  parentMessageId: z
    .uuid()
    .optional()
    .describe('The message that this one answers: it is then sent in the same thread and vault.'),
  expiresInDays: z.int().min(1).max(365).default(30).describe('Days until it expires, 1 to 365.'),
  externalWriteId: fields.externalWriteId.describe(
    'Idempotency key: a repeat answers with the first message and sends nothing.',
  ),
  ...fields.inVault,
})

type Input = z.output<typeof input>

export const sendMessage = operation({
  name: 'send-message',
  scopes: ['write'],
  vault: 'resolved',
  findVaultId: findParentVaultId,
  summary: 'Send a message to an agent, to the person, or to all agents of the vault.',
  effect: 'write',
  input,
  output: z.looseObject({
    messageId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('True where an earlier message with the same externalWriteId answered.'),
    targetId: z.string(),
    targetType: z.enum(targetTypes),
    category: z.enum(categories),
    priority: z.int(),
    vaultId: z.uuid(),
    threadId: z.uuid(),
    expiresAt: fields.timestamp,
  }),
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
    refuseOtherTarget(draft)
    const { vault } = ctx
    const { externalWriteId } = draft
    // Before the parent: that one may have expired since the first call.
    const repeated = await findByExternalWriteId(ctx.db.read, vault, externalWriteId)
    if (repeated !== undefined) return describe(repeated, false)
    const message = messageOf(ctx, draft, await findParent(ctx, draft))
    const answer = await ctx.db.write(async (tx) => {
      if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
      // The vault's row is locked from here on: of two equal messages at once, the second sees the first.
      const first = await findByExternalWriteId(tx, vault, externalWriteId)
      if (first !== undefined) return describe(first, false)
      await insertMessage(tx, vault, message, externalWriteId)
      await queueEvent(tx, { ...eventOf(vault, message), event: 'message.created', at: message.createdAt })
      return describe(message, true)
    })
    ctx.webhooks.wake()
    return answer
  },
})

function refuseOtherTarget({ targetId, targetType }: Input): void {
  const derived = targetTypeOf(targetId)
  if (targetType !== undefined && targetType !== derived)
    throw invalid({ targetId: `stands for targetType ${derived}, not ${targetType}; leave targetType out` })
}

async function findParent(ctx: VaultContext, { parentMessageId, agentId }: Input): Promise<Envelope | undefined> {
  if (parentMessageId === undefined) return undefined
  const { db, vault } = ctx
  const reader = callerOf(ctx, agentId)
  const mayRead = vault.scopes.includes('read')
  const inbox = { userId: vault.userId, vaultIds: mayRead ? [vault.id] : [], at: ctx.now() }
  const [parent] = await findEnvelopes(db.read, inbox, [parentMessageId])
  if (parent === undefined || !isVisibleTo(parent, reader)) throw notFound('Message')
  return parent
}

const parentOf = z.object({ parentMessageId: z.uuid(), agentId: z.string().optional().catch(undefined) })

/** A reply goes where its parent lies, expired or not, if the caller can see it. */
async function findParentVaultId(raw: unknown, ctx: AgentContext): Promise<string | undefined> {
  const { data } = parentOf.safeParse(raw)
  if (data === undefined) return undefined
  const inbox = await openInbox(ctx, 'read', { agentId: data.agentId })
  const [parent] = await findEnvelopes(ctx.db.read, { ...inbox, at: 0 }, [data.parentMessageId.toLowerCase()])
  return parent !== undefined && isVisibleTo(parent, inbox.reader) ? parent.vaultId : undefined
}

function messageOf(ctx: VaultContext, draft: Input, parent: Envelope | undefined): Message {
  const messageId = newId()
  const at = ctx.now()
  const sender = callerOf(ctx, draft.agentId)
  const defaults = draft.template === undefined ? plain : templates[draft.template]
  return {
    messageId,
    vaultId: ctx.vault.id,
    fromAgentId: sender.id,
    senderType: sender.type,
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
