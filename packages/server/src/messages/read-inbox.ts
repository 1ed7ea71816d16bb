import type { CallerContext } from '../operation/context.ts'
import { describeMessage, type MessageRecord } from './message.ts'
import { unlockVaults } from './open-inbox.ts'
import { listMessages, type Inbox, type MessageFilter } from './inbox-store.ts'
import { openMessages } from './store.ts'

interface InboxPage {
  messages: MessageRecord[]
  /** Of all that the filter lets through. */
  total: number
}

type Listing = Parameters<typeof listMessages>[3]

/** A page of an inbox. Reading changes nothing. */
export async function readInbox(
  ctx: CallerContext,
  inbox: Inbox,
  filter: MessageFilter,
  listing: Listing,
): Promise<InboxPage> {
  const sealed = await listMessages(ctx.db.read, inbox, filter, listing)
  const scopes = await unlockVaults(
    ctx,
    sealed.rows.map(({ vaultId }) => vaultId),
  )
  return {
    messages: openMessages(scopes, sealed).map(({ message, ack }) => describeMessage(message, ack)),
    total: sealed.total,
  }
}

/** What the reader has yet to acknowledge, the most urgent first. */
export const readPending = (
  ctx: CallerContext,
  inbox: Inbox,
  { limit, offset = 0, priorityMin }: { limit: number; offset?: number; priorityMin?: number | undefined },
): Promise<InboxPage> =>
  readInbox(ctx, inbox, { status: 'pending', includeSent: false, priorityMin }, { order: 'urgent', limit, offset })
