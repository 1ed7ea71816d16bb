import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { dayMs } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { queueEvent } from '../webhooks/outbox.ts'
import {
  categories,
  isVisibleTo,
  targetTypeOf,
  targetTypes,
  templateNames,
  type Category,
  type Envelope,
  type Message,
  type TargetType,
  type Template,
} from './message.ts'
import { callerOf } from './open-inbox.ts'
import { findByExternalWriteId, findEnvelopes, insertMessage } from './store.ts'
import { plain, templates } from './templates.ts'

/** What a sender may say of a message. */
export const draftFields = {
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
}

export interface Draft {
  targetId: string
  targetType?: TargetType | undefined
  content: string
  subject?: string | undefined
  category?: Category | undefined
  priority?: number | undefined
  template?: Template | undefined
  parentMessageId?: string | undefined
  expiresInDays: number
  externalWriteId?: string | undefined
  agentId?: string | undefined
}

/** Writes the message and queues its event in one transaction. A repeat of an `externalWriteId` answers with the first one. */
export async function deliverMessage(
  ctx: VaultContext,
  draft: Draft,
): Promise<{ message: Envelope; wasCreated: boolean }> {
  refuseOtherTarget(draft)
  const { vault } = ctx
  const { externalWriteId } = draft
  // Before the parent: that one may have expired since the first call.
  const repeated = await findByExternalWriteId(ctx.db.read, vault, externalWriteId)
  if (repeated !== undefined) return { message: repeated, wasCreated: false }
  const message = messageOf(ctx, draft, await findParent(ctx, draft))
  const answer = await ctx.db.write(async (tx) => {
    if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
    // The vault's row is locked from here on: of two equal messages at once, the second sees the first.
    const first = await findByExternalWriteId(tx, vault, externalWriteId)
    if (first !== undefined) return { message: first, wasCreated: false }
    ctx.concerns('message', message.messageId)
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
    throw invalid({ targetId: `stands for targetType ${derived}, not ${targetType}; leave targetType out` })
}

async function findParent(ctx: VaultContext, { parentMessageId, agentId }: Draft): Promise<Envelope | undefined> {
  if (parentMessageId === undefined) return undefined
  const { db, vault } = ctx
  const reader = callerOf(ctx, agentId)
  const mayRead = vault.scopes.includes('read')
  const inbox = { userId: vault.userId, vaultIds: mayRead ? [vault.id] : [], at: ctx.now() }
  const [parent] = await findEnvelopes(db.read, inbox, [parentMessageId])
  if (parent === undefined || !isVisibleTo(parent, reader)) throw notFound('Message')
  return parent
}

function messageOf(ctx: VaultContext, draft: Draft, parent: Envelope | undefined): Message {
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
