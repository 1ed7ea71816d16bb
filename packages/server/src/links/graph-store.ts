import { sql } from 'kysely'
import type { Reader } from '../db/dialect.ts'
import type { RelationType } from './relation-types.ts'
import { linksIn, openLink, type LinkScope, type StoredLink, type Triple } from './store.ts'

/** Look-ups of links for those who walk them: page by page from one node, or just these. */

export type Direction = 'both' | 'outgoing' | 'incoming'

export interface LinkQuery {
  nodeId: string
  direction: Direction
  /** Left out: all of them. */
  relationTypes?: readonly RelationType[] | undefined
}

/** The page of a node's links, newest first, and how many there are in all. */
export async function listLinks(
  db: Reader,
  scope: LinkScope,
  query: LinkQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ links: StoredLink[]; total: number }> {
  const [first, ...others] = endsOf(query.direction).map((end) => linksAt(db, scope, end, query))
  if (first === undefined) throw new RangeError('a link has two ends')
  const all = others.reduce((union, ids) => union.unionAll(ids), first)
  const page = await all.orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const counted = await db
    .selectFrom(all.as('link'))
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirst()
  const ids = page.map(({ id }) => id)
  const rows =
    ids.length === 0 ? [] : await linksIn(db, scope).selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  return { links: rows.map((row) => openLink(scope, row)), total: counted?.total ?? 0 }
}

type End = 'sourceId' | 'targetId'

const endsOf = (direction: Direction): End[] =>
  direction === 'both' ? ['sourceId', 'targetId'] : [direction === 'outgoing' ? 'sourceId' : 'targetId']

// No more columns than the index of that end has: a node may have 100,000 links.
const linksAt = (db: Reader, scope: LinkScope, end: End, { nodeId, relationTypes }: LinkQuery) =>
  linksIn(db, scope)
    .select('id')
    .where(end, '=', nodeId)
    .$if(relationTypes !== undefined, (query) => query.where('relationType', 'in', relationTypes ?? []))

/** Ids of links that leave or reach any of these nodes, at most `limit`. */
export async function listLinkIdsOf(
  db: Reader,
  scope: LinkScope,
  nodeIds: readonly string[],
  limit: number,
): Promise<string[]> {
  if (nodeIds.length === 0) return []
  const at = (end: End) => linksIn(db, scope).select('id').where(end, 'in', nodeIds)
  // A link between two of them is found at both ends.
  const rows = await at('sourceId').union(at('targetId')).limit(limit).execute()
  return rows.map(({ id }) => id)
}

const triplesAtOnce = 500

/** Columns as both databases call those of a list of values. */
interface Wanted {
  column1: string
  column2: string
  column3: string
}

/** The links of these that there are, in the order asked. */
export async function findLinks(db: Reader, scope: LinkScope, triples: readonly Triple[]): Promise<StoredLink[]> {
  const found = new Map<string, StoredLink>()
  for (let at = 0; at < triples.length; at += triplesAtOnce) {
    const some = triples.slice(at, at + triplesAtOnce)
    const values = some.map(({ sourceId, targetId, relationType }) => sql`(${sourceId}, ${targetId}, ${relationType})`)
    // A join, since SQLite looks up no more than the first column of a row value that is `in` a list.
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
