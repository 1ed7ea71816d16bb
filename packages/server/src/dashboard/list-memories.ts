import { chooseIds, findPage, isNarrowed, type SealedFilter } from '../memories/find-page.ts'
import { compareBy, findPassing, type MemorySort, type PlainFilter } from '../memories/list-store.ts'
import { describeListed } from '../memories/listed-memory.ts'
import type { MemoryType } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { nonEmpty } from '../operation/fields.ts'
import { searchVault } from '../search/search-vault.ts'
import type { ItemState } from '../vault-index/choose-items.ts'

/** A page of memories as lists show them: what they are narrowed by, and the few that are opened. */

interface ListRequest {
  q?: string | undefined
  type?: MemoryType[] | undefined
  importanceMin?: number | undefined
  agent?: string | undefined
  entity?: string | undefined
  state: ItemState
  neverRecalled?: boolean | undefined
  contradicts?: boolean | undefined
  runId?: string | undefined
  createdFrom?: string | undefined
  createdTo?: string | undefined
  sort?: MemorySort | undefined
  limit: number
  offset: number
}

export async function listMemories(ctx: VaultContext, request: ListRequest) {
  const { q, sort, ...page } = request
  const plain = plainOf(request, ctx.now())
  const sealed = sealedOf(request)
  const found =
    q === undefined
      ? await findPage(ctx, plain, sealed, sort ?? 'newest', page)
      : await findByText(ctx, plain, sealed, request, q)
  const { ids, ...rest } = found
  const byId = new Map((await findMemories(ctx.db.read, ctx.vault, ids)).map((memory) => [memory.memoryId, memory]))
  return { ...rest, memories: ids.flatMap((id) => byId.get(id) ?? []).map(describeListed) }
}

/** As many as a search ranks. */
const maxFound = 100

async function findByText(
  ctx: VaultContext,
  plain: PlainFilter,
  sealed: SealedFilter,
  { sort, limit, offset }: ListRequest,
  query: string,
) {
  const { state, types, importanceMin, createdFrom, createdTo } = plain
  const isChosen = isNarrowed(sealed) || state === 'archived'
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
    // Nothing that fits is left out because something else fits as well.
    diversity: 0,
  })
  const ids = hits.map(({ itemId }) => itemId)
  const passing = await findPassing(ctx.db.read, ctx.vault, plain, ids)
  const rank = new Map(ids.map((id, at) => [id, at]))
  const byRank = (a: { id: string }, b: { id: string }) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)
  const page = passing.toSorted(sort === undefined ? byRank : compareBy(sort)).slice(offset, offset + limit)
  return { ids: page.map(({ id }) => id), total: passing.length, degraded }
}

const plainOf = (
  { state, type, importanceMin, neverRecalled, createdFrom, createdTo }: ListRequest,
  now: number,
): PlainFilter => ({
  state,
  now,
  types: nonEmpty(type),
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
