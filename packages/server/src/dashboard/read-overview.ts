import { z } from 'zod'
import { changeTypes } from '../calls/call.ts'
import { dayMs, isoTime } from '../core/time.ts'
import { listExpiringKeys } from '../integrations/key-store.ts'
import { describeKey, exampleKey, keyRecord } from '../integrations/key.ts'
import { nameAgents } from '../memories/count-memories.ts'
import { keyedIn } from '../memories/find-page.ts'
import { countArchivedSince } from '../memories/list-store.ts'
import { countMessages } from '../messages/inbox-store.ts'
import { openInbox } from '../messages/inbox.ts'
import { isPersonsName } from '../operation/claimed-agent.ts'
import type { PersonVaultContext, VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { countReview, reviewCounts } from '../review/count-review.ts'
import { degradedLegs, noProvider } from '../search/search-vault.ts'
import { listAgents } from '../runs/agent-store.ts'
import { choiceTest, groupByAgent, slotsOf } from '../vault-index/choose-items.ts'
import { countMissingVectors } from '../vault-index/stored/missing-store.ts'
import { overviewDays, readDays } from './read-days.ts'
import { countDead } from '../webhooks/delivery-store.ts'

const added = z.int().describe('Created in the last 7 days and still live.')

export const kindCounts = z.looseObject({
  memories: z.looseObject({
    total: z.int().describe('Live memories, including tasks.'),
    added,
    archived: z.int().describe('Archived in the last 7 days.'),
  }),
  notes: z.looseObject({ total: z.int(), added }),
  tasks: z.looseObject({
    open: z.int(),
    added: added.describe('Created in the last 7 days and still live, done or not.'),
  }),
})

const agentWork = z
  .array(
    z.looseObject({
      agentId: z.string(),
      memories: z.int().describe('Written since then and not deleted.'),
      runs: z.int().describe('Its runs since then.'),
      toolCalls: z.int().describe('All calls in these runs, plus calls without a run.'),
      lastSeenAt: fields.timestamp.nullable().describe('Null if its calls were not counted yet when it wrote.'),
    }),
  )
  .describe('What each agent did since then; the 20 most active, most active first.')

const expiringDays = 14
const maxKeys = 20
const maxAgents = 20

export const readOverview = operation({
  name: 'read-overview',
  for: { person: 'GET /api/overview' },
  vault: 'required',
  summary:
    'Summarize a vault: what it contains, what agents did today, what needs your attention, and whether search is healthy.',
  effect: 'read',
  outdatedBy: changeTypes,
  input: z.object({
    ...fields.ownVault,
    since: fields.timestamp.optional().describe('When your day began. Default: 24 hours ago.'),
  }),
  output: z.looseObject({
    overview: z.looseObject({
      counts: kindCounts,
      days: overviewDays,
      agents: agentWork,
      waiting: z
        .looseObject({
          messages: z.int().describe('Messages to you that are not acknowledged, in all vaults.'),
          failedDeliveries: z.int().describe('Webhook deliveries given up in the last 30 days, as in `list-webhooks`.'),
          review: reviewCounts.describe('What there is to review in this vault: see list-review.'),
          expiringKeys: z.array(keyRecord).describe('Keys that expire within 14 days, the next one first, at most 20.'),
        })
        .describe('In all your vaults, except for `review`.'),
      health: z.looseObject({
        embeddings: z
          .looseObject({
            provider: z.string(),
            failure: z.string().nullable().describe('Error code; null while it works.'),
          })
          .nullable()
          .describe('Null if no provider is configured.'),
        pendingVectors: z.int().describe('Records of the vault without an embedding yet.'),
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
        days: [{ day: '2026-11-21', written: 3, recalls: 12 }],
        agents: [
          { agentId: 'claude-code', memories: 3, runs: 2, toolCalls: 41, lastSeenAt: '2026-11-21T09:00:00.000Z' },
        ],
        waiting: {
          messages: 1,
          failedDeliveries: 0,
          review: { proposal: 1, contradiction: 1, unsure: 2, changed: 1, removed: 0 },
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
    const days = await readDays(ctx, at)
    return { overview: { counts, days, agents, waiting: await findWaiting(ctx, at), health: await findHealth(ctx) } }
  },
})

async function findWaiting(
  ctx: Pick<PersonVaultContext, 'actor' | 'db' | 'indexes' | 'instance' | 'now' | 'vault'>,
  at: number,
) {
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

async function findHealth({ db, vault, embeddings }: Pick<VaultContext, 'db' | 'vault' | 'embeddings'>) {
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

/** How many records the vault holds, and how many of them are new. */
async function countKinds(
  { db, vault, indexes, vaultCounting }: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'vaultCounting'>,
  at: number,
): Promise<z.input<typeof kindCounts>> {
  const since = at - 7 * dayMs
  const counted = await vaultCounting.count(vault.userId, [{ vaultId: vault.id, seq: vault.seq }], at)
  const counts = counted.get(vault.id)
  const made = await indexes.read(vault, (index) => {
    const count = (kind: string, types?: readonly string[]) => {
      const choice = { state: 'live' as const, at, kinds: [kind], createdAfter: since, ...(types && { types }) }
      return slotsOf(index, choiceTest(index, choice, keyedIn(vault))).length
    }
    return { memories: count('memory'), notes: count('note'), tasks: count('memory', ['task']) }
  })
  return {
    memories: {
      total: counts?.memoryCount ?? 0,
      added: made.memories,
      archived: await countArchivedSince(db.read, vault, since),
    },
    notes: { total: counts?.noteCount ?? 0, added: made.notes },
    tasks: { open: counts?.openTaskCount ?? 0, added: made.tasks },
  }
}

type Work = z.input<typeof agentWork>[number]

/** Agents by what they wrote and by their calls. */
async function listWork(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'runs' | 'now'>,
  since: number,
): Promise<Work[]> {
  const { db, vault, indexes, runs, now } = ctx
  await runs.flush(vault.id)
  const groups = await indexes.read(vault, (index) => {
    const choice = { state: 'all' as const, at: now(), kinds: ['memory'], createdAfter: since }
    return groupByAgent(index, slotsOf(index, choiceTest(index, choice, keyedIn(vault))), maxAgents)
  })
  const work = new Map<string, Work>()
  for (const { value, count } of await nameAgents(ctx, groups))
    if (!isPersonsName(value))
      work.set(value, { agentId: value, memories: count, runs: 0, toolCalls: 0, lastSeenAt: null })
  const seen = await listAgents(db.read, vault, { since, limit: maxAgents, offset: 0 })
  for (const { agentId, runs: count, allCalls, lastSeenAt } of seen) {
    const memories = work.get(agentId)?.memories ?? 0
    work.set(agentId, { agentId, memories, runs: count, toolCalls: allCalls, lastSeenAt: isoTime(lastSeenAt) })
  }
  return [...work.values()].toSorted(byActivity).slice(0, maxAgents)
}

const byActivity = (a: Work, b: Work): number =>
  b.toolCalls + b.memories - (a.toolCalls + a.memories) || (a.agentId < b.agentId ? -1 : 1)
