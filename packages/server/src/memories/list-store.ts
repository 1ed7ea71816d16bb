import type { ExpressionBuilder } from 'kysely'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import { linksIn } from '../links/store.ts'
import type { ItemState } from '../vault-index/choose-items.ts'

/**
 * Lists and counts memories by plain columns, all in one index (`memories_browse`), and by their reads, which are in a table of their own.
 * Opens no memory.
 */

export const memorySorts = ['newest', 'oldest', 'updated', 'importance', 'recalled'] as const
export type MemorySort = (typeof memorySorts)[number]

/** Times are milliseconds since 1970. A field left out does not filter. */
export interface PlainFilter {
  /** `live`: not archived, expired or superseded. `superseded`: neither live nor archived. */
  state: ItemState
  now: number
  types?: readonly string[] | undefined
  importanceMin?: number | undefined
  neverRecalled?: boolean | undefined
  /** At or after. */
  createdFrom?: number | undefined
  /** Before. */
  createdTo?: number | undefined
}

interface Page {
  sort: MemorySort
  limit: number
  offset: number
}

/** A sorted page, and the number of memories that pass. */
export async function listMemoryIds(
  db: Reader,
  scope: VaultScope,
  filter: PlainFilter,
  page: Page,
): Promise<{ ids: string[]; total: number }> {
  const ids = await listSortedIds(db, scope, filter, page)
  return { ids, total: await countPassing(db, scope, filter) }
}

