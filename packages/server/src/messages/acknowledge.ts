import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { CallContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { queueEvent } from '../webhooks/outbox.ts'
import { isAddressedTo, type Envelope, type Party } from './message.ts'
import { openInbox, unlockVaults } from './open-inbox.ts'
import { findAckTimes, findEnvelopes, insertAcks } from './store.ts'

export const acknowledgement = {
  messageId: z.uuid(),
  acknowledged: z.literal(true),
  status: z.literal('acknowledged'),
  acknowledgedAt: fields.timestamp,
  alreadyAcknowledged: z.boolean(),
}

type Acknowledgement = z.input<z.ZodObject<typeof acknowledgement>>

interface Asked {
  vaultId?: string | undefined
  agentId?: string | undefined
  note: string | undefined
}

/** Acknowledges those of the messages that are addressed to the caller, in the order asked; the others are missing. */
export async function acknowledge(
  ctx: CallContext,
  ids: readonly string[],
  { vaultId, agentId, note }: Asked,
): Promise<{ results: Acknowledgement[]; missing: string[] }> {
  const inbox = await openInbox(ctx, 'write', { vaultId, agentId })
  const envelopes = await findEnvelopes(ctx.db.read, inbox, ids)
  const own = envelopes.filter((envelope) => isAddressedTo(envelope, inbox.reader))
  const times = await acknowledgeAll(ctx, own, { by: inbox.reader, note, at: inbox.at })
  return { results: ids.flatMap((id) => times.get(id) ?? []), missing: ids.filter((id) => !times.has(id)) }
}

interface OwnAck {
  by: Party
  note: string | undefined
  at: number
}

export const ackNote = z.string().max(2000).describe('What came of it; the sender sees it. At most 2,000 characters.')

/** By message; those of vaults whose erasure has begun are missing. */
async function acknowledgeAll(
  ctx: CallContext,
  envelopes: readonly Envelope[],
  ack: OwnAck,
): Promise<Map<string, Acknowledgement>> {
  const scopes = await unlockVaults(
    ctx,
    envelopes.map(({ vaultId }) => vaultId),
  )
  // In one order for all calls, so that none waits for another in a circle.
  const parts = [...scopes.values()]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((scope) => ({ scope, own: envelopes.filter(({ vaultId }) => vaultId === scope.id) }))
  const done = new Map<string, Acknowledgement>()
  for (const { scope, own } of parts)
    for (const [id, at] of await findAckTimes(ctx.db.read, scope, ack.by, own.map(idOf)))
      done.set(id, describe(id, at, true))
  if (done.size === parts.flatMap(({ own }) => own).length) return done
  const answers = await ctx.db.write((tx) => acknowledgeIn(tx, parts, ack))
  ctx.webhooks.wake()
  return answers
}

/** At most 50 messages, of as many vaults. */
async function acknowledgeIn(
  tx: Tx,
  parts: readonly { scope: VaultScope; own: readonly Envelope[] }[],
  ack: OwnAck,
): Promise<Map<string, Acknowledgement>> {
  const done = new Map<string, Acknowledgement>()
  for (const { scope, own } of parts) {
    if (!(await lockVault(tx, scope.userId, scope.id))) throw notFound('Vault')
    // From here on no other call acknowledges in this vault: of two at once, the second sees what the first has done.
    const before = await findAckTimes(tx, scope, ack.by, own.map(idOf))
    for (const envelope of own) {
      const earlier = before.get(envelope.messageId)
      if (earlier === undefined) await acknowledgeOne(tx, scope, envelope, ack)
      done.set(envelope.messageId, describe(envelope.messageId, earlier ?? ack.at, earlier !== undefined))
    }
  }
  return done
}

const idOf = (envelope: Envelope) => envelope.messageId

async function acknowledgeOne(
  tx: Tx,
  scope: VaultScope,
  { messageId: id, vaultId, category, priority, targetId }: Envelope,
  { by, note, at }: OwnAck,
): Promise<void> {
  await insertAcks(tx, scope, [{ messageId: id, by, note, at }])
  await queueEvent(tx, {
    userId: scope.userId,
    event: 'message.acknowledged',
    messageId: id,
    vaultId,
    category,
    priority,
    targetId,
    acknowledgedBy: by.id,
    at,
  })
}

const describe = (id: string, at: number, alreadyAcknowledged: boolean): Acknowledgement => ({
  messageId: id,
  acknowledged: true,
  status: 'acknowledged',
  acknowledgedAt: isoTime(at),
  alreadyAcknowledged,
})
