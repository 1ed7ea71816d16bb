import { z } from 'zod'
import { describeListed, exampleListed, listedMemory, type Memory } from '../memories/memory.ts'
import { describeOutline, listChanges, memoryVersionOutline, type TextChange } from '../memories/former-text.ts'
import { countPassing, type NewestPlace } from '../memories/list-store.ts'
import { findIntactMemories, findIntactWithStates } from '../memories/store.ts'
import { findPersonsTexts } from '../memories/version-store.ts'
import { invalid } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import { exampleIntegration } from '../integrations/integration.ts'
import { findIntactOutlines } from '../notes/store.ts'
import { listLinksFrom } from '../links/store.ts'
import { collectDamage, type OnDamage } from '../crypto/cell.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { describeLeftOut, leftOut } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import {
  countPending,
  countPendingByIntegration,
  findProposal,
  listPending,
  type Proposal,
} from '../proposals/store.ts'
import { countChanged, listChangedIds } from './changed-store.ts'
import { clipChange, reviewedChange, shownChars, type ReviewedChange } from './clip-change.ts'
import { countReview, reviewCounts } from './count-review.ts'
import { findContradictions } from './find-contradictions.ts'
import { listTrusted, reviewKinds, type ReviewKind } from './decision-store.ts'
import { findLookalikes } from './find-lookalikes.ts'
import { describeProposal, proposedChange } from './describe-proposal.ts'
import { describeRemoval, describeTrashed, removal } from './removed-record.ts'
import { countRemoved, listRemovedIds } from './removed-store.ts'
import { countUnsure, listUnsureIds } from './unsure-store.ts'

/** A place in the list that writes don't shift: when a memory was stored, and its id. */
const placePattern = /^\d{1,15}\.[\da-f-]{36}$/

const reviewedMemory = listedMemory
  .extend({
    excerpt: z.string().describe(`The first ${shownChars} characters of its content.`),
    isWhole: z.boolean().describe('Whether the excerpt is the whole content.'),
    integrationId: z.uuid().nullable().describe('The integration that wrote it; null if a person wrote it.'),
  })
  .meta({ id: 'ReviewedMemory' })

const reviewItem = z
  .looseObject({
    kind: z.enum(reviewKinds),
    memories: z
      .array(reviewedMemory)
      .describe(
        'One memory, or two with the newer first. None if it is about a note, or the record of a proposal is gone.',
      ),
    label: z.string().nullable().describe('The label of the `contradicts` link.'),
    similarity: z
      .number()
      .nullable()
      .describe('For possible duplicates: 1 if they say the same thing, otherwise how much they have in common.'),
    former: memoryVersionOutline
      .nullable()
      .describe('For changed memories: the last version by a person. Restore it with `fromVersion` of update-memory.'),
    changes: z
      .array(reviewedChange)
      .describe(
        'For changed memories: what differs between that version and the current one. For proposals: what accepting changes. Long texts are cut, unless you ask for one proposal by `id`.',
      ),
    proposal: proposedChange.nullable().describe('For proposals: what an agent asks for.'),
    removed: removal.nullable().describe('For what an agent removed: how, and by which agent.'),
  })
  .meta({ id: 'ReviewItem' })

