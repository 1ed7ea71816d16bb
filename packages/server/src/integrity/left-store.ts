import { sql } from 'kysely'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { Row } from '../rotation/sealed-places.ts'
import type { Found } from './problem.ts'

/** Rows that belong to a record that doesn't exist. */

interface LeftPlace {
  table: string
  /** The columns that name the row in the vault. */
  key: readonly string[]
  /** The column with the id of the record. */
  recordColumn: string
  records: 'memories' | 'notes' | 'turns'
}

export const leftPlaces = {
  tasks: { table: 'tasks', key: ['id'], recordColumn: 'id', records: 'memories' },
  memoryReads: { table: 'memoryReads', key: ['memoryId'], recordColumn: 'memoryId', records: 'memories' },
  claimedWrites: { table: 'claimedWrites', key: ['externalTag'], recordColumn: 'id', records: 'memories' },
  noteTags: { table: 'noteTags', key: ['tag', 'noteId'], recordColumn: 'noteId', records: 'notes' },
  wikiTargets: { table: 'wikiTargets', key: ['titleTag', 'noteId'], recordColumn: 'noteId', records: 'notes' },
  extractionJobs: { table: 'extractionJobs', key: ['turnId'], recordColumn: 'turnId', records: 'turns' },
} as const satisfies Record<string, LeftPlace>

export async function findLeftRows(
  db: Reader,
  scope: VaultScope,
  { table, key, recordColumn, records }: LeftPlace,
  rows: readonly Row[],
): Promise<Found[]> {
  if (rows.length === 0) return []
  const ids = [...new Set(rows.map((row) => String(row[recordColumn])))]
  const known = await db
    .selectFrom(records)
    .select('id')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', 'in', ids)
    .execute()
  const isKnown = new Set(known.map(({ id }) => id))
  return rows.flatMap((row) => {
    const recordId = String(row[recordColumn])
    if (isKnown.has(recordId)) return []
    const repair = async (tx: Tx) => {
      const named = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`)
      await sql`
        delete from ${sql.table(table)}
        where "userId" = ${scope.userId} and "vaultId" = ${scope.id} and ${sql.join(named, sql` and `)}`.execute(tx)
    }
    return [{ table, recordId, problem: 'surplus', repair } as const]
  })
}
