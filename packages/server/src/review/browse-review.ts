import { z } from 'zod'
import { listedMemory, exampleListed, describeListed } from '../memories/listed-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import { listLinksFrom } from '../links/store.ts'
import type { DashboardVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { countReview } from './count-review.ts'
import { reviewKinds, type ReviewKind } from './decision-store.ts'
import { findContradictions } from './find-contradictions.ts'
import { findLookalikes } from './find-lookalikes.ts'
import { countUnsure, listUnsureIds } from './unsure-store.ts'

const shownChars = 2_000

const reviewedMemory = listedMemory
  .extend({
    excerpt: z.string().describe(`The first ${shownChars} characters of its content.`),
    isWhole: z.boolean().describe('Whether that is all of it.'),
  })
  .meta({ id: 'ReviewedMemory' })

const reviewItem = z
  .looseObject({
    kind: z.enum(reviewKinds),
    memories: z.array(reviewedMemory).describe('One, or two of which the newer comes first.'),
    label: z.string().nullable().describe('What the link says that calls it a contradiction.'),
    similarity: z
      .number()
      .nullable()
      .describe('Of possible duplicates: 1 where they say the same, else what they have in common.'),
  })
  .meta({ id: 'ReviewItem' })

export const browseReview = dashboardVaultOperation({
  name: 'browse-review',
  method: 'GET',
  path: '/api/review',
  summary:
    'What waits for the judgement of a person: memories that contradict each other, that may say the same, or that an agent was hardly sure of.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    kind: z.enum(reviewKinds).describe('Which of them.'),
    limit: fields.queryLimit,
    offset: fields.queryOffset.describe(
      'How many to skip. Of duplicates: how many of the newest memories have been looked at before.',
    ),
  }),
  output: z.looseObject({
    items: z.array(reviewItem),
    total: z.int().describe('How many wait. Of duplicates: how many memories there are to be looked at.'),
    limit: z.int(),
    offset: z.int(),
    hasMore: z.boolean(),
    next: z
      .int()
      .describe('The offset to go on from. Duplicates are looked for a while, and then told what was found.'),
    counts: z
      .looseObject({ contradiction: z.int(), unsure: z.int() })
      .describe('How many wait; of duplicates nobody knows before all were looked at.'),
  }),
  examples: {
    input: { vaultId: exampleListed.vaultId, kind: 'unsure' },
    output: {
      items: [
        {
          kind: 'unsure',
          memories: [{ ...exampleListed, confidence: 2, excerpt: exampleListed.preview, isWhole: true }],
          label: null,
          similarity: null,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
      next: 1,
      counts: { contradiction: 0, unsure: 1 },
    },
  },
  async run({ kind, limit, offset }, ctx) {
    const page = { limit, offset }
    const found = await find[kind](ctx, page)
    return { ...found, ...page, counts: await countReview(ctx) }
  },
})

interface Page {
  limit: number
  offset: number
}

type Item = z.input<typeof reviewItem>
type Found = { items: Item[]; total: number; next: number; hasMore: boolean }

const find: Record<ReviewKind, (ctx: DashboardVaultContext, page: Page) => Promise<Found>> = {
  async contradiction(ctx, { limit, offset }) {
    const pairs = await findContradictions(ctx)
    const shown = pairs.slice(offset, offset + limit)
    const memories = await openAll(ctx, shown.flat())
    const links = await listLinksFrom(ctx.db.read, ctx.vault, [...new Set(shown.map(([sourceId]) => sourceId))])
    const items = shown.flatMap(([sourceId, targetId]): Item[] => {
      const both = [memories.get(sourceId), memories.get(targetId)].filter((memory) => memory !== undefined)
      const link = links.find(
        (one) => one.sourceId === sourceId && one.targetId === targetId && one.relationType === 'contradicts',
      )
      return both.length < 2
        ? []
        : [
            {
              kind: 'contradiction',
              memories: newerFirst(both).map(describe),
              label: link?.label ?? null,
              similarity: null,
            },
          ]
    })
    return { items, ...placeOf(offset + shown.length, pairs.length) }
  },
  async duplicate(ctx, page) {
    const { found, looked, hasMore } = await findLookalikes(ctx, page)
    const items = found.map(({ newer, older, similarity }): Item => ({
      kind: 'duplicate',
      memories: [newer, older].map(describe),
      label: null,
      similarity: Math.round(similarity * 1000) / 1000,
    }))
    return { items, total: looked + (hasMore ? 1 : 0), next: looked, hasMore }
  },
  async unsure(ctx, page) {
    const { db, vault, now } = ctx
    const ids = await listUnsureIds(db.read, vault, now(), page)
    const memories = await openAll(ctx, ids)
    const items = ids.flatMap((id): Item[] => {
      const memory = memories.get(id)
      return memory === undefined
        ? []
        : [{ kind: 'unsure', memories: [describe(memory)], label: null, similarity: null }]
    })
    return { items, ...placeOf(page.offset + ids.length, await countUnsure(db.read, vault, now())) }
  },
}

const placeOf = (next: number, total: number) => ({ next, total, hasMore: next < total })

async function openAll({ db, vault }: DashboardVaultContext, ids: readonly string[]): Promise<Map<string, Memory>> {
  const memories = await findMemories(db.read, vault, [...new Set(ids)])
  return new Map(memories.map((memory) => [memory.memoryId, memory]))
}

const newerFirst = (memories: readonly Memory[]) =>
  memories.toSorted((one, other) => other.createdAt - one.createdAt || (one.memoryId < other.memoryId ? 1 : -1))

const describe = (memory: Memory): z.input<typeof reviewedMemory> => ({
  ...describeListed(memory),
  excerpt: memory.content.slice(0, shownChars).toWellFormed(),
  isWhole: memory.content.length <= shownChars,
})
