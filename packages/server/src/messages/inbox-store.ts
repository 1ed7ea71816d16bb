import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { Reader } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import type { MessageAcksTable, MessagesTable } from '../db/tables/messages.ts'
import { isSentBy, isVisibleTo, type Category, type Party } from './message.ts'
import { findEnvelopes, type SealedMessages } from './store.ts'

/** What a reader can see at a given time: messages of certain vaults that haven't expired. */
export interface Inbox {
  userId: string
  vaultIds: readonly string[]
  reader: Party
  at: number
}

export const boxes = ['received', 'sent', 'agents', 'all'] as const

/** `both`: received and sent. `agents`: between agents. `all`: everything in the vaults, only for people. */
type Box = (typeof boxes)[number] | 'both'

export interface MessageFilter {
  status: 'pending' | 'acknowledged' | 'all'
  box: Box
  category?: Category | undefined
  priorityMin?: number | undefined
  fromAgentId?: string | undefined
  /** From or to this agent. */
  withAgentId?: string | undefined
  threadId?: string | undefined
  /** Sent at this time or later. */
  since?: number | undefined
}

interface Listing {
  /** `urgent`: by priority, then oldest first. */
  order: 'newest' | 'urgent'
  limit: number
  offset: number
}

/** Messages read in one step per column that leads to the reader. A step takes about 20 ms; other requests run in between. */
const messagesAtOnce = 2500

/**
 * A page of the inbox, and the total. There may be any number of messages, for example broadcasts, and no index knows which ones
 * the reader has acknowledged. So they are read in ranges of time.
 */
export async function listMessages(
  db: Reader,
  inbox: Inbox,
  filter: MessageFilter,
  { order, limit, offset }: Listing,
): Promise<SealedMessages & { total: number }> {
  let places: Place[] = []
  let total = 0
  for await (const range of rangesOf(db, inbox, filter)) {
    const most = Math.min(offset + limit, 1e9)
    const found = await placesIn(db, inbox, range, { ...filter, order, limit: most })
    total += found[0]?.total ?? 0
    places = [...places, ...found].toSorted(order === 'urgent' ? byUrgency : byAge).slice(0, offset + limit)
  }
  const rows = await findRows(
    db,
    inbox,
    places.slice(offset).map(({ id }) => id),
  )
  return { rows, acks: await listAcks(db, inbox, rows), total }
}

/** One message, or no row if the reader can't see it. */
export async function findMessage(db: Reader, inbox: Inbox, id: string): Promise<SealedMessages> {
  const [envelope] = await findEnvelopes(db, inbox, [id])
  const isSeen = envelope !== undefined && isVisibleTo(envelope, inbox.reader)
  const rows = isSeen ? await findRows(db, inbox, [id]) : []
  return { rows, acks: await listAcks(db, inbox, rows) }
}

/** The total of `listMessages`. */
export async function countMessages(db: Reader, inbox: Inbox, filter: MessageFilter): Promise<number> {
  let total = 0
  for await (const range of rangesOf(db, inbox, filter)) {
    const { count } = await inboxQuery(db, inbox, filter, range)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    total += count
  }
  return total
}

/** Messages with a time after `after` and up to `until`, if given. */
export interface Range {
  by: 'expiresAt' | 'createdAt'
  after: number
  until: number | undefined
}

export async function* rangesOf(db: Reader, inbox: Inbox, filter: MessageFilter): AsyncGenerator<Range> {
  if (inbox.vaultIds.length === 0) return
  // Indexes order what a reader received or sent by expiry, and all messages of a vault by creation.
  const by = isReaders(filter.box) ? 'expiresAt' : 'createdAt'
  let after = by === 'expiresAt' ? inbox.at : -1
  while (true) {
    const until = await findRangeEnd(db, inbox, filter, { by, after })
    yield { by, after, until }
    if (until === undefined) return
    after = until
    await nextTurn()
  }
}

const isReaders = (box: Box): boolean => box !== 'agents' && box !== 'all'

async function findRangeEnd(
  db: Reader,
  { userId, vaultIds, reader }: Inbox,
  { box }: MessageFilter,
  { by, after }: Omit<Range, 'until'>,
): Promise<number | undefined> {
  const ways = isReaders(box)
    ? [
        ...(box === 'sent' ? [] : targetIdsOf(reader).map((id) => ['targetId', id] as const)),
        ...(box === 'received' ? [] : [['fromAgentId', reader.id] as const]),
      ]
    : vaultIds.map((id) => ['vaultId', id] as const)
  const ends: number[] = []
  for (const [column, id] of ways) {
    const end = await db
      .selectFrom('messages')
      .select(`${by} as at`)
      .where('userId', '=', userId)
      .where(column, '=', id)
      .where(by, '>', after)
      .orderBy(by)
      .offset(messagesAtOnce - 1)
      .limit(1)
      .executeTakeFirst()
    if (end !== undefined) ends.push(end.at)
  }
  return ends.length === 0 ? undefined : Math.min(...ends)
}

interface Place {
  id: string
  priority: number
  createdAt: number
}

const placesIn = (
  db: Reader,
  inbox: Inbox,
  range: Range,
  { order, limit, ...filter }: MessageFilter & Pick<Listing, 'order' | 'limit'>,
): Promise<(Place & { total: number })[]> =>
  inboxQuery(db, inbox, filter, range)
    .select(['messages.id', 'messages.priority', 'messages.createdAt'])
    .select(({ fn }) => fn.countAll<number>().over().as('total'))
    .$if(order === 'urgent', (query) => query.orderBy('priority', 'desc').orderBy('createdAt').orderBy('id'))
    .$if(order === 'newest', (query) => query.orderBy('createdAt', 'desc').orderBy('id', 'desc'))
    // Each row holds the total, so at least one row is needed.
    .limit(Math.max(limit, 1))
    .execute()

