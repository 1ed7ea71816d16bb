import { wordTags } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { VaultContext } from '../operation/context.ts'
import { choiceTest, pageOfSlots, slotsOf, type ItemChoice, type ItemState } from '../vault-index/choose-items.ts'
import type { WordTags } from '../vault-index/index-record.ts'
import {
  compareBy,
  findPassing,
  listMemoryIds,
  listSortedIds,
  type MemorySort,
  type PlainFilter,
} from './list-store.ts'

/** Filters on sealed fields. A field left out does not filter. */
export interface SealedFilter {
  agentId?: string | undefined
  entity?: string | undefined
  agentRunId?: string | undefined
  /** Has a link of this relation, in either direction. */
  relationType?: string | undefined
}

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes'>

export interface MemoryFilter {
  plain: PlainFilter
  sealed: SealedFilter
}

interface PageAsked {
  sort: MemorySort
  limit: number
  offset: number
}

interface Page {
  ids: string[]
  total: number
}

/**
 * A page of memories. The database filters by plain columns, the vault's index by sealed fields and most plain columns.
 * For the other columns the index names candidates, whose columns are read 500 at a time (2,000 take 40 ms). If there are
 * more, the database's order is walked until the page is full. The slowest case takes 0.5 s: a filter that neither can
 * count, such as 88,000 never recalled memories of one agent.
 */
export async function findPage(ctx: Context, { plain, sealed }: MemoryFilter, page: PageAsked): Promise<Page> {
  const { db, vault, indexes } = ctx
  const { sort } = page
  if (!isNarrowed(sealed)) return listMemoryIds(db.read, vault, plain, page)
  const choice = choiceOf(plain, sealed)
  if (isKnownToIndex(plain.state) && plain.neverRecalled !== true) {
    const known = await indexes.read(vault, (index) => {
      const slots = slotsOf(index, choiceTest(index, choice, keyedIn(vault)))
      const isOrdered = sort !== 'updated' && sort !== 'recalled'
      return { total: slots.length, ids: isOrdered ? pageOfSlots(index, slots, sort, page) : undefined }
    })
    if (known.ids !== undefined) return { ids: known.ids, total: known.total }
    if (known.total > fewIds) return { ids: await walk(ctx, plain, choice, page), total: known.total }
  }
  const passing = await findPassing(db.read, vault, plain, await chooseIds(ctx, plain, sealed))
  const shown = passing.toSorted(compareBy(sort)).slice(page.offset, page.offset + page.limit)
  return { ids: shown.map(({ id }) => id), total: passing.length }
}

/** Whether the index knows which memories are in this state. For the others, it only names candidates. */
export const isKnownToIndex = (state: ItemState): boolean => state === 'live' || state === 'all'

/** Up to this many are read by id. With more, some are found early in any order. */
const fewIds = 2_000
const walkedAtOnce = 2_000

/** A page of the memories that pass both filters, in the database's order. */
async function walk(
  { db, vault, indexes }: Context,
  plain: PlainFilter,
  choice: ItemChoice,
  { sort, limit, offset }: PageAsked,
): Promise<string[]> {
  const found: string[] = []
  for (let at = 0; found.length < offset + limit; at += walkedAtOnce) {
    const ids = await listSortedIds(db.read, vault, plain, { sort, limit: walkedAtOnce, offset: at })
    const passing = await indexes.read(vault, (index) => {
      const test = choiceTest(index, choice, keyedIn(vault))
      return ids.filter((id) => test(index.slotOf(id)))
    })
    found.push(...passing)
    if (ids.length < walkedAtOnce) break
  }
  return found.slice(offset, offset + limit)
}

export const isNarrowed = (sealed: SealedFilter): boolean => Object.values(sealed).some((value) => value !== undefined)

/** The memories that may pass both filters, as far as the vault's index knows: all that do, and possibly more. */
export function chooseIds({ vault, indexes }: Context, plain: PlainFilter, sealed: SealedFilter): Promise<string[]> {
  const choice = choiceOf(plain, sealed)
  return indexes.read(vault, (index) =>
    slotsOf(index, choiceTest(index, choice, keyedIn(vault))).map((slot) => index.itemIdOf(slot)),
  )
}

export const keyedIn =
  (vault: VaultContext['vault']): WordTags =>
  (words) =>
    wordTags(tagKeys(vault.keys).words, words)

function choiceOf(plain: PlainFilter, { agentId, entity, agentRunId, relationType }: SealedFilter): ItemChoice {
  const { types, importanceMin, createdFrom, createdTo } = plain
  return {
    state: plain.state,
    at: plain.now,
    kinds: ['memory'],
    ...(types !== undefined && { types }),
    ...(importanceMin !== undefined && { minImportance: importanceMin }),
    ...(createdFrom !== undefined && { createdAfter: createdFrom }),
    ...(createdTo !== undefined && { createdBefore: createdTo }),
    ...(agentId !== undefined && { agentId }),
    ...(entity !== undefined && { entity }),
    ...(agentRunId !== undefined && { agentRunId }),
    ...(relationType !== undefined && { relationType }),
  }
}
