import { z } from 'zod'
import { refs } from '../calls/records.ts'
import {
  chooseIds,
  findPage,
  isKnownToIndex,
  isNarrowed,
  type MemoryFilter,
  type SealedFilter,
} from '../memories/find-page.ts'
import { compareBy, findPassing, listChain, memorySorts, type PlainFilter } from '../memories/list-store.ts'
import {
  describeListed,
  exampleListed,
  exampleMemory,
  isLive,
  listedMemory,
  memoryRecord,
  memoryTypes,
  titleOf,
} from '../memories/memory.ts'
import { readRecord } from '../memories/read-memories.ts'
import { findIntactMemories } from '../memories/store.ts'
import { collectDamage } from '../crypto/cell.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { itemStates } from '../vault-index/choose-items.ts'
import { degradedLegs, type SearchContext, searchVault } from './search-vault.ts'

const input = z.object({
  ...fields.ownVault,
  id: fields.memoryId
    .optional()
    .describe('Only this memory, as `memory`, with its full content and what it superseded.'),
  q: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Only what a search for this text finds: at most 100, best first unless you set `sort`.'),
  type: z
    .array(z.enum(memoryTypes))
    .max(memoryTypes.length)
    .optional()
    .describe('Only memories of this type. Repeat to allow several types.'),
  importanceMin: fields.importance.optional().describe('Only memories of this importance or more.'),
  agent: fields.agentName.optional().describe('Only memories written by the agent with this name; "user" for people.'),
  entity: z.string().min(1).max(200).optional().describe('Only memories that name this entity.'),
  state: z
    .enum(itemStates)
    .default('live')
    .describe(
      '`live`: the memories that searches find. `superseded`: replaced by another, or expired and not archived yet. `all`: these and archived ones.',
    ),
  neverRecalled: z.boolean().optional().describe('Only memories that no agent has ever read or found.'),
  contradicts: z.boolean().optional().describe('Only memories with a `contradicts` link.'),
  runId: fields.agentRunId.optional().describe('Only memories of this run.'),
  createdFrom: fields.timestamp.optional().describe('Only memories stored at or after this moment.'),
  createdTo: fields.timestamp.optional().describe('Only memories stored before this moment.'),
  sort: z
    .enum(memorySorts)
    .optional()
    .meta({ default: 'newest' })
    .describe('Sort order. `updated`: last changed first. `recalled`: last read or found by an agent first.'),
  limit: fields.limit,
  offset: fields.offset,
})

type ListRequest = Omit<z.output<typeof input>, 'id' | 'vaultId'>

const chained = z.looseObject({
  memoryId: z.uuid(),
  title: z.string().describe('Its summary or first line, at most 200 characters.'),
  live: z.boolean(),
})

const maxChained = 20

export const memoryPage = z.looseObject({
  memories: z.array(listedMemory),
  degraded: degradedLegs.optional().describe('With `q`: parts of the search that could not run fully, and why.'),
  ...leftOut,
  ...page,
})

export const openedMemory = z.looseObject({
  memory: memoryRecord,
  chain: z
    .array(chained)
    .describe('The memory, what it superseded and what superseded it: the newest 20, newest first.'),
  chainCount: z.int(),
})

export const listMemories = operation({
  name: 'list-memories',
  for: { person: 'GET /api/memories' },
  vault: 'required',
  summary:
    'List the memories of a vault, newest first, or read one by id. Reading them here does not count as a recall.',
  effect: 'read',
  outdatedBy: ['memories', 'links'],
  about: ({ id }) => refs('memory', id),
  input,
  output: z.union([memoryPage, openedMemory]),
  examples: {
    input: { vaultId: exampleMemory.vaultId, importanceMin: 4 },
    output: { memories: [exampleListed], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ id, ...request }, ctx) {
    if (id !== undefined) return readOne(ctx, id)
    const { q, sort, ...paging } = request
    const filter = { plain: plainOf(request, ctx.now()), sealed: sealedOf(request) }
    const { ids, total, ...found } =
      q === undefined
        ? await findPage(ctx, filter, { sort: sort ?? 'newest', ...paging })
        : await findByText(ctx, filter, request, q)
    const damage = collectDamage(ctx.instance.onDamage)
    const intact = await findIntactMemories(ctx.db.read, ctx.vault, ids, damage.onDamage)
    const byId = new Map(intact.map((memory) => [memory.memoryId, memory]))
    const memories = ids.flatMap((each) => byId.get(each) ?? []).map(describeListed)
    await addKeyLabels(ctx, memories)
    return { memories, ...found, ...describeLeftOut(damage.ids), ...pageOf(request, total) }
  },
})

async function readOne(ctx: Pick<VaultContext, 'actor' | 'db' | 'instance' | 'vault' | 'now'>, id: string) {
  const { db, vault, now } = ctx
  const memory = await readRecord(ctx, id)
  const ids = await listChain(db.read, vault, id)
  const shown = ids.slice(0, maxChained)
  const byId = new Map((await findIntactMemories(db.read, vault, shown)).map((each) => [each.memoryId, each]))
  return {
    memory,
    chain: shown.flatMap((memoryId) => {
      const each = byId.get(memoryId)
      return each === undefined ? [] : [{ memoryId, title: titleOf(each), live: isLive(each, now()) }]
    }),
    chainCount: ids.length,
  }
}

/** The most that a search ranks. */
const maxFound = 100

async function findByText(
  ctx: SearchContext,
  { plain, sealed }: MemoryFilter,
  { sort, limit, offset }: ListRequest,
  query: string,
) {
  const { state, types, importanceMin, createdFrom, createdTo } = plain
  const isChosen = isNarrowed(sealed) || !isKnownToIndex(state)
  const { hits, degraded } = await searchVault(ctx, {
    query,
    kinds: ['memory'],
    topK: maxFound,
    types,
    minImportance: importanceMin,
    createdAfter: createdFrom,
    createdBefore: createdTo,
    itemIds: isChosen ? new Set(await chooseIds(ctx, plain, sealed)) : undefined,
    includeArchived: state !== 'live',
    includeSuperseded: state === 'superseded' || state === 'all',
    isStrict: true,
    // A list leaves out no match because a better one is similar.
    diversity: 0,
  })
  const ids = hits.map(({ itemId }) => itemId)
  const passing = await findPassing(ctx.db.read, ctx.vault, plain, ids)
  const rank = new Map(ids.map((id, at) => [id, at]))
  const byRank = (a: { id: string }, b: { id: string }) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)
  const shown = passing.toSorted(sort === undefined ? byRank : compareBy(sort)).slice(offset, offset + limit)
  return { ids: shown.map(({ id }) => id), total: passing.length, degraded }
}

const plainOf = (
  { state, type, importanceMin, neverRecalled, createdFrom, createdTo }: ListRequest,
  now: number,
): PlainFilter => ({
  state,
  now,
  types: fields.nonEmpty(type),
  importanceMin,
  neverRecalled: neverRecalled === true,
  createdFrom: createdFrom === undefined ? undefined : Date.parse(createdFrom),
  createdTo: createdTo === undefined ? undefined : Date.parse(createdTo),
})

const sealedOf = ({ agent, entity, runId, contradicts }: ListRequest): SealedFilter => ({
  agentId: agent,
  entity,
  agentRunId: runId,
  relationType: contradicts ? 'contradicts' : undefined,
})
