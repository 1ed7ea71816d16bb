import type { VaultScope } from '../crypto/keys.ts'
import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { Tx } from '../db/dialect.ts'
import type { AgentVaultsContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { lockVault } from '../vault-index/lock-store.ts'
import { queueEvent } from '../webhooks/outbox.ts'
import { exampleMessage, inboxVault, isAddressedTo, messageId, type Envelope, type Party } from './message.ts'
import { openInbox, unlockVaults } from './open-inbox.ts'
import { findAckTimes, findEnvelopes, insertAcks } from './store.ts'

const acknowledgement = {
  messageId: z.uuid(),
  acknowledged: z.literal(true),
  status: z.literal('acknowledged'),
  acknowledgedAt: fields.timestamp,
  alreadyAcknowledged: z.boolean(),
}

export const ackMessage = operation({
  name: 'ack-message',
  scopes: ['write'],
  vault: 'all',
  summary: 'Acknowledge a message to this agent, or several. Of a broadcast each recipient acknowledges its own.',
  effect: 'write',
  alias: 'messageId',
  input: z.object({
    messageId: messageId.optional(),
    messageIds: z.array(z.uuid()).min(1).max(50).optional().describe('Ids of several messages, 1 to 50.'),
    note: z.string().max(2000).optional().describe('What came of it; the sender sees it. At most 2,000 characters.'),
    vaultId: inboxVault,
    ...fields.common,
  }),
  output: z.looseObject({
    ...acknowledgement,
    results: z
      .array(z.looseObject(acknowledgement))
      .optional()
      .describe(
        'One for each message, in the order asked, where messageIds was sent; the fields beside it are of the first.',
      ),
    notFound: z.array(z.uuid()).optional().describe('Ids that are no messages to this agent.'),
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
    const own = new Map(
      envelopes.flatMap((envelope) =>
        isAddressedTo(envelope, inbox.reader) ? [[envelope.messageId, envelope] as const] : [],
      ),
    )
    const times = await acknowledgeAll(ctx, [...own.values()], { by: inbox.reader, note, at: inbox.at })
    const results = ids.flatMap((id) => times.get(id) ?? [])
    const [first] = results
    if (first === undefined) throw notFound('Message')
    if (messageIds === undefined) return first
    return { ...first, results, notFound: ids.filter((id) => !times.has(id)) }
  },
})

type Acknowledgement = z.input<z.ZodObject<typeof acknowledgement>>

interface OwnAck {
  by: Party
  note: string | undefined
  at: number
}

/** By message; those of vaults whose erasure has begun are missing. */
async function acknowledgeAll(
  ctx: AgentVaultsContext,
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
  const answers = await ctx.db.write((tx) => acknowledge(tx, parts, ack))
  ctx.webhooks.wake()
  return answers
}

/** At most 50 messages, of as many vaults. */
async function acknowledge(
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
