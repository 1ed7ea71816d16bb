import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { dashboardOperation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { boxes } from './inbox-store.ts'
import { categories, exampleMessage, messageId, messageRecord } from './message.ts'
import { openInbox } from './open-inbox.ts'
import { readInbox, readMessage } from './read-inbox.ts'

export const browseMessages = dashboardOperation({
  name: 'browse-messages',
  method: 'GET',
  path: '/api/messages',
  summary: 'Messages to you and to all, from all of your vaults, the newest first; or the one with an id.',
  effect: 'read',
  input: z.object({
    id: messageId.optional().describe('Only this one, as `message`.'),
    vaultId: z.uuid().optional().describe('Only messages of this vault. Default: those of all of your vaults.'),
    box: z.enum(boxes).default('received').describe('What you have received, what you have sent, or both.'),
    status: z
      .enum(['pending', 'acknowledged', 'all'])
      .default('all')
      .describe('Only messages that you have, or have not, acknowledged; of those that you sent, that anyone has.'),
    category: z.enum(categories).optional().describe('Only messages of this category.'),
    priorityMin: fields.queryImportance.optional().describe('Only messages of this priority or more.'),
    fromAgentId: fields.agentName.optional().describe('Only messages of this sender.'),
    threadId: z.uuid().optional().describe('Only messages of this thread: the id of its first message.'),
    limit: fields.queryLimit,
    offset: fields.queryOffset,
  }),
  output: z.union([
    z.looseObject({ messages: z.array(messageRecord), ...page }),
    z.looseObject({ message: messageRecord }),
  ]),
  examples: {
    input: { status: 'pending' },
    output: {
      messages: [{ ...exampleMessage, targetId: 'user', targetType: 'user' }],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ id, vaultId, limit, offset, ...filter }, ctx) {
    const { db, actor } = ctx
    if (vaultId !== undefined && (await findVaultKeys(db.read, actor.userId, vaultId)) === undefined)
      throw notFound('Vault')
    const inbox = await openInbox(ctx, 'read', { vaultId })
    if (id !== undefined) return { message: await readMessage(ctx, inbox, id) }
    const { messages, total } = await readInbox(ctx, inbox, filter, { order: 'newest', limit, offset })
    return { messages, ...pageOf({ limit, offset }, total) }
  },
})
