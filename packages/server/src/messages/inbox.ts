import { z } from 'zod'
import type { Scope } from '../auth/vault-access.ts'
import { notFound } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { CallContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { nameIntegrations } from '../operation/sent-by.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { listVaultsWith } from '../vaults/vault.ts'
import { boxes, findMessage, listMessages, type Inbox, type MessageFilter } from './inbox-store.ts'
import { categories, describeMessage, type MessageRecord, type Party } from './message.ts'
import { openMessages, type SealedMessages } from './store.ts'

/** How lists of messages are filtered. */
export const inboxFilter = {
  box: z
    .enum(boxes)
    .default('received')
    .describe(
      'Messages received, sent, between agents, or all. Agents see only what they sent or received; people see every message in their vaults.',
    ),
  status: z
    .enum(['pending', 'acknowledged', 'all'])
    .default('all')
    .describe(
      'Only messages that you have or have not acknowledged. For messages between others: that anyone has or has not.',
    ),
  category: z.enum(categories).optional().describe('Only messages of this category.'),
  priorityMin: fields.importance.optional().describe('Only messages of this priority or higher.'),
  withAgentId: fields.agentName.optional().describe('Only messages from or to this agent.'),
}

export const inboxVault = fields.vaultId
  .optional()
  .describe('Only messages in this vault. Default: all vaults that the caller can read.')

/**
 * The caller's inbox. It covers all vaults in which the caller has the scope, so that an agent with several vaults misses
 * nothing; or only the vault that the call names. A person gets a 404 for a vault that isn't theirs; for agents, dispatch checks it.
 */
export async function openInbox(
  ctx: Pick<CallContext, 'actor' | 'db' | 'instance' | 'now'>,
  scope: Scope,
  { vaultId, agentId }: { vaultId?: string | undefined; agentId?: string | undefined },
): Promise<Inbox> {
  const { actor, db } = ctx
  if (actor.kind === 'person' && vaultId !== undefined) {
    if ((await findVaultKeys(db.read, actor.userId, vaultId)) === undefined) throw notFound('Vault')
  }
  return {
    userId: actor.userId,
    vaultIds: vaultId === undefined ? await listVaultsWith(ctx, scope) : [vaultId],
    reader: callerOf(ctx, agentId),
    at: ctx.now(),
  }
}

export const callerOf = (ctx: Pick<CallContext, 'actor' | 'instance'>, agentId: string | undefined): Party => ({
  type: ctx.actor.kind === 'person' ? 'user' : 'agent',
  id: claimedAgentId(ctx, agentId),
})

type Context = Pick<CallContext, 'actor' | 'db' | 'instance' | 'keyring'>

/** Fetches the keys of these vaults, each once. A vault that is being erased has no keys and is left out. */
export async function unlockVaults(
  { actor, db, keyring }: Context,
  vaultIds: Iterable<string>,
): Promise<Map<string, VaultScope>> {
  const mek = keyring.mek(actor)
  const scopes = new Map<string, VaultScope>()
  for (const id of new Set(vaultIds)) {
    const found = await findVaultKeys(db.read, actor.userId, id)
    if (found === undefined) continue
    scopes.set(id, { id, userId: actor.userId, keys: keyring.vault(mek, actor.userId, id, found.keys) })
  }
  return scopes
}

interface InboxPage {
  messages: MessageRecord[]
  /** All messages that match the filter. */
  total: number
}

type Listing = Parameters<typeof listMessages>[3]

export async function readInbox(
  ctx: Context,
  inbox: Inbox,
  filter: MessageFilter,
  listing: Listing,
): Promise<InboxPage> {
  const sealed = await listMessages(ctx.db.read, inbox, filter, listing)
  return { messages: await describeSealed(ctx, sealed), total: sealed.total }
}

/** One message; 404 if the reader can't see it. */
export async function readMessage(ctx: Context, inbox: Inbox, id: string): Promise<MessageRecord> {
  const [message] = await describeSealed(ctx, await findMessage(ctx.db.read, inbox, id))
  if (message === undefined) throw notFound('Message')
  return message
}

export async function describeSealed(ctx: Context, sealed: SealedMessages): Promise<MessageRecord[]> {
  const scopes = await unlockVaults(
    ctx,
    sealed.rows.map(({ vaultId }) => vaultId),
  )
  const opened = openMessages(scopes, sealed)
  const ids = opened.flatMap(({ message, ack }) => [message.integrationId, ack?.integrationId])
  const integrations = await nameIntegrations(ctx, ids)
  return opened.map(({ message, ack }) => describeMessage(message, ack, integrations))
}

/** Messages that the reader still has to acknowledge, most urgent first. */
export const readPending = (
  ctx: Context,
  inbox: Inbox,
  { limit, offset = 0, priorityMin }: { limit: number; offset?: number; priorityMin?: number | undefined },
): Promise<InboxPage> =>
  readInbox(ctx, inbox, { status: 'pending', box: 'received', priorityMin }, { order: 'urgent', limit, offset })
