import type { VaultScope } from '../crypto/keys.ts'
import { sql } from 'kysely'
import type { Reader } from '../db/dialect.ts'
import { preparedForIds, type Param } from '../db/prepared.ts'
import type { RelationType } from './relation-types.ts'
import { linksIn, openLink, type StoredLink, type Triple } from './store.ts'

/** Queries for links: page by page from one node, or between given nodes. */

/** More than one write can create: to 100 memories and 100 notes. */
const maxShown = 300

/** Read in one query if no node is a hub; 50 records rarely have more links together. */
const fewLinks = 1_000

// Unordered, so that the database can stop early at a hub.
const selectFewFrom = preparedForIds((db, param: Param<{ userId: string; vaultId: string }>, ids) =>
  db
    .selectFrom('links')
    .selectAll()
    .where('userId', '=', param('userId'))
    .where('vaultId', '=', param('vaultId'))
    .where('removedAt', 'is', null)
    .where('sourceId', 'in', ids)
    .limit(fewLinks + 1),
)

/** Links that leave these nodes, oldest first, the newest 300 of each. They are shown with records, and some records are hubs. */
export async function listNewestLinksFrom(
  db: Reader,
  scope: VaultScope,
  sourceIds: readonly string[],
): Promise<StoredLink[]> {
  if (sourceIds.length === 0) return []
  const all = await selectFewFrom.execute(db, { userId: scope.userId, vaultId: scope.id }, sourceIds)
  const bySource =
    all.length <= fewLinks
      ? Map.groupBy(all, ({ sourceId }) => sourceId).values()
      : await Promise.all(sourceIds.map((id) => newestFrom(db, scope, id)))
  const ascending = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  return Array.from(bySource)
    .flatMap((rows) => rows.toSorted(ascending).slice(-maxShown))
    .toSorted(ascending)
    .map((row) => openLink(scope, row))
}

const newestFrom = (db: Reader, scope: VaultScope, sourceId: string) =>
  linksIn(db, scope).selectAll().where('sourceId', '=', sourceId).orderBy('id', 'desc').limit(maxShown).execute()

export type Direction = 'both' | 'outgoing' | 'incoming'

export interface LinkQuery {
  nodeId: string
  direction: Direction
  /** Default: all. */
  relationTypes?: readonly RelationType[] | undefined
}

/** A page of a node's links, newest first, and the number of all its links. */
export async function listLinks(
  db: Reader,
  scope: VaultScope,
  query: LinkQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ links: StoredLink[]; total: number }> {
  // Each end is ordered separately, so that PostgreSQL also reads only what the page needs from its index.
  const ends = endsOf(query.direction)
  const newest = unionOf(ends.map((end) => newestAt(db, scope, end, { ...query, limit: offset + limit })))
  const page = await newest.orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const counts = await Promise.all(ends.map((end) => countAt(db, scope, end, query)))
  return {
    links: await listByIds(
      db,
      scope,
      page.map(({ id }) => id),
    ),
    total: counts.reduce((sum, count) => sum + count, 0),
  }
}

type End = 'sourceId' | 'targetId'

const endsOf = (direction: Direction): End[] =>
  direction === 'both' ? ['sourceId', 'targetId'] : [direction === 'outgoing' ? 'sourceId' : 'targetId']

// Only columns that the index of that end has, because a node may have 100,000 links.
const linksAt = (db: Reader, scope: VaultScope, end: End, { nodeId, relationTypes }: LinkQuery) =>
  linksIn(db, scope)
    .where(end, '=', nodeId)
    .$if(relationTypes !== undefined, (query) => query.where('relationType', 'in', relationTypes ?? []))

const newestAt = (db: Reader, scope: VaultScope, end: End, query: LinkQuery & { limit: number }) =>
  db
    .selectFrom(linksAt(db, scope, end, query).select('id').orderBy('id', 'desc').limit(query.limit).as(end))
    .select('id')

async function countAt(db: Reader, scope: VaultScope, end: End, query: LinkQuery): Promise<number> {
  const { count } = await linksAt(db, scope, end, query)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function unionOf<Q extends { unionAll(other: Q): Q }>(queries: readonly Q[]): Q {
  const [first, ...others] = queries
  if (first === undefined) throw new RangeError('a link has two ends')
  return others.reduce((union, other) => union.unionAll(other), first)
}

async function listByIds(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<StoredLink[]> {
  if (ids.length === 0) return []
  const rows = await linksIn(db, scope).selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  return rows.map((row) => openLink(scope, row))
}

/** The ids of at most `limit` links that leave or reach these nodes. */
export async function listLinkIdsOf(
  db: Reader,
  scope: VaultScope,
  nodeIds: readonly string[],
  limit: number,
): Promise<string[]> {
  if (nodeIds.length === 0) return []
  const at = (end: End) => linksIn(db, scope).select('id').where(end, 'in', nodeIds)
  // A link between two of these nodes is found at both ends.
  const rows = await at('sourceId').union(at('targetId')).limit(limit).execute()
  return rows.map(({ id }) => id)
}

const triplesAtOnce = 500

/** The names that both databases give to the columns of a list of values. */
interface Wanted {
  column1: string
  column2: string
  column3: string
}

/** The links that exist, in the requested order. */
export async function findLinks(db: Reader, scope: VaultScope, triples: readonly Triple[]): Promise<StoredLink[]> {
  const found = new Map<string, StoredLink>()
  for (let at = 0; at < triples.length; at += triplesAtOnce) {
    const some = triples.slice(at, at + triplesAtOnce)
    const values = some.map(({ sourceId, targetId, relationType }) => sql`(${sourceId}, ${targetId}, ${relationType})`)
    // A join, because SQLite uses only the first column of a row value that is `in` a list.
    const rows = await db
      .selectFrom(sql<Wanted>`(values ${sql.join(values)})`.as('wanted'))
      .innerJoin('links as link', (join) =>
        join
          .onRef('link.sourceId', '=', 'wanted.column1')
          .onRef('link.targetId', '=', 'wanted.column2')
          .onRef('link.relationType', '=', 'wanted.column3'),
      )
      .selectAll('link')
      .where('link.userId', '=', scope.userId)
      .where('link.vaultId', '=', scope.id)
      .execute()
    for (const row of rows) if (row.removedAt === null) found.set(keyOf(row), openLink(scope, row))
  }
  return triples.flatMap((triple) => found.get(keyOf(triple)) ?? [])
}

const keyOf = ({ sourceId, targetId, relationType }: Record<keyof Triple, string>) =>
  `${sourceId} ${targetId} ${relationType}`
