import { type RawBuilder, sql } from 'kysely'
import { asSealed, CellError, generationOf, headerBytes, openCell, type Sealed, sealCell } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import { locksRows, type Reader, type Tx } from '../db/dialect.ts'
import type { Row, SealedPlace } from './sealed-places.ts'

/** Reads under which generations the rows of a user are sealed, and seals rows again. Works on the tables of `sealed-places.ts`. */

/** The values of a row's primary key after the owner. */
export type RowKey = readonly unknown[]

export interface RowHead {
  key: RowKey
  scopeId: string
  /** Of each cell that isn't null. */
  generations: number[]
  bytes: number
}

/** The user's next rows of a table after `after`, in the order of the key. Reads no more rows than `limit`, whatever they hold. */
export async function listRowHeads(
  db: Reader,
  { table, key, scope, columns }: SealedPlace,
  userId: string,
  { after, limit }: { after: RowKey | undefined; limit: number },
): Promise<RowHead[]> {
  const sizes = sql.join(
    columns.map((column) => sql`coalesce(length(${sql.ref(column)}), 0)`),
    sql` + `,
  )
  const headers = columns.map((column, at) => sql`substr(${sql.ref(column)}, 3, 4) as ${sql.ref(`header${at}`)}`)
  const names = [...new Set([...key, scope])].map((column) => sql.ref(column))
  const isLater = after === undefined || key.length === 0 ? sql`` : sql`and (${refs(key)}) > (${sql.join(after)})`
  const order = key.length === 0 ? sql`` : sql`order by ${refs(key)}`
  const { rows } = await sql<Row>`
    select ${sql.join([...names, ...headers])}, ${sizes} as "bytes"
    from ${sql.table(table)} where "userId" = ${userId} ${isLater} ${order} limit ${limit}`.execute(db)
  return rows.map((row) => ({
    key: key.map((column) => row[column]),
    scopeId: String(row[scope]),
    generations: columns.flatMap((_, at) => readGeneration(row[`header${at}`])),
    bytes: Number(row['bytes']),
  }))
}

// A cell that is too short for a header is damaged, and has no generation.
function readGeneration(header: unknown): number[] {
  if (!(header instanceof Uint8Array) || header.length < 4) return []
  return [Buffer.from(header).readUInt32BE()]
}

/** How many rows each scope of the user has in the table. */
export async function countRows(
  db: Reader,
  { table, scope }: SealedPlace,
  userId: string,
): Promise<{ scopeId: string; rows: number }[]> {
  const { rows } = await sql<{ scopeId: string; rows: number }>`
    select ${sql.ref(scope)} as "scopeId", count(*) as "rows"
    from ${sql.table(table)} where "userId" = ${userId} group by ${sql.ref(scope)}`.execute(db)
  return rows
}

/** A cell that can't be opened. */
interface DamagedCell {
  scopeId: string
  table: string
  rowId: string
  column: string
}

interface Resealed {
  /** The rows that someone else had locked, or has deleted. */
  skipped: RowKey[]
  /** The scope of each row that has no cell under a former generation any more. */
  scopeIds: string[]
  damaged: DamagedCell[]
}

/**
 * Seals these rows again under the current generations of their scopes, with the same addresses. Several rows are locked without waiting,
 * so a transaction of many rows never takes part in a deadlock with a call; a single row can't, and is waited for. Cells that don't open
 * stay as they are.
 */
export async function resealRows(
  tx: Tx,
  place: SealedPlace,
  { userId, scopes }: { userId: string; scopes: ReadonlyMap<string, ScopeKeys> },
  keys: readonly RowKey[],
): Promise<Resealed> {
  const { table, columns, read } = place
  const all = [...new Set([...read, ...columns])]
  const lock = !locksRows(tx) ? sql`` : keys.length === 1 ? sql`for update` : sql`for update skip locked`
  const { rows } = await sql<Row>`
    select ${refs(all)} from ${sql.table(table)}
    where "userId" = ${userId} and ${isOneOf(place, keys)} ${lock}`.execute(tx)
  const scopeIds: string[] = []
  const damaged: DamagedCell[] = []
  for (const row of rows) {
    const scope = scopes.get(String(row[place.scope]))
    if (scope === undefined) continue
    const before = damaged.length
    const cells = resealRow(place, { userId, scope, row }, damaged)
    if (damaged.length === before) scopeIds.push(scope.scopeId)
    if (cells.length > 0)
      await sql`
        update ${sql.table(table)} set ${sql.join(cells.map(({ column, cell }) => sql`${sql.ref(column)} = ${cell}`))}
        where "userId" = ${userId} and ${isOneOf(place, [place.key.map((column) => row[column])])}`.execute(tx)
  }
  const found = new Set(rows.map((row) => nameOf(place.key.map((column) => row[column]))))
  return { skipped: keys.filter((key) => !found.has(nameOf(key))), scopeIds, damaged }
}

function resealRow(
  { table, columns, purposeOf, addressOf }: SealedPlace,
  { userId, scope, row }: { userId: string; scope: ScopeKeys; row: Row },
  damaged: DamagedCell[],
): { column: string; cell: Sealed }[] {
  return columns.flatMap((column) => {
    const bytes = row[column]
    if (!(bytes instanceof Uint8Array) || !isFormer(scope, asSealed(bytes))) return []
    const address = addressOf(userId, row, column)
    try {
      const plaintext = openCell(scope, purposeOf(column), address, asSealed(bytes))
      const cell = sealCell(scope, purposeOf(column), address, plaintext)
      plaintext.fill(0)
      return [{ column, cell }]
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      damaged.push({ scopeId: scope.scopeId, table, rowId: address.rowId, column })
      return []
    }
  })
}

const nameOf = (key: RowKey): string =>
  key.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value))).join(' ')

const isFormer = (scope: ScopeKeys, cell: Sealed): boolean =>
  cell.length >= headerBytes && isFormerGeneration(scope, generationOf(cell))

/** Whether it is a key that is being replaced. A header with another number is damaged. */
export const isFormerGeneration = ({ generations, current }: ScopeKeys, generation: number): boolean =>
  generation !== current && generations.has(generation)

const refs = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((column) => sql.ref(column)))

function isOneOf({ key }: SealedPlace, keys: readonly RowKey[]): RawBuilder<unknown> {
  if (key.length === 0) return sql`1 = 1`
  return sql`(${refs(key)}) in (${sql.join(keys.map((values) => sql`(${sql.join(values)})`))})`
}
