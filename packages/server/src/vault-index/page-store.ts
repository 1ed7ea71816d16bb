import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { Tables } from '../db/schema.ts'

// About 10 ms of opening and decoding of entries, between which other requests get their turn.
const pageRows = 500

/**
 * The rows that changed after `seq`, oldest change first, a page at a time. One change may touch several rows (a memory and the
 * one that it supersedes): `idColumn` tells them apart.
 */
export async function* pagesSince<T extends keyof Tables, Row extends { seq: number }>(
  query: SelectQueryBuilder<Tables, T, Row>,
  idColumn: keyof Row & string,
  seq: number,
) {
  const [seqRef, idRef] = [sql.ref('seq'), sql.ref(idColumn)]
  let after: { seq: number; id: unknown } = { seq: seq + 1, id: '' }
  while (true) {
    const rows = await query
      // As a pair: SQLite does not look through an `or` with parameters, and would read the vault from its beginning.
      .where(sql<SqlBool>`(${seqRef}, ${idRef}) > (${after.seq}, ${after.id})`)
      .orderBy(seqRef)
      .orderBy(idRef)
      .limit(pageRows)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < pageRows) return
    after = { seq: last.seq, id: last[idColumn as keyof typeof last] }
  }
}