export const listReview = operation({
  name: 'list-review',
  for: { person: 'GET /api/review' },
  vault: 'required',
  summary:
    'List what to review: changes that agents propose, contradictions, possible duplicates, memories that an agent wrote with low confidence, and what a person wrote and an agent changed or removed.',
  effect: 'read',
  outdatedBy: ['memories', 'notes', 'links', 'agents'],
  input: z.object({
    ...fields.ownVault,
    kind: z.enum(reviewKinds).describe('The kind of items.'),
    id: z
      .uuid()
      .optional()
      .describe('For proposals: only the one with this `proposalId`, with its whole texts. No item if it is decided.'),
    limit: fields.limit,
    offset: fields.offset.describe('How many to skip. For duplicates use `after` instead.'),
    after: z
      .string()
      .regex(placePattern, 'must be the `after` of the previous answer')
      .optional()
      .describe('For duplicates: the `after` of the previous answer. Continues with the next memories.'),
  }),
  output: z.looseObject({
    items: z.array(reviewItem),
    ...leftOut,
    total: z.int().describe('The number of items. For duplicates: the number of memories to compare.'),
    limit: z.int(),
    offset: z.int(),
    hasMore: z.boolean(),
    next: z.int().nullable().describe('The next offset; null for duplicates.'),
    after: z
      .string()
      .nullable()
      .describe('For duplicates: where to continue. Each call compares for a while and returns what it found.'),
    looked: z.int().nullable().describe('For duplicates: how many memories this call compared.'),
    counts: reviewCounts,
    trusted: z
      .record(z.uuid(), fields.timestamp)
      .describe('Integrations whose low-confidence memories need no review in this vault, and since when.'),
    proposed: z
      .record(z.uuid(), z.int())
      .describe('For proposals: integrations with proposals that wait in this vault, and how many. Otherwise empty.'),
  }),
  examples: {
    input: { vaultId: exampleListed.vaultId, kind: 'unsure' },
    output: {
      items: [
        {
          kind: 'unsure',
          memories: [
            {
              ...exampleListed,
              confidence: 2,
              excerpt: exampleListed.preview,
              isWhole: true,
              integrationId: exampleIntegration.id,
            },
          ],
          label: null,
          similarity: null,
          former: null,
          changes: [],
          proposal: null,
          removed: null,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
      next: 1,
      after: null,
      looked: null,
      counts: { proposal: 0, contradiction: 0, unsure: 1, changed: 0, removed: 0 },
      trusted: {},
      proposed: {},
    },
  },
  async run({ kind, id, limit, offset, after }, ctx) {
    if (kind !== 'proposal' && id !== undefined) throw invalid({ id: 'only for kind=proposal' })
    if (kind === 'duplicate' && offset > 0) throw invalid({ offset: 'not for duplicates; use `after`' })
    if (kind !== 'duplicate' && after !== undefined) throw invalid({ after: 'only for kind=duplicate; use `offset`' })
    const damage = collectDamage(ctx.instance.onDamage)
    const finding = { ...ctx, onDamage: damage.onDamage }
    const page = { limit, offset, after: readPlace(after) }
    const found = id === undefined ? await find[kind](finding, page) : await findOne(finding, id)
    await addKeyLabels(
      ctx,
      found.items.flatMap(({ memories }) => memories),
    )
    const trusted = await readTrusted(ctx)
    const proposed = kind === 'proposal' ? await countPendingByIntegration(ctx.db.read, ctx.vault) : {}
    const counts = await countReview(ctx)
    return { ...found, ...describeLeftOut(damage.ids), limit, offset, counts, trusted, proposed }
  },
})

const readTrusted = async ({ db, vault }: Pick<VaultContext, 'db' | 'vault'>): Promise<Record<string, string>> =>
  Object.fromEntries((await listTrusted(db.read, vault)).map(({ integrationId, at }) => [integrationId, isoTime(at)]))

interface Page {
  limit: number
  offset: number
  after: NewestPlace | undefined
}

type Item = z.input<typeof reviewItem>
type Found = {
  items: Item[]
  total: number
  next: number | null
  after: string | null
  looked: number | null
  hasMore: boolean
}

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'embeddings' | 'now'> & { onDamage: OnDamage }

const find: Record<ReviewKind, (ctx: Context, page: Page) => Promise<Found>> = {
  async proposal(ctx, page) {
    const { db, vault } = ctx
    const items: Item[] = []
    for (const one of await listPending(db.read, vault, page)) items.push(await describeProposed(ctx, one, clipChange))
    return { items, ...placeOf(page.offset + items.length, await countPending(db.read, vault)) }
  },
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
              ...plain,
              label: link?.label ?? null,
            },
          ]
    })
    return { items, ...placeOf(offset + shown.length, pairs.length) }
  },
  async duplicate(ctx, page) {
    const { found, looked, last, hasMore } = await findLookalikes(ctx, page)
    const total = await countPassing(ctx.db.read, ctx.vault, { state: 'live', now: ctx.now() })
    const items = found.map(({ newer, older, similarity }): Item => ({
      kind: 'duplicate',
      memories: [newer, older].map(describe),
      ...plain,
      similarity: Math.round(similarity * 1000) / 1000,
    }))
    return { items, total, next: null, after: last === undefined ? null : printPlace(last), looked, hasMore }
  },
  async unsure(ctx, page) {
    const { db, vault, now } = ctx
    const ids = await listUnsureIds(db.read, vault, now(), page)
    const memories = await openAll(ctx, ids)
    const items = ids.flatMap((id): Item[] => {
      const memory = memories.get(id)
      return memory === undefined ? [] : [{ kind: 'unsure', memories: [describe(memory)], ...plain }]
    })
    return { items, ...placeOf(page.offset + ids.length, await countUnsure(db.read, vault, now())) }
  },
  async changed(ctx, page) {
    const { db, vault, now } = ctx
    const ids = await listChangedIds(db.read, vault, now(), page)
    const found = await findIntactWithStates(db.read, vault, ids, ctx.onDamage)
    const texts = await findPersonsTexts(db.read, vault, ids)
    const items = ids.flatMap((id): Item[] => {
      const [one, text] = [found.get(id), texts.get(id)]
      if (one === undefined) return []
      const { memory, state } = one
      const former = text === undefined ? null : describeOutline(memory, text)
      const changes = text === undefined ? [] : listChanges(text, { memory, task: state?.detail })
      return [{ kind: 'changed', memories: [describe(memory)], ...plain, former, changes: changes.map(clipChange) }]
    })
    return { items, ...placeOf(page.offset + ids.length, await countChanged(db.read, vault, now())) }
  },
  async removed(ctx, page) {
    const { db, vault, now } = ctx
    const ids = await listRemovedIds(db.read, vault, now(), page)
    const memories = await openAll(ctx, ids)
    const successors = await openAll(
      ctx,
      [...memories.values()].flatMap(({ supersededById: id }) => id ?? []),
    )
    const notes = await findIntactOutlines(db.read, vault, ids, ctx.onDamage)
    const items = ids.flatMap((id): Item[] => {
      const [memory, note] = [memories.get(id), notes.find(({ noteId }) => noteId === id)]
      if (note !== undefined) return [{ kind: 'removed', memories: [], ...plain, removed: describeTrashed(note) }]
      if (memory === undefined) return []
      const removed = describeRemoval(memory, successors.get(memory.supersededById ?? ''), now())
      return [{ kind: 'removed', memories: [describe(memory)], ...plain, removed }]
    })
    return { items, ...placeOf(page.offset + ids.length, await countRemoved(db.read, vault, now())) }
  },
}

