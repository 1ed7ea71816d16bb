import { notFound } from '../core/errors.ts'
import type { CallContext } from '../operation/context.ts'
import { describeMessage, type MessageRecord } from './message.ts'
import { unlockVaults } from './open-inbox.ts'
import { findMessage, listMessages, type Inbox, type MessageFilter } from './inbox-store.ts'
import { openMessages, type SealedMessages } from './store.ts'

interface InboxPage {
  messages: MessageRecord[]
  /** Of all that the filter lets through. */
  total: number
}

type Listing = Parameters<typeof listMessages>[3]

/** A page of an inbox. Reading changes nothing. */
export async function readInbox(
  ctx: CallContext,
  inbox: Inbox,
  filter: MessageFilter,
  listing: Listing,
): Promise<InboxPage> {
  const sealed = await listMessages(ctx.db.read, inbox, filter, listing)
  return { messages: await describeSealed(ctx, sealed), total: sealed.total }
}

/** One message of the inbox; 404 where the reader can see none of that id. */
export async function readMessage(ctx: CallContext, inbox: Inbox, id: string): Promise<MessageRecord> {
  const [message] = await describeSealed(ctx, await findMessage(ctx.db.read, inbox, id))
  if (message === undefined) throw notFound('Message')
  return message
}

export async function describeSealed(ctx: CallContext, sealed: SealedMessages): Promise<MessageRecord[]> {
  const scopes = await unlockVaults(
    ctx,
    sealed.rows.map(({ vaultId }) => vaultId),
  )
  return openMessages(scopes, sealed).map(({ message, ack }) => describeMessage(message, ack))
}

/** What the reader has yet to acknowledge, the most urgent first. */
export const readPending = (
  ctx: CallContext,
  inbox: Inbox,
  { limit, offset = 0, priorityMin }: { limit: number; offset?: number; priorityMin?: number | undefined },
): Promise<InboxPage> =>
  readInbox(ctx, inbox, { status: 'pending', box: 'received', priorityMin }, { order: 'urgent', limit, offset })
