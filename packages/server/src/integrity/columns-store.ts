import { sql } from 'kysely'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tables } from '../db/schema.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { Found } from './problem.ts'

/** Compares plain columns of a vault's rows with what they should be. */

type Value = string | number | Uint8Array | null

/** Which columns of a row should have which values. */
export type Expected<T extends keyof Tables> = { [C in keyof Tables[T]]?: Tables[T][C] & Value }

interface Place<T extends keyof Tables> {
  table: T
  /** The columns that name the row in the vault. */
  key: Partial<Tables[T]>
  recordId: string
  /** Said about each column that isn't kept in encrypted form. */
  detail?: string
}

/** A problem for each column with another value. A keyed tag that is unique in the vault stays if another row has taken it. */
export async function compareColumns<T extends keyof Tables>(
  db: Reader,
  scope: VaultScope,
  { table, key, recordId, detail }: Place<T>,
  [row, expected]: readonly [row: Tables[T], expected: Expected<T>],
): Promise<Found[]> {
  const found: Found[] = []
  for (const [column, value] of Object.entries(expected) as [string & keyof Tables[T], Value][]) {
    if (isSame(row[column], value)) continue
    const name = { table, recordId, column, problem: 'different' } as const
    const isTaken =
      uniqueTags.has(`${table}.${column}`) && value !== null && (await has(db, scope, table, { column, value }))
    const repair = (tx: Tx) => setColumn(tx, scope, { table, key }, { column, value })
    if (isTaken) found.push({ ...name, detail: 'another record has taken its place, so both exist twice' })
    else found.push({ ...name, repair, ...(detail !== undefined && { detail }) })
  }
  return found
}

const uniqueTags: ReadonlySet<string> = new Set([
  'memories.externalTag',
  'notes.externalTag',
  'folders.nameTag',
  'runs.runTag',
])

function isSame(stored: unknown, expected: Value): boolean {
  if (!(expected instanceof Uint8Array)) return stored === expected
  return stored instanceof Uint8Array && Buffer.from(stored).equals(expected)
}

/** A column and the value that it should have. */
interface Cell {
  column: string
  value: Value
}

async function has(db: Reader, scope: VaultScope, table: string, { column, value }: Cell): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)}
    where "userId" = ${scope.userId} and "vaultId" = ${scope.id} and ${sql.ref(column)} = ${value} limit 1`.execute(db)
  return rows.length > 0
}

async function setColumn(
  tx: Tx,
  scope: VaultScope,
  { table, key }: { table: string; key: object },
  { column, value }: Cell,
): Promise<void> {
  const named = Object.entries(key).map(([name, at]) => sql`${sql.ref(name)} = ${at}`)
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${value}
    where "userId" = ${scope.userId} and "vaultId" = ${scope.id} and ${sql.join(named, sql` and `)}`.execute(tx)
}