/** A proposal that waits for a decision, with its whole texts. */
async function findOne(ctx: Context, proposalId: string): Promise<Found> {
  const proposal = await findProposal(ctx.db.read, ctx.vault, proposalId)
  const show = (change: TextChange) => ({ ...change, isCut: false })
  const items = proposal?.status === 'pending' ? [await describeProposed(ctx, proposal, show)] : []
  return { items, ...placeOf(items.length, items.length) }
}

async function describeProposed(
  ctx: Context,
  proposed: Proposal,
  show: (change: TextChange) => ReviewedChange,
): Promise<Item> {
  const { memory, changes, wholeTag, ...proposal } = await describeProposal(ctx, proposed)
  const shown = changes.map(show)
  const isWhole = !shown.some(({ isCut }) => isCut)
  return {
    kind: 'proposal',
    memories: memory === undefined ? [] : [describe(memory)],
    ...plain,
    changes: shown,
    proposal: { ...proposal, wholeTag: isWhole ? wholeTag : null },
  }
}

const plain = { label: null, similarity: null, former: null, changes: [], proposal: null, removed: null }

const placeOf = (next: number, total: number) => ({
  next,
  total,
  hasMore: next < total,
  after: null,
  looked: null,
})

const printPlace = ({ createdAt, id }: NewestPlace) => `${createdAt}.${id}`

function readPlace(printed: string | undefined): NewestPlace | undefined {
  const [createdAt, id] = printed?.split('.') ?? []
  return id === undefined ? undefined : { createdAt: Number(createdAt), id }
}

async function openAll(
  { db, vault, onDamage }: Pick<Context, 'db' | 'vault' | 'onDamage'>,
  ids: readonly string[],
): Promise<Map<string, Memory>> {
  const memories = await findIntactMemories(db.read, vault, [...new Set(ids)], onDamage)
  return new Map(memories.map((memory) => [memory.memoryId, memory]))
}

const newerFirst = (memories: readonly Memory[]) =>
  memories.toSorted((one, other) => other.createdAt - one.createdAt || (one.memoryId < other.memoryId ? 1 : -1))

const describe = (memory: Memory): z.input<typeof reviewedMemory> => ({
  ...describeListed(memory),
  excerpt: memory.content.slice(0, shownChars).toWellFormed(),
  isWhole: memory.content.length <= shownChars,
  integrationId: memory.integrationId ?? null,
})
