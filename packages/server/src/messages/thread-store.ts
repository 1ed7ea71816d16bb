import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '../db/schema.ts'
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
import type { Party } from './message.ts'
import { openMessages, type SealedMessages } from './store.ts'

/** The messages of a thread that match a filter. */
export interface Thread {
  threadId: string
  messages: number
  /** Received, and not acknowledged by the reader. */
  pending: number
  /** The highest priority of the pending messages. */
  pendingPriority: number | null
  firstId: string
  latestId: string
  latestAt: number
}

/** Words that a message must contain, all of them, and the keys of the vaults to look for them in. */
interface TextSearch {
  words: readonly string[]
  scopes: ReadonlyMap<string, VaultScope>
}

interface PageAsked {
  limit: number
  offset: number
  search?: TextSearch | undefined
}

/**
 * A page of the inbox's threads, each with its first and its latest message, and the total. Threads with pending messages come
 * first, by the priority of the most urgent one, then those with the newest message. Reads in ranges, like `listMessages`.
 */
export async function listThreadPage(
  db: Reader,
  inbox: Inbox,
  filter: MessageFilter,
  { limit, offset, search }: PageAsked,
): Promise<SealedMessages & { threads: Thread[]; total: number }> {
  const found = new Map<string, Thread>()
  for await (const range of rangesOf(db, inbox, filter))
    for (const part of await (search === undefined
      ? threadsIn(db, inbox, filter, range)
      : threadsWith(db, inbox, filter, { range, search }))) {
      const earlier = found.get(part.threadId)
      found.set(part.threadId, earlier === undefined ? part : join(earlier, part))
    }
  const threads = [...found.values()].toSorted(byUrgency).slice(offset, offset + limit)
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
    .select((where) => [
      where.fn.count<number>(priorityIfPending(where, inbox.reader)).as('pending'),
      where.fn.max<number | null>(priorityIfPending(where, inbox.reader)).as('pendingPriority'),
    ])
    .groupBy('threadId')
    .execute()

/** Null for a message that isn't pending. */
const priorityIfPending = (where: ExpressionBuilder<Tables, 'messages'>, reader: Party) =>
  where
    .case()
    .when(where.and([isReceived(where, reader), where.not(isAcknowledged(where, reader))]))
    .then(where.ref('messages.priority'))
    .end()

/** The newest messages of an inbox. A limit, because a search opens all of them. */
const searchedMessages = 10_000

/** When the oldest message that a search looks into was sent. Undefined if it looks into all. */
export async function findSearchStart(db: Reader, { userId, vaultIds }: Inbox): Promise<number | undefined> {
  if (vaultIds.length === 0) return undefined
  const oldest = await db
    .selectFrom('messages')
    .select('createdAt')
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .orderBy('createdAt', 'desc')
    .offset(searchedMessages)
    .limit(1)
    .executeTakeFirst()
  return oldest === undefined ? undefined : oldest.createdAt + 1
}

/** Like `threadsIn`, of messages that contain the words. No index knows their words, so each is opened. */
async function threadsWith(
  db: Reader,
  inbox: Inbox,
  filter: MessageFilter,
  { range, search }: { range: Range; search: TextSearch },
): Promise<Thread[]> {
  const rows = await inboxQuery(db, inbox, filter, range)
    .selectAll('messages')
    .select((where) => priorityIfPending(where, inbox.reader).as('pendingPriority'))
    .execute()
  const opened = openMessages(search.scopes, { rows, acks: new Map() })
  const matching = new Set(
    opened
      .filter(({ message }) => hasWords(`${message.subject ?? ''} ${message.content}`, search.words))
      .map(({ message }) => message.messageId),
  )
  return rows
    .filter(({ id }) => matching.has(id))
    .map(({ id, threadId, createdAt, pendingPriority }) => ({
      threadId,
      messages: 1,
      pending: pendingPriority === null ? 0 : 1,
      pendingPriority,
      firstId: id,
      latestId: id,
      latestAt: createdAt,
    }))
}

function hasWords(text: string, words: readonly string[]): boolean {
  const folded = foldText(text)
  return words.every((word) => folded.includes(word))
}

const foldText = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The words of a search, as `TextSearch` needs them. */
export const searchWords = (query: string): string[] =>
  foldText(query)
    .split(/\s+/)
    .filter((word) => word !== '')

const join = (a: Thread, b: Thread): Thread => ({
  threadId: a.threadId,
  messages: a.messages + b.messages,
  pending: a.pending + b.pending,
  pendingPriority: a.pending + b.pending === 0 ? null : Math.max(a.pendingPriority ?? 0, b.pendingPriority ?? 0),
  firstId: a.firstId < b.firstId ? a.firstId : b.firstId,
  latestId: a.latestId > b.latestId ? a.latestId : b.latestId,
  latestAt: Math.max(a.latestAt, b.latestAt),
})

const byUrgency = (a: Thread, b: Thread): number =>
  (b.pendingPriority ?? 0) - (a.pendingPriority ?? 0) || b.latestAt - a.latestAt || (a.threadId < b.threadId ? 1 : -1)
