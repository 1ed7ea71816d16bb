import { z } from 'zod'
import { refs } from '../calls/records.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import type { Inbox, MessageFilter } from './inbox-store.ts'
import { inboxFilter, inboxVault, openInbox, readInbox, readMessage } from './inbox.ts'
import { exampleMessage, messageId, messageRecord } from './message.ts'

const input = z.object({
  messageId: messageId.optional().describe('Only this message. 404 if you cannot see it.'),
  ...inboxFilter,
  fromAgentId: fields.agentName.optional().describe('Only messages from this sender.'),
  threadId: z.uuid().optional().describe('Only messages in this thread: the id of its first message.'),
  since: fields.timestamp.optional().describe('Only messages sent at or after this time.'),
  includeSent: z.boolean().default(false).describe('Whether to list messages that you sent as well.'),
  limit: fields.limit,
  offset: fields.offset,
  vaultId: inboxVault,
  ...fields.common,
})

export const readMessages = operation({
  name: 'read-messages',
  for: { agent: { toolset: 'messages', scopes: ['read'] }, person: 'GET /api/messages' },
  vault: 'all',
  summary: 'Read the messages to you and to everyone, newest first. Reading does not acknowledge them.',
  effect: 'read',
  outdatedBy: ['messages'],
  alias: 'messageId',
  about: ({ messageId: id }) => refs('message', id),
  input,
  output: z.looseObject({ messages: z.array(messageRecord), ...page }),
  returns: ({ messages }) => messages.flatMap(({ messageId: id }) => refs('message', id)),
  examples: {
    input: { status: 'pending', priorityMin: 3 },
    output: { messages: [exampleMessage], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ messageId: id, limit, offset, vaultId, agentId, ...asked }, ctx) {
    const inbox = await openInbox(ctx, 'read', { vaultId, agentId })
    if (id !== undefined) return { messages: [await readMessage(ctx, inbox, id)], ...pageOf({ limit, offset: 0 }, 1) }
    const { messages, total } = await readInbox(ctx, inbox, filterOf(inbox, asked), { order: 'newest', limit, offset })
    return { messages, ...pageOf({ limit, offset }, total) }
  },
})

type Asked = Omit<z.output<typeof input>, 'messageId' | 'limit' | 'offset' | 'vaultId' | 'agentId'>

function filterOf({ reader }: Inbox, { includeSent, since, box, ...rest }: Asked): MessageFilter {
  const isAgent = reader.type === 'agent'
  const isBoth = (includeSent && box === 'received') || (isAgent && box === 'all')
  return { ...rest, box: isBoth ? 'both' : box, since: since === undefined ? undefined : Date.parse(since) }
}
