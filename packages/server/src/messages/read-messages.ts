import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { categories, exampleMessage, inboxVault, messageRecord, priorityMin } from './message.ts'
import { openInbox } from './open-inbox.ts'
import { readInbox } from './read-inbox.ts'

export const readMessages = operation({
  name: 'read-messages',
  for: { agent: { scopes: ['read'] } },
  vault: 'all',
  summary: 'Read the messages to this agent and to all, the newest first. Reading acknowledges nothing.',
  effect: 'read',
  input: z.object({
    status: z
      .enum(['pending', 'acknowledged', 'all'])
      .default('all')
      .describe('Only messages that this agent has, or has not, acknowledged.'),
    category: z.enum(categories).optional().describe('Only messages of this category.'),
    priorityMin,
    fromAgentId: fields.agentName.optional().describe('Only messages of this sender.'),
    threadId: z.uuid().optional().describe('Only messages of this thread: the id of its first message.'),
    since: fields.timestamp.optional().describe('Only messages sent at or after this moment.'),
    includeSent: z.boolean().default(false).describe('Whether messages that this agent has sent are listed as well.'),
    limit: fields.limit,
    offset: fields.offset,
    vaultId: inboxVault,
    ...fields.common,
  }),
  output: z.looseObject({ messages: z.array(messageRecord), ...page }),
  returns: ({ messages }) => messages.flatMap(({ messageId: id }) => refs('message', id)),
  examples: {
    input: { status: 'pending', priorityMin: 3 },
    output: { messages: [exampleMessage], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ limit, offset, vaultId, agentId, since, includeSent, ...filter }, ctx) {
    const inbox = await openInbox(ctx, 'read', { vaultId, agentId })
    const from = since === undefined ? undefined : Date.parse(since)
    const wanted = { ...filter, box: includeSent ? ('both' as const) : ('received' as const), since: from }
    const { messages, total } = await readInbox(ctx, inbox, wanted, { order: 'newest', limit, offset })
    return { messages, ...pageOf({ limit, offset }, total) }
  },
})
