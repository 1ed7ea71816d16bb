import type { ExpressionBuilder } from 'kysely'
import type { Reader } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import type { MessageAcksTable, MessagesTable } from '../db/tables/messages.ts'
import { isSentBy, type Category, type Party } from './message.ts'
import type { SealedMessages } from './store.ts'

/** What is in an inbox, and what is pending there: one query, whoever asks. */

/** What somebody can see at a moment: nothing that has expired by then, and nothing in any other vault. */
export interface Inbox {
  userId: string
  vaultIds: readonly string[]
  reader: Party
  at: number
}

export interface MessageFilter {
  status: 'pending' | 'acknowledged' | 'all'
  includeSent: boolean
  category?: Category | undefined
  priorityMin?: number | undefined
  fromAgentId?: string | undefined
  threadId?: string | undefined
  /** Sent at or after. */
  since?: number | undefined
}

interface Listing {
  /** `urgent`: by priority, of one priority the oldest first. */
  order: 'newest' | 'urgent'
  limit: number
  offset: number
}

export async function listMessages(
  db: Reader,
  inbox: Inbox,
  filter: MessageFilter,
  { order, limit, offset }: Listing,
): Promise<SealedMessages> {
  if (inbox.vaultIds.length === 0) return { rows: [], acks: new Map() }
  const rows = await inboxQuery(db, inbox, filter)
    .selectAll('messages')
    .$if(order === 'urgent', (query) => query.orderBy('priority', 'desc').orderBy('createdAt').orderBy('id'))
    .$if(order === 'newest', (query) => query.orderBy('createdAt', 'desc').orderBy('id', 'desc'))
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, acks: await listAcks(db, inbox, rows) }
}

/** How many messages `listMessages` would list without a limit. */
export async function countMessages(db: Reader, inbox: Inbox, filter: MessageFilter): Promise<number> {
  if (inbox.vaultIds.length === 0) return 0
  const { count } = await inboxQuery(db, inbox, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function inboxQuery(db: Reader, { userId, vaultIds, reader, at }: Inbox, filter: MessageFilter) {
  const { status, category, priorityMin, fromAgentId, threadId, since } = filter
  return db
    .selectFrom('messages')
    .where('messages.userId', '=', userId)
    .where('messages.vaultId', 'in', vaultIds)
    .where('messages.expiresAt', '>', at)
    .where((where) =>
      filter.includeSent ? where.or([isReceived(where, reader), isSent(where, reader)]) : isReceived(where, reader),
    )
    .$if(status === 'pending', (query) => query.where((where) => where.not(isAcknowledged(where, reader))))
    .$if(status === 'acknowledged', (query) => query.where((where) => isAcknowledged(where, reader)))
    .$if(category !== undefined, (query) => query.where('category', '=', category ?? ''))
    .$if(priorityMin !== undefined, (query) => query.where('priority', '>=', priorityMin ?? 1))
    .$if(fromAgentId !== undefined, (query) => query.where('fromAgentId', '=', fromAgentId ?? ''))
    .$if(threadId !== undefined, (query) => query.where('threadId', '=', threadId ?? ''))
    .$if(since !== undefined, (query) => query.where('createdAt', '>=', since ?? 0))
}

type Where = ExpressionBuilder<Tables, 'messages'>

const isSent = (where: Where, { type, id }: Party) =>
  where.and([where('messages.senderType', '=', type), where('messages.fromAgentId', '=', id)])

const isReceived = (where: Where, reader: Party) =>
  where.and([where('messages.targetId', 'in', targetIdsOf(reader)), where.not(isSent(where, reader))])

/** By the reader; what the reader has sent, by anyone. */
const isAcknowledged = (where: Where, reader: Party) =>
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
        ]),
      ),
  )

/** An agent that calls itself `user` or `*` is addressed by nothing of its own. */
function targetIdsOf({ type, id }: Party): string[] {
  const isOwn = type === 'user' || (id !== 'user' && id !== '*')
  return isOwn ? [id, '*'] : ['*']
}

/** Of each message the reader's own acknowledgement; of what the reader has sent, the first of all. */
async function listAcks(
  db: Reader,
  { userId, vaultIds, reader }: Inbox,
  rows: readonly MessagesTable[],
): Promise<Map<string, MessageAcksTable>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const sent = rows.filter((row) => isSentBy(row, reader)).map(({ id }) => id)
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
          return sent.length === 0 ? own : where.or([own, where('messageId', 'in', sent)])
        })
        .as('ranked'),
    )
    .selectAll()
    .where('place', '=', 1)
    .execute()
  return new Map(firsts.map(({ place: _place, ...ack }) => [ack.messageId, ack]))
}
