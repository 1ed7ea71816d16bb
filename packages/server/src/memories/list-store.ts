import type { ExpressionBuilder } from 'kysely'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import type { ItemState } from '../vault-index/choose-items.ts'

/** Lists and counts of memories by their plain columns, which one index holds (`memories_browse`). Opens none. */

export const memorySorts = ['newest', 'oldest', 'updated', 'importance', 'recalled'] as const
export type MemorySort = (typeof memorySorts)[number]

/** Times are milliseconds since 1970; what is left out does not filter. */
export interface PlainFilter {
  /** `live`: neither archived, nor expired, nor superseded. */
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
  limit: number
  offset: number
}

/** The page in its order, and how many memories pass in all. */
export async function listMemoryIds(
  db: Reader,
  scope: VaultScope,
  filter: PlainFilter,
  sort: MemorySort,
  { limit, offset }: Page,
): Promise<{ ids: string[]; total: number }> {
  const ids = await listSortedIds(db, scope, filter, sort, { limit, offset })
  return { ids, total: await countPassing(db, scope, filter) }
}

/** How many memories pass. */
export async function countPassing(db: Reader, scope: VaultScope, filter: PlainFilter): Promise<number> {
  const { total } = await passing(db, scope, filter)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The page alone. */
export async function listSortedIds(
  db: Reader,
  scope: VaultScope,
  filter: PlainFilter,
  sort: MemorySort,
  { limit, offset }: Page,
): Promise<string[]> {
  const rows = await sorted(db, scope, filter, sort).limit(limit).offset(offset).execute()
  return rows.map(({ id }) => id)
}

/** Where a memory stands in the order `newest`, also once it is gone. */
export interface NewestPlace {
  createdAt: number
  id: string
}

/** The newest that pass, or those that follow a place: what comes and goes meanwhile moves none of them. */
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
        // Beside the other condition, so that the index is entered there.
        .where('createdAt', '<=', after?.createdAt ?? 0)
        .where((memory) =>
          memory.or([memory('createdAt', '<', after?.createdAt ?? 0), memory('id', '<', after?.id ?? '')]),
        ),
    )
    .limit(limit)
    .execute()

function sorted(db: Reader, scope: VaultScope, filter: PlainFilter, sort: MemorySort) {
  const rows = passing(db, scope, filter).select('id')
  if (sort === 'oldest') return rows.orderBy('createdAt').orderBy('id')
  const first = {
    newest: rows,
    updated: rows.orderBy('updatedAt', 'desc'),
    importance: rows.orderBy('importance', 'desc'),
    recalled: rows.orderBy('lastAccessedAt', (order) => order.desc().nullsLast()),
  }[sort]
  return first.orderBy('createdAt', 'desc').orderBy('id', 'desc')
}

/** What a memory is put into order by. */
export interface ListedMemory {
  id: string
  createdAt: number
  updatedAt: number
  importance: number
  lastAccessedAt: number | null
}

const idsAtOnce = 500

/** Those of the ids that pass, in no particular order. */
export async function findPassing(
  db: Reader,
  scope: VaultScope,
  filter: PlainFilter,
  ids: readonly string[],
): Promise<ListedMemory[]> {
  const found: ListedMemory[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const rows = await passing(db, scope, filter)
      .select(['id', 'createdAt', 'updatedAt', 'importance', 'lastAccessedAt'])
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
}

/** How these memories stand, in no particular order. */
export async function listMemoryStates(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<MemoryState[]> {
  const found: MemoryState[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const rows = await db
      .selectFrom('memories')
      .select(['id', 'version', 'archivedAt', 'supersededById', 'integrationId'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('id', 'in', ids.slice(at, at + idsAtOnce))
      .execute()
    found.push(...rows)
  }
  return found
}

/** In the order of `listMemoryIds`. */
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

// Said so that no index fits which holds archived memories or the others alone, and of each too little to sort and count by:
// of 100,000 memories the rows would be read.
const archivedAt = ({ fn, val }: ExpressionBuilder<Tables, 'memories'>) => fn.coalesce('archivedAt', val(0))

const passing = (db: Reader, { id, userId }: VaultScope, filter: PlainFilter) =>
  db
    .selectFrom('memories')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .$if(filter.state === 'live', (query) =>
      query
        .where(archivedAt, '=', 0)
        .where('supersededById', 'is', null)
        .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', filter.now)])),
    )
    .$if(filter.state === 'archived', (query) => query.where(archivedAt, '>', 0))
    .$if(filter.types !== undefined, (query) => query.where('type', 'in', filter.types ?? []))
    .$if(filter.importanceMin !== undefined, (query) => query.where('importance', '>=', filter.importanceMin ?? 1))
    .$if(filter.neverRecalled === true, (query) => query.where('lastAccessedAt', 'is', null))
    .$if(filter.createdFrom !== undefined, (query) => query.where('createdAt', '>=', filter.createdFrom ?? 0))
    .$if(filter.createdTo !== undefined, (query) => query.where('createdAt', '<', filter.createdTo ?? 0))

/** How many were archived at that moment or later. */
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
  isRecalled: number
  isArchived: number
  isLive: number
  count: number
}

/** How many memories the vault has of each type, importance and state, recalled and not: 100,000 take some 60 ms. */
export const countPlain = (db: Reader, scope: VaultScope, now: number): Promise<PlainCount[]> =>
  passing(db, scope, { state: 'all', now })
    .select(({ eb, fn, or }) => {
      const lasts = or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)])
      const isLive = eb('archivedAt', 'is', null).and('supersededById', 'is', null).and(lasts)
      return [
        'type',
        'importance',
        eb.case().when('lastAccessedAt', 'is', null).then(0).else(1).end().as('isRecalled'),
        eb.case().when('archivedAt', 'is', null).then(0).else(1).end().as('isArchived'),
        eb.case().when(isLive).then(1).else(0).end().as('isLive'),
        fn.countAll<number>().as('count'),
      ]
    })
    .groupBy(['type', 'importance', 'isRecalled', 'isArchived', 'isLive'])
    .execute()