export async function countPassing(db: Reader, scope: VaultScope, filter: PlainFilter): Promise<number> {
  const { total } = await passing(db, scope, filter)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Only the page. */
export async function listSortedIds(
  db: Reader,
  scope: VaultScope,
  filter: PlainFilter,
  { sort, limit, offset }: Page,
): Promise<string[]> {
  if (sort === 'recalled') return listRecalled(db, scope, filter, { limit, offset })
  const rows = await sorted(db, scope, filter, sort).limit(limit).offset(offset).execute()
  return rows.map(({ id }) => id)
}

/** The first memories to look at, times as many in each further round. */
const [firstReads, moreReads] = [500, 8]

/**
 * The last recalled first, then the ones that were never recalled. Finds the latest reads before it looks at their memories: joining all of a
 * vault with 100,000 memories takes 10 times as long.
 */
async function listRecalled(
  db: Reader,
  scope: VaultScope,
  filter: PlainFilter,
  { limit, offset }: Omit<Page, 'sort'>,
): Promise<string[]> {
  const end = offset + limit
  for (let size = Math.max(firstReads, 2 * end); ; size *= moreReads) {
    const latest = await latestReads(db, scope).limit(size).execute()
    const isAll = latest.length < size
    // Others of the same time may follow the last one.
    const since = isAll ? 0 : (latest.at(-1)?.lastAccessedAt ?? 0)
    const ids = latest.filter(({ lastAccessedAt }) => (lastAccessedAt ?? 0) > since).map(({ memoryId }) => memoryId)
    const recalled = (await findPassing(db, scope, filter, ids)).toSorted(compareBy('recalled')).map(({ id }) => id)
    if (recalled.length < end && !isAll) continue
    const page = recalled.slice(offset, end)
    if (page.length === limit) return page
    const others = await sorted(db, scope, { ...filter, neverRecalled: true }, 'newest')
      .limit(limit - page.length)
      .offset(Math.max(0, offset - recalled.length))
      .execute()
    return [...page, ...others.map(({ id }) => id)]
  }
}

const latestReads = (db: Reader, scope: VaultScope) =>
  db
    .selectFrom('memoryReads')
    .select(['memoryId', 'lastAccessedAt'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('lastAccessedAt', 'is not', null)
    .orderBy('lastAccessedAt', 'desc')

/** A memory's place in the order `newest`. It stays valid if the memory is deleted. */
export interface NewestPlace {
  createdAt: number
  id: string
}

/** The newest memories that pass, or the ones after a place. Writes in between don't shift the pages. */
export const listFollowing = (
  db: Reader,
  scope: VaultScope,
  filter: PlainFilter,
  { limit, after }: { limit: number; after: NewestPlace | undefined },
): Promise<NewestPlace[]> =>
  sorted(db, scope, filter, 'newest')
    .select('createdAt')
    .$if(after !== undefined, (query) =>
      query
        // Redundant, but lets the query start at this place of the index.
        .where('createdAt', '<=', after?.createdAt ?? 0)
        .where((memory) =>
          memory.or([memory('createdAt', '<', after?.createdAt ?? 0), memory('id', '<', after?.id ?? '')]),
        ),
    )
    .limit(limit)
    .execute()

/** Whether more than so many memories pass. Reads no further. */
export async function hasMoreThan(db: Reader, scope: VaultScope, filter: PlainFilter, most: number): Promise<boolean> {
  const next = await passing(db, scope, filter).select('id').offset(most).limit(1).executeTakeFirst()
  return next !== undefined
}

function sorted(db: Reader, scope: VaultScope, filter: PlainFilter, sort: Exclude<MemorySort, 'recalled'>) {
  const rows = passing(db, scope, filter).select('id')
  if (sort === 'oldest') return rows.orderBy('createdAt').orderBy('id')
  const first = {
    newest: rows,
    updated: rows.orderBy('updatedAt', 'desc'),
    importance: rows.orderBy('importance', 'desc'),
  }[sort]
  return first.orderBy('createdAt', 'desc').orderBy('id', 'desc')
}

/** The columns that sort a memory. */
export interface ListedMemory {
  id: string
  createdAt: number
  updatedAt: number
  importance: number
  lastAccessedAt: number | null
}

const idsAtOnce = 500

/** The memories with these ids that pass, in no particular order. */
export async function findPassing(
  db: Reader,
  scope: VaultScope,
  filter: PlainFilter,
  ids: readonly string[],
): Promise<ListedMemory[]> {
  const found: ListedMemory[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const rows = await passing(db, scope, filter)
      .leftJoin('memoryReads as reads', (join) =>
        join
          .onRef('reads.userId', '=', 'memories.userId')
          .onRef('reads.vaultId', '=', 'memories.vaultId')
          .onRef('reads.memoryId', '=', 'memories.id'),
      )
      .select(['id', 'createdAt', 'updatedAt', 'importance', 'reads.lastAccessedAt'])
      .where('id', 'in', ids.slice(at, at + idsAtOnce))
      .execute()
    found.push(...rows)
  }
  return found
}

export interface MemoryState {
  id: string
  version: number
  archivedAt: number | null
  supersededById: string | null
  integrationId: string | null
  type: string
  importance: number
}

/** The states of these memories, in no particular order. */
export async function listMemoryStates(
  db: Reader,
  scope: Omit<VaultScope, 'keys'>,
  ids: readonly string[],
): Promise<MemoryState[]> {
  const found: MemoryState[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const rows = await db
      .selectFrom('memories')
      .select(['id', 'version', 'archivedAt', 'supersededById', 'integrationId', 'type', 'importance'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('id', 'in', ids.slice(at, at + idsAtOnce))
      .execute()
    found.push(...rows)
  }
  return found
}

/** The memories that these memories supersede, each with the one that supersedes it. A memory names only the last that it superseded. */
export async function listSuperseded(
  db: Reader,
  scope: VaultScope,
  successorIds: readonly string[],
): Promise<{ id: string; supersededById: string | null }[]> {
  const found: { id: string; supersededById: string | null }[] = []
  for (let at = 0; at < successorIds.length; at += idsAtOnce) {
    const rows = await db
      .selectFrom('memories')
      .select(['id', 'supersededById'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('supersededById', 'in', successorIds.slice(at, at + idsAtOnce))
      .orderBy('id')
      .execute()
    found.push(...rows)
  }
  return found
}

/** The same order as `listMemoryIds`. */
export function compareBy(sort: MemorySort): (a: ListedMemory, b: ListedMemory) => number {
  const byAge = (a: ListedMemory, b: ListedMemory) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
  const first = {
    newest: () => 0,
    oldest: byAge,
    updated: (a: ListedMemory, b: ListedMemory) => b.updatedAt - a.updatedAt,
    importance: (a: ListedMemory, b: ListedMemory) => b.importance - a.importance,
    recalled: (a: ListedMemory, b: ListedMemory) => (b.lastAccessedAt ?? 0) - (a.lastAccessedAt ?? 0),
  }[sort]
  return (a, b) => first(a, b) || byAge(b, a)
}

// Written so that SQLite doesn't choose the partial indexes on archived or live memories: they lack the columns to sort and
// count by, and the rows of 100,000 memories would be read.
const archivedAt = ({ fn, val }: ExpressionBuilder<Tables, 'memories'>) => fn.coalesce('archivedAt', val(0))

const passing = (db: Reader, scope: VaultScope, filter: PlainFilter) =>
  db
    .selectFrom('memories')
    .where('memories.userId', '=', scope.userId)
    .where('memories.vaultId', '=', scope.id)
    .$if(filter.state === 'live', (query) =>
      query
        .where(archivedAt, '=', 0)
        .where('supersededById', 'is', null)
        .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', filter.now)])),
    )
    .$if(filter.state === 'superseded', (query) =>
      query
        .where(archivedAt, '=', 0)
        .where((memory) =>
          memory.or([memory('supersededById', 'is not', null), memory('expiresAt', '<=', filter.now)]),
        ),
    )
    .$if(filter.state === 'archived', (query) => query.where(archivedAt, '>', 0))
    .$if(filter.types !== undefined, (query) => query.where('type', 'in', filter.types ?? []))
    .$if(filter.importanceMin !== undefined, (query) => query.where('importance', '>=', filter.importanceMin ?? 1))
    .$if(filter.neverRecalled === true, (query) =>
      query.where((memories) => memories.not(memories.exists(recalls(memories, scope)))),
    )
    .$if(filter.createdFrom !== undefined, (query) => query.where('createdAt', '>=', filter.createdFrom ?? 0))
    .$if(filter.createdTo !== undefined, (query) => query.where('createdAt', '<', filter.createdTo ?? 0))

const recalls = (memories: ExpressionBuilder<Tables, 'memories'>, { id, userId }: VaultScope) =>
  memories
    .selectFrom('memoryReads as reads')
    .select('reads.memoryId')
    .where('reads.userId', '=', userId)
    .where('reads.vaultId', '=', id)
    .whereRef('reads.memoryId', '=', 'memories.id')
    .where('reads.lastAccessedAt', 'is not', null)

/** How many memories were archived at or after this time. */
export async function countArchivedSince(db: Reader, { id, userId }: VaultScope, since: number): Promise<number> {
  const { total } = await db
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('archivedAt', '>=', since)
    .executeTakeFirstOrThrow()
  return total
}

export interface PlainCount {
  type: string
  importance: number
  isArchived: number
  isLive: number
  count: number
}

/** Counts the vault's memories by type, importance and state. 100,000 take about 60 ms. */
export const countPlain = (db: Reader, scope: VaultScope, now: number): Promise<PlainCount[]> =>
  passing(db, scope, { state: 'all', now })
    .select(({ eb, fn, or }) => {
      const lasts = or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)])
      const isLive = eb('archivedAt', 'is', null).and('supersededById', 'is', null).and(lasts)
      return [
        'type',
        'importance',
        eb.case().when('archivedAt', 'is', null).then(0).else(1).end().as('isArchived'),
        eb.case().when(isLive).then(1).else(0).end().as('isLive'),
        fn.countAll<number>().as('count'),
      ]
    })
    .groupBy(['type', 'importance', 'isArchived', 'isLive'])
    .execute()

/** Each step is one query. */
const maxChain = 200

/**
 * A memory with the memories that it supersedes or that supersede it, directly or through others: about 200 at most, the newest
 * first. Permanently deleted ones are missing, and so is everything that only they lead to.
 */
export async function listChain(db: Reader, scope: VaultScope, id: string): Promise<string[]> {
  const found = new Map<string, number>()
  let front = [id]
  while (front.length > 0 && found.size < maxChain) {
    const rows = await db
      .selectFrom('memories')
      .select(['id', 'createdAt', 'supersedesId', 'supersededById'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('id', 'in', front)
      .execute()
    for (const row of rows) found.set(row.id, row.createdAt)
    const next = [
      ...rows.flatMap((row) => [row.supersedesId, row.supersededById]),
      ...(await targetsOf(db, scope, front)),
    ]
    front = [...new Set(next)].filter((each) => each !== null).filter((each) => !found.has(each))
    front = front.slice(0, maxChain)
  }
  return [...found].toSorted(([a, madeA], [b, madeB]) => madeB - madeA || (a < b ? 1 : -1)).map(([each]) => each)
}

/** A memory names only one that it supersedes; its links name all. */
async function targetsOf(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<string[]> {
  const rows = await linksIn(db, scope)
    .select('targetId')
    .where('sourceId', 'in', ids)
    .where('relationType', '=', 'supersedes')
    .where('targetType', '=', 'memory')
    .limit(maxChain)
    .execute()
  return rows.map(({ targetId }) => targetId)
}
