import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { inboxFilter, inboxVault, openInbox, readPending } from './inbox.ts'
import { exampleMessage, messageRecord } from './message.ts'

export const pendingMessages = operation({
  name: 'pending-messages',
  for: { agent: { toolset: 'messages', scopes: ['read'] } },
  vault: 'all',
  summary:
    'List messages that this agent has not acknowledged, most urgent first, then oldest. Read all pages before you acknowledge any, because later messages move up.',
  effect: 'read',
  input: z.object({
    priorityMin: inboxFilter.priorityMin,
    limit: fields.limit,
    offset: fields.offset,
    vaultId: inboxVault,
    ...fields.common,
  }),
  output: z.looseObject({
    messages: z.array(messageRecord),
    count: z.int().describe('Messages on all pages.'),
    ...page,
  }),
  returns: ({ messages }) => messages.flatMap(({ messageId: id }) => refs('message', id)),
  examples: {
    input: { priorityMin: 3, agentId: exampleMessage.targetId },
    output: { messages: [exampleMessage], count: 1, total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ priorityMin: least, limit, offset, vaultId, agentId }, ctx) {
    const inbox = await openInbox(ctx, 'read', { vaultId, agentId })
    const { messages, total } = await readPending(ctx, inbox, { limit, offset, priorityMin: least })
    return { messages, count: total, ...pageOf({ limit, offset }, total) }
  },
})
