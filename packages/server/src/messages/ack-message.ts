import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { CallContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { queueEvent } from '../webhooks/outbox.ts'
import { inboxVault, openInbox, unlockVaults } from './inbox.ts'
import { exampleMessage, isAddressedTo, messageId, type Ack, type Envelope } from './message.ts'
import { findAckTimes, findEnvelopes, insertAcks } from './store.ts'

const acknowledgement = {
  messageId: z.uuid(),
  acknowledged: z.literal(true),
  status: z.literal('acknowledged'),
  acknowledgedAt: fields.timestamp,
  alreadyAcknowledged: z.boolean(),
}

type Acknowledgement = z.input<z.ZodObject<typeof acknowledgement>>

export const ackMessage = operation({
  name: 'ack-message',
  for: { agent: { toolset: 'messages', scopes: ['write'] }, person: 'POST /api/messages/ack' },
  vault: 'all',
  summary: 'Acknowledge one or more messages to you. Each recipient of a broadcast acknowledges it separately.',
  effect: 'write',
  changes: ['messages'],
  alias: 'messageId',
  needs: [['messageId'], ['messageIds']],
  input: z.object({
    messageId: messageId.optional(),
    messageIds: z.array(z.uuid()).min(1).max(50).optional().describe('Ids of several messages, 1 to 50.'),
    note: z.string().max(2000).optional().describe('The result, for the sender to see. At most 2,000 characters.'),
    vaultId: inboxVault,
    ...fields.common,
  }),
  output: z.looseObject({
    ...acknowledgement,
    results: z
      .array(z.looseObject(acknowledgement))
      .optional()
      .describe(
        'With messageIds: one result per message, in the order of the ids. The other fields repeat the first result.',
      ),
    notFound: z.array(z.uuid()).optional().describe('Ids that match no message to you.'),
  }),
  examples: {
    input: {
      messageId: exampleMessage.messageId,
      note: 'Done, see the pull request.',
      agentId: exampleMessage.targetId,
    },
    output: {
      messageId: exampleMessage.messageId,
      acknowledged: true,
      status: 'acknowledged',
      acknowledgedAt: '2026-11-21T09:30:00.000Z',
      alreadyAcknowledged: false,
    },
  },
  async run({ messageId: one, messageIds, note, vaultId, agentId }, ctx) {
    const ids = [...new Set([...(one === undefined ? [] : [one]), ...(messageIds ?? [])])]
    if (ids.length === 0) throw invalid({ messageId: 'required (string), or messageIds' })
    const inbox = await openInbox(ctx, 'write', { vaultId, agentId })
    const envelopes = await findEnvelopes(ctx.db.read, inbox, ids)
    const own = envelopes.filter((envelope) => isAddressedTo(envelope, inbox.reader))
    const { integrationId } = ctx.actor
    const done = await acknowledgeAll(ctx, own, { by: inbox.reader, integrationId, note, at: inbox.at })
    const results = ids.flatMap((id) => done.get(id) ?? [])
    ctx.about(
      'message',
      results.map(({ messageId: id }) => id),
    )
    const [first] = results
    if (first === undefined) throw notFound('Message')
    if (messageIds === undefined) return first
    return { ...first, results, notFound: ids.filter((id) => !done.has(id)) }
  },
})

type OwnAck = Omit<Ack, 'messageId'>

/** By message id. Messages in vaults that are being erased are left out. */
async function acknowledgeAll(
  ctx: Pick<CallContext, 'actor' | 'db' | 'instance' | 'keyring' | 'webhooks'>,
  envelopes: readonly Envelope[],
  ack: OwnAck,
): Promise<Map<string, Acknowledgement>> {
  const scopes = await unlockVaults(
    ctx,
    envelopes.map(({ vaultId }) => vaultId),
  )
  // All calls lock vaults in the same order, which rules out deadlocks.
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

/** At most 50 messages, in up to 50 vaults. */
async function acknowledgeIn(
  tx: Tx,
  parts: readonly { scope: VaultScope; own: readonly Envelope[] }[],
  ack: OwnAck,
): Promise<Map<string, Acknowledgement>> {
  const done = new Map<string, Acknowledgement>()
  for (const { scope, own } of parts) {
    await lockVault(tx, scope)
    // The vault is locked: of two calls at once, the second sees what the first did.
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
  ack: OwnAck,
): Promise<void> {
  await insertAcks(tx, scope, [{ messageId: id, ...ack }])
  await queueEvent(tx, {
    userId: scope.userId,
    event: 'message.acknowledged',
    messageId: id,
    vaultId,
    category,
    priority,
    targetId,
    acknowledgedBy: ack.by.id,
    at: ack.at,
  })
}

const describe = (id: string, at: number, alreadyAcknowledged: boolean): Acknowledgement => ({
  messageId: id,
  acknowledged: true,
  status: 'acknowledged',
  acknowledgedAt: isoTime(at),
  alreadyAcknowledged,
})
