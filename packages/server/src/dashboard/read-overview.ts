import { changeTypes } from '../calls/call.ts'
import { z } from 'zod'
import { dayMs } from '../core/time.ts'
import { describeKey, exampleKey, keyRecord } from '../integrations/key.ts'
import { listExpiringKeys } from '../integrations/key-store.ts'
import { countMessages } from '../messages/inbox-store.ts'
import { openInbox } from '../messages/open-inbox.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { countMissingVectors } from '../vault-index/stored/missing-store.ts'
import { countDead } from '../webhooks/delivery-store.ts'
import { countKinds, kindCounts } from './count-kinds.ts'
import { agentWork, listWork } from './list-work.ts'
import { countReview } from '../review/count-review.ts'
import { degradedLegs, noProvider } from '../search/search-vault.ts'

const expiringDays = 14
const maxKeys = 20

export const readOverview = operation({
  name: 'read-overview',
  for: { person: 'GET /api/overview' },
  vault: 'required',
  summary: 'What a vault holds, what agents did in it today, what waits for you, and whether anything is out of order.',
  effect: 'read',
  outdatedBy: changeTypes,
  input: z.object({
    ...fields.ownVault,
    since: fields.timestamp.optional().describe('When your day began. Default: 24 hours ago.'),
  }),
  output: z.looseObject({
    overview: z.looseObject({
      counts: kindCounts,
      agents: agentWork,
      waiting: z
        .looseObject({
          messages: z.int().describe('To you and not acknowledged, in all vaults.'),
          failedDeliveries: z.int().describe('Of webhooks, given up after all attempts.'),
          review: z
            .looseObject({ contradiction: z.int(), unsure: z.int() })
            .describe('Memories of this vault to be judged: see browse-review.'),
          expiringKeys: z.array(keyRecord).describe('That end within 14 days, the soonest first, at most 20.'),
        })
        .describe('Of all your vaults, but for what is to be judged.'),
      health: z.looseObject({
        embeddings: z
          .looseObject({
            provider: z.string(),
            failure: z.string().nullable().describe('Code; null while it answers.'),
          })
          .nullable()
          .describe('Null where none is configured.'),
        pendingVectors: z.int().describe('Records of the vault that wait for an embedding.'),
        degraded: degradedLegs,
      }),
    }),
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001' },
    output: {
      overview: {
        counts: {
          memories: { total: 12, added: 3, archived: 1 },
          notes: { total: 4, added: 0 },
          tasks: { open: 2, added: 1 },
        },
        agents: [
          { agentId: 'claude-code', memories: 3, runs: 2, toolCalls: 41, lastSeenAt: '2026-11-21T09:00:00.000Z' },
        ],
        waiting: {
          messages: 1,
          failedDeliveries: 0,
          review: { contradiction: 1, unsure: 2 },
          expiringKeys: [{ ...exampleKey, expiresAt: exampleKey.createdAt }],
        },
        health: { embeddings: null, pendingVectors: 0, degraded: [noProvider] },
      },
    },
  },
  async run({ since }, ctx) {
    const at = ctx.now()
    const from = since === undefined ? at - dayMs : Date.parse(since)
    const counts = await countKinds(ctx, at)
    const agents = await listWork(ctx, from)
    return { overview: { counts, agents, waiting: await findWaiting(ctx, at), health: await findHealth(ctx) } }
  },
})

async function findWaiting(ctx: PersonVaultContext, at: number) {
  const { db, instance, actor } = ctx
  const inbox = await openInbox(ctx, 'read', {})
  const expiring = { from: at, until: at + expiringDays * dayMs, limit: maxKeys }
  const keys = await listExpiringKeys(db.read, instance, actor.userId, expiring)
  return {
    messages: await countMessages(db.read, inbox, { status: 'pending', box: 'received' }),
    failedDeliveries: await countDead(db.read, actor.userId),
    review: await countReview(ctx),
    expiringKeys: keys.map((key) => describeKey(key, at)),
  }
}

async function findHealth({ db, vault, embeddings }: PersonVaultContext) {
  const pendingVectors = await countMissingVectors(db.read, vault)
  if (embeddings === undefined) return { embeddings: null, pendingVectors, degraded: [noProvider] }
  const reasons = [
    embeddings.failure === undefined ? undefined : 'the embedding provider does not answer',
    pendingVectors === 0 ? undefined : 'some records have no vectors of this model yet',
  ]
  return {
    embeddings: { provider: embeddings.id, failure: embeddings.failure ?? null },
    pendingVectors,
    degraded: reasons.flatMap((reason) => (reason === undefined ? [] : [{ leg: 'semantic' as const, reason }])),
  }
}
