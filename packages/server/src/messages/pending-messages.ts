import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { exampleMessage, inboxVault, messageRecord, priorityMin } from './message.ts'
import { openInbox } from './open-inbox.ts'
import { readPending } from './read-inbox.ts'

export const pendingMessages = operation({
  name: 'pending-messages',
  for: { agent: { scopes: ['read'] } },
  vault: 'all',
  summary:
    'List what this agent has yet to acknowledge: the most urgent first, then the oldest. Read all pages before you acknowledge: what follows moves up.',
  effect: 'read',
  input: z.object({ priorityMin, limit: fields.limit, offset: fields.offset, vaultId: inboxVault, ...fields.common }),
  output: z.looseObject({
    messages: z.array(messageRecord),
    count: z.int().describe('How many there are, on all pages.'),
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