const byUrgency = (a: Place, b: Place): number =>
  b.priority - a.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
const byAge = (a: Place, b: Place): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)

/** In the order of the ids. */
export async function findRows(
  db: Reader,
  { userId, vaultIds }: Pick<Inbox, 'userId' | 'vaultIds'>,
  ids: readonly string[],
): Promise<MessagesTable[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export function inboxQuery(db: Reader, { userId, vaultIds, reader, at }: Inbox, filter: MessageFilter, range: Range) {
  const { status, category, priorityMin, fromAgentId, withAgentId, threadId, since } = filter
  return (
    db
      .selectFrom('messages')
      .where('messages.userId', '=', userId)
      .where('messages.vaultId', 'in', vaultIds)
      .where(`messages.${range.by}`, '>', range.after)
      // Given two such bounds, SQLite would use only the first. Ranges by expiresAt contain this one already.
      .$if(range.by === 'createdAt', (query) => query.where('messages.expiresAt', '>', at))
      .$if(range.until !== undefined, (query) => query.where(`messages.${range.by}`, '<=', range.until ?? 0))
      .where((where) => isIn(where, filter.box, reader))
      .$if(status === 'pending', (query) => query.where((where) => where.not(isAcknowledged(where, reader))))
      .$if(status === 'acknowledged', (query) => query.where((where) => isAcknowledged(where, reader)))
      .$if(category !== undefined, (query) => query.where('category', '=', category ?? ''))
      .$if(priorityMin !== undefined, (query) => query.where('priority', '>=', priorityMin ?? 1))
      .$if(fromAgentId !== undefined, (query) => query.where('fromAgentId', '=', fromAgentId ?? ''))
      .$if(withAgentId !== undefined, (query) =>
        query.where((where) =>
          where.or([where('fromAgentId', '=', withAgentId ?? ''), where('targetId', '=', withAgentId ?? '')]),
        ),
      )
      .$if(threadId !== undefined, (query) => query.where('threadId', '=', threadId ?? ''))
      .$if(since !== undefined, (query) => query.where('createdAt', '>=', since ?? 0))
  )
}

type Where = ExpressionBuilder<Tables, 'messages'>

function isIn(where: Where, box: Box, reader: Party) {
  switch (box) {
    case 'received':
      return isReceived(where, reader)
    case 'sent':
      return isSent(where, reader)
    case 'both':
      return where.or([isReceived(where, reader), isSent(where, reader)])
    case 'agents':
      return where.and([
        where('messages.targetType', '=', 'agent'),
        where('messages.senderType', '=', 'agent'),
        // Agents see only their own messages.
        ...(reader.type === 'agent' ? [where.or([isReceived(where, reader), isSent(where, reader)])] : []),
      ])
    case 'all':
      return where.and([])
  }
}

const isSent = (where: Where, { type, id }: Party) =>
  where.and([where('messages.senderType', '=', type), where('messages.fromAgentId', '=', id)])

export const isReceived = (where: Where, reader: Party) =>
  where.and([where('messages.targetId', 'in', targetIdsOf(reader)), where.not(isSent(where, reader))])

/** Whether the reader has acknowledged it. For messages to others: whether anyone has. */
export const isAcknowledged = (where: Where, reader: Party) =>
  where.exists(
    where
      .selectFrom('messageAcks as ack')
      .select('ack.messageId')
      .whereRef('ack.userId', '=', 'messages.userId')
      .whereRef('ack.vaultId', '=', 'messages.vaultId')
      .whereRef('ack.messageId', '=', 'messages.id')
      .where((inner) =>
        inner.or([
          inner.and([inner('ack.recipientType', '=', reader.type), inner('ack.recipientId', '=', reader.id)]),
          inner.and([inner('messages.senderType', '=', reader.type), inner('messages.fromAgentId', '=', reader.id)]),
          inner('messages.targetId', 'not in', targetIdsOf(reader)),
        ]),
      ),
  )

/** An agent named `user` or `*` receives only broadcasts. */
function targetIdsOf({ type, id }: Party): string[] {
  const isOwn = type === 'user' || (id !== 'user' && id !== '*')
  return isOwn ? [id, '*'] : ['*']
}

/** The reader's own acknowledgement of each message. Messages to others: the first acknowledgement. */
export async function listAcks(
  db: Reader,
  { userId, vaultIds, reader }: Inbox,
  rows: readonly MessagesTable[],
): Promise<Map<string, MessageAcksTable>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const toReader = targetIdsOf(reader)
  const others = rows.filter((row) => isSentBy(row, reader) || !toReader.includes(row.targetId)).map(({ id }) => id)
  const firsts = await db
    .selectFrom((inner) =>
      inner
        .selectFrom('messageAcks')
        .selectAll()
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((window) => window.partitionBy('messageId').orderBy('acknowledgedAt').orderBy('recipientId'))
            .as('place'),
        )
        .where('userId', '=', userId)
        .where('vaultId', 'in', vaultIds)
        .where('messageId', 'in', ids)
        .where((where) => {
          const own = where.and([where('recipientType', '=', reader.type), where('recipientId', '=', reader.id)])
          return others.length === 0 ? own : where.or([own, where('messageId', 'in', others)])
        })
        .as('ranked'),
    )
    .selectAll()
    .where('place', '=', 1)
    .execute()
  return new Map(firsts.map(({ place: _place, ...ack }) => [ack.messageId, ack]))
}
