import type { Reader } from '../db/dialect.ts'
import {
  findRows,
  inboxQuery,
  isAcknowledged,
  isReceived,
  listAcks,
  rangesOf,
  type Inbox,
  type MessageFilter,
  type Range,
} from './inbox-store.ts'
import type { SealedMessages } from './store.ts'

/** The messages of a thread that match a filter. */
export interface Thread {
  threadId: string
  messages: number
  /** Received, and not acknowledged by the reader. */
  pending: number
  firstId: string
  latestId: string
  latestAt: number
}

/**
 * A page of the inbox's threads, each with its first and its latest message, and the total. Threads with pending messages come
 * first, then those with the newest message. Reads in ranges, like `listMessages`.
 */
export async function listThreadPage(
  db: Reader,
  inbox: Inbox,
  filter: MessageFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<SealedMessages & { threads: Thread[]; total: number }> {
  const found = new Map<string, Thread>()
  for await (const range of rangesOf(db, inbox, filter))
    for (const part of await threadsIn(db, inbox, filter, range)) {
      const earlier = found.get(part.threadId)
      found.set(part.threadId, earlier === undefined ? part : join(earlier, part))
    }
  const threads = [...found.values()].toSorted(byWaiting).slice(offset, offset + limit)
  const rows = await findRows(db, inbox, [...new Set(threads.flatMap(({ firstId, latestId }) => [firstId, latestId]))])
  return { threads, total: found.size, rows, acks: await listAcks(db, inbox, rows) }
}

/** The smallest id belongs to the first message, the largest to the latest: ids rise with time. */
const threadsIn = (db: Reader, inbox: Inbox, filter: MessageFilter, range: Range): Promise<Thread[]> =>
  inboxQuery(db, inbox, filter, range)
    .select('threadId')
    .select(({ fn }) => [
      fn.countAll<number>().as('messages'),
      fn.min<string>('messages.id').as('firstId'),
      fn.max<string>('messages.id').as('latestId'),
      fn.max<number>('createdAt').as('latestAt'),
    ])
    .select((where) =>
      where.fn
        .count<number>(
          where
            .case()
            .when(where.and([isReceived(where, inbox.reader), where.not(isAcknowledged(where, inbox.reader))]))
            .then(1)
            .end(),
        )
        .as('pending'),
    )
    .groupBy('threadId')
    .execute()

const join = (a: Thread, b: Thread): Thread => ({
  threadId: a.threadId,
  messages: a.messages + b.messages,
  pending: a.pending + b.pending,
  firstId: a.firstId < b.firstId ? a.firstId : b.firstId,
  latestId: a.latestId > b.latestId ? a.latestId : b.latestId,
  latestAt: Math.max(a.latestAt, b.latestAt),
})

const byWaiting = (a: Thread, b: Thread): number =>
  Number(b.pending > 0) - Number(a.pending > 0) || b.latestAt - a.latestAt || (a.threadId < b.threadId ? 1 : -1)
