import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { exampleMessage, messageId, messageRecord } from './message.ts'
import { inboxFilter, openPersonsInbox } from './persons-inbox.ts'
import { readInbox, readMessage } from './read-inbox.ts'

export const browseMessages = operation({
  name: 'browse-messages',
  for: { person: 'GET /api/messages' },
  summary:
    'Messages in your vaults: those to you, from you, among your agents. The newest first; or the one with an id.',
  effect: 'read',
  outdatedBy: ['messages'],
  about: ({ id }) => refs('message', id),
  input: z.object({
    id: messageId.optional().describe('Only this one, as `message`.'),
    ...inboxFilter,
    fromAgentId: fields.agentName.optional().describe('Only messages of this sender.'),
    threadId: z.uuid().optional().describe('Only messages of this thread: the id of its first message.'),
    limit: fields.limit,
    offset: fields.offset,
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
    const inbox = await openPersonsInbox(ctx, vaultId)
    if (id !== undefined) return { message: await readMessage(ctx, inbox, id) }
    const { messages, total } = await readInbox(ctx, inbox, filter, { order: 'newest', limit, offset })
    return { messages, ...pageOf({ limit, offset }, total) }
  },
})
