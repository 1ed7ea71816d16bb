import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { exampleMessage, messageRecord } from './message.ts'
import { inboxFilter, openPersonsInbox } from './persons-inbox.ts'
import { describeSealed } from './read-inbox.ts'
import { listThreadPage } from './thread-store.ts'

const threadRecord = z
  .looseObject({
    threadId: z.uuid().describe('The id of its first message.'),
    messages: z.int().describe('Of the thread that pass the filter; all that is said here is of these.'),
    pending: z.int().describe('To you, and not acknowledged.'),
    first: messageRecord,
    latest: messageRecord.describe('The same as `first` where there is one alone.'),
  })
  .meta({ id: 'MessageThread' })

const toPerson = { ...exampleMessage, targetId: 'user', targetType: 'user' as const }

export const listThreads = operation({
  name: 'list-threads',
  for: { person: 'GET /api/messages/threads' },
  summary: 'Messages in your vaults by thread: first where something waits for you, then the newest.',
  effect: 'read',
  outdatedBy: ['messages'],
  input: z.object({ ...inboxFilter, limit: fields.limit, offset: fields.offset }),
  output: z.looseObject({ threads: z.array(threadRecord), ...page }),
  examples: {
    input: { status: 'pending' },
    output: {
      threads: [{ threadId: toPerson.threadId, messages: 1, pending: 1, first: toPerson, latest: toPerson }],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ vaultId, limit, offset, ...filter }, ctx) {
    const inbox = await openPersonsInbox(ctx, vaultId)
    const { threads, total, ...sealed } = await listThreadPage(ctx.db.read, inbox, filter, { limit, offset })
    const byId = new Map((await describeSealed(ctx, sealed)).map((message) => [message.messageId, message]))
    return {
      threads: threads.flatMap(({ threadId, messages, pending, firstId, latestId }) => {
        const [first, latest] = [byId.get(firstId), byId.get(latestId)]
        // Deleted between the two queries.
        if (first === undefined || latest === undefined) return []
        return [{ threadId, messages, pending, first, latest }]
      }),
      ...pageOf({ limit, offset }, total),
    }
  },
})
