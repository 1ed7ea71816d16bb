import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { exampleMessage, messageRecord } from './message.ts'
import { describeSealed, inboxFilter, inboxVault, openInbox, unlockVaults } from './inbox.ts'
import { findSearchStart, listThreadPage, searchWords } from './thread-store.ts'

const threadRecord = z
  .looseObject({
    threadId: z.uuid().describe('The id of its first message.'),
    messages: z.int().describe('Messages in the thread that match the filter. The other fields describe only these.'),
    pending: z.int().describe('Messages to you that you have not acknowledged.'),
    pendingPriority: z
      .int()
      .nullable()
      .describe('The highest priority of the pending messages; null if there are none.'),
    first: messageRecord,
    latest: messageRecord.describe('The same as `first` if there is only one.'),
  })
  .meta({ id: 'MessageThread' })

const toPerson = { ...exampleMessage, targetId: 'user', targetType: 'user' as const }

export const listThreads = operation({
  name: 'list-threads',
  for: { person: 'GET /api/messages/threads' },
  vault: 'all',
  summary:
    'List messages in your vaults by thread: first threads with messages that wait for you, most urgent first, then the newest.',
  effect: 'read',
  outdatedBy: ['messages'],
  input: z.object({
    ...inboxFilter,
    q: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Only messages that contain all of these words, or parts of words. Searches the newest 10,000 messages.',
      ),
    vaultId: inboxVault,
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({
    threads: z.array(threadRecord),
    searchedFrom: fields.timestamp
      .optional()
      .describe('With `q`, if there are more than 10,000 messages: older ones were not searched.'),
    ...page,
  }),
  examples: {
    input: { status: 'pending' },
    output: {
      threads: [
        {
          threadId: toPerson.threadId,
          messages: 1,
          pending: 1,
          pendingPriority: toPerson.priority,
          first: toPerson,
          latest: toPerson,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ vaultId, limit, offset, q, ...filter }, ctx) {
    const { read } = ctx.db
    const inbox = await openInbox(ctx, 'read', { vaultId })
    const since = q === undefined ? undefined : await findSearchStart(read, inbox)
    const search =
      q === undefined ? undefined : { words: searchWords(q), scopes: await unlockVaults(ctx, inbox.vaultIds) }
    const asked = { limit, offset, search }
    const { threads, total, ...sealed } = await listThreadPage(read, inbox, { ...filter, since }, asked)
    const byId = new Map((await describeSealed(ctx, sealed)).map((message) => [message.messageId, message]))
    return {
      threads: threads.flatMap(({ threadId, messages, pending, pendingPriority, firstId, latestId }) => {
        const [first, latest] = [byId.get(firstId), byId.get(latestId)]
        // Deleted between the queries.
        if (first === undefined || latest === undefined) return []
        return [{ threadId, messages, pending, pendingPriority, first, latest }]
      }),
      ...(since !== undefined && { searchedFrom: isoTime(since) }),
      ...pageOf({ limit, offset }, total),
    }
  },
})
