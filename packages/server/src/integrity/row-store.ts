import { type RawBuilder, sql } from 'kysely'
import { isDamage, listScopeKeys } from '../auth/scope-key-store.ts'
import { findUserActor } from '../auth/store.ts'
import type { Keyring } from '../auth/keyring.ts'
import { asSealed, generationOf, headerBytes, openCell } from '../crypto/cell.ts'
import { KeyWrapError, type VaultScope } from '../crypto/keys.ts'
import { type Database, locksRows, type Reader, type Tx } from '../db/dialect.ts'
import type { Row, SealedPlace } from '../rotation/sealed-places.ts'
import { deleteSnapshotsBefore } from '../vault-index/stored/snapshot-store.ts'
import { lockVaultRow } from '../vault-index/stored/store.ts'
import { cellsOfRules, type CheckedTable } from './rules.ts'
import { lostState, resetTask } from './memory-store.ts'
import type { Found } from './problem.ts'

/** Reads rows of any table page by page, and opens their cells. */

/** The values of a row's primary key after the owner. */
export type RowKey = readonly unknown[]

export const keyOf = ({ key }: CheckedTable, row: Row): RowKey => key.map((column) => row[column])

/** The user's next rows after `after`, in the order of the key. `scopeId`: of this vault only. */
export async function listRows(
  db: Reader,
  { table, key, scope }: CheckedTable,
  userId: string,
  { after, limit, scopeId }: { after: RowKey | undefined; limit: number; scopeId: string | undefined },
): Promise<Row[]> {
  const isLater = after === undefined || key.length === 0 ? sql`` : sql`and (${refs(key)}) > (${sql.join(after)})`
  const isInScope = scopeId === undefined ? sql`` : sql`and ${sql.ref(scope)} = ${scopeId}`
  const order = key.length === 0 ? sql`` : sql`order by ${refs(key)}`
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)}
    where "userId" = ${userId} ${isInScope} ${isLater} ${order} limit ${limit}`.execute(db)
  return rows
}

/** The row as it is now, locked; undefined if it was deleted. */
export async function findRow(
  tx: Tx,
  { table, key }: CheckedTable,
  userId: string,
  row: Row,
): Promise<Row | undefined> {
  const lock = locksRows(tx) ? sql`for update` : sql``
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where "userId" = ${userId} ${isRow(key, row)} ${lock}`.execute(tx)
  return rows[0]
}

const isRow = (key: readonly string[], row: Row): RawBuilder<unknown> =>
  sql.join(
    key.map((column) => sql`and ${sql.ref(column)} = ${row[column]}`),
    sql` `,
  )

const refs = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((column) => sql.ref(column)))

/** Of one vault, or of all users. */
export async function countRows(
  db: Reader,
  { table, scope }: CheckedTable,
  vault: { userId: string; vaultId: string } | undefined,
): Promise<number> {
  const which =
    vault === undefined ? sql`` : sql`where "userId" = ${vault.userId} and ${sql.ref(scope)} = ${vault.vaultId}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as "count" from ${sql.table(table)} ${which}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The keys of a vault or of what a user has outside of vaults; undefined if they don't open, `erased` if there are none. */
export async function openScope(
  deps: { db: Database; keyring: Keyring },
  userId: string,
  scopeId: string,
): Promise<VaultScope | 'erased' | undefined> {
  // Twice, because the owner's key may be replaced between reading the owner and reading what it wraps.
  return (await tryScope(deps, userId, scopeId)) ?? (await tryScope(deps, userId, scopeId))
}

async function tryScope({ db, keyring }: Parameters<typeof openScope>[0], userId: string, scopeId: string) {
  const owner = await findUserActor(db.read, userId)
  const wrapped = await listScopeKeys(db.read, { userId, scopeId })
  if (owner === undefined || wrapped.length === 0) return 'erased'
  try {
    const mek = keyring.mek(owner)
    const keys =
      scopeId === userId ? keyring.privateScope(mek, userId, wrapped) : keyring.vault(mek, userId, scopeId, wrapped)
    return { id: scopeId, userId, keys }
  } catch (error) {
    // A RangeError: an id or a number that was altered in the store.
    if (!(error instanceof KeyWrapError || error instanceof RangeError)) throw error
    return undefined
  }
}

/** Keeps other writes to the vault out until the end of the transaction. False if there is no such vault any more. */
export const lockScope = async (tx: Tx, scope: VaultScope): Promise<boolean> =>
  scope.id === scope.userId || (await lockVaultRow(tx, scope.userId, scope.id))

/** The cells of a row that don't open, except those that a rule opens. */
export async function findUnreadable(db: Reader, scope: VaultScope, place: SealedPlace, row: Row): Promise<Found[]> {
  const found: Found[] = []
  for (const column of place.columns) {
    if (row[column] === null || cellsOfRules.has(`${place.table}.${column}`)) continue
    if (await opens(db, scope, place, { row, column })) continue
    const { rowId: recordId } = place.addressOf(scope.userId, row, column)
    const revision = await findRevision(db, scope, place, { row, column })
    found.push(
      revision === undefined
        ? { table: place.table, recordId, column, problem: 'unreadable', ...repairOf(scope, place, { row, column }) }
        : { table: place.table, recordId, problem: 'different', ...revision },
    )
  }
  return found
}

interface Cell {
  row: Row
  column: string
}

/** Whether all cells of the row open, which shows that it belongs to this vault. */
export async function opensAll(db: Reader, scope: VaultScope, place: SealedPlace, row: Row): Promise<boolean> {
  for (const column of place.columns)
    if (row[column] !== null && !(await opens(db, scope, place, { row, column }))) return false
  return true
}

async function opens(db: Reader, scope: VaultScope, place: SealedPlace, { row, column }: Cell): Promise<boolean> {
  const bytes = row[column]
  if (!(bytes instanceof Uint8Array)) return false
  try {
    openCell(scope.keys, place.purposeOf(column), place.addressOf(scope.userId, row, column), asSealed(bytes)).fill(0)
    return true
  } catch (error) {
    if (!(await isDamage(db, error))) throw error
    return false
  }
}

/** Far more than records are changed. Each attempt takes some microseconds, and longer for a long text. */
const maxRevision = 2_000
/** Takes less than the second after which PostgreSQL ends an idle transaction. */
const maxTriedBytes = 2 ** 26

/**
 * A cell opens only under its revision, so the one that opens it is the right one. Cells that share a revision are tried on the shortest of
 * them: with 490,000 characters, the attempts would block all calls for some seconds.
 */
async function findRevision(
  db: Reader,
  scope: VaultScope,
  place: SealedPlace,
  { row, column }: Cell,
): Promise<Pick<Found, 'column' | 'repair'> | undefined> {
  const name = place.revisionOf(column)
  if (name === 1 || place.key.includes(name)) return undefined
  const cells = place.columns.flatMap((each) => {
    const bytes = row[each]
    return place.revisionOf(each) === name && bytes instanceof Uint8Array ? [{ column: each, bytes }] : []
  })
  const [tried] = cells.toSorted((one, other) => one.bytes.length - other.bytes.length)
  if (tried === undefined) return undefined
  // Another cell opens, so the revision is right.
  if (tried.column !== column && (await opens(db, scope, place, { row, column: tried.column }))) return undefined
  const { bytes } = tried
  if (bytes.length < headerBytes || !scope.keys.generations.has(generationOf(asSealed(bytes)))) return undefined
  const last = Math.min(maxRevision, maxTriedBytes / bytes.length)
  for (let revision = 1; revision <= last; revision++)
    if (await opens(db, scope, place, { row: { ...row, [name]: revision }, column: tried.column }))
      return { column: name, repair: (tx) => setValue(tx, scope.userId, place, { row, column: name, value: revision }) }
  return undefined
}

/** What is said about a value that others can do without: it is deleted, so that they can be read again. */
const dispensable = new Map([
  ['links.label', 'the label of the link is lost'],
  ['messageAcks.note', 'what the recipient noted is lost'],
  ['webhooks.lastError', 'the last error of the webhook is lost'],
  ['webhookDeliveries.attempts', 'what the receiver answered is lost'],
])

function repairOf(scope: VaultScope, place: SealedPlace, cell: Cell): Pick<Found, 'repair' | 'detail'> {
  if (place.table === 'indexSnapshots') return { repair: (tx, seq) => deleteSnapshotsBefore(tx, scope, seq) }
  if (place.table === 'tasks')
    return { detail: lostState, repair: (tx) => resetTask(tx, scope, String(cell.row['id'])) }
  const detail = dispensable.get(`${place.table}.${cell.column}`)
  return detail === undefined
    ? {}
    : { detail, repair: (tx) => setValue(tx, scope.userId, place, { ...cell, value: null }) }
}

export async function setValue(
  tx: Tx,
  userId: string,
  { table, key }: SealedPlace,
  { row, column, value }: Cell & { value: string | number | null },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${value}
    where "userId" = ${userId} ${isRow(key, row)}`.execute(tx)
}

/** The user with the next greater id; undefined after the last one. */
export async function findUserAfter(db: Reader, userId: string): Promise<string | undefined> {
  const users = db.selectFrom('users').select('id').where('id', '>', userId).orderBy('id').limit(1)
  return (await users.executeTakeFirst())?.id
}

/** Whose vault it is. */
export async function findOwnerId(db: Reader, vaultId: string): Promise<string | undefined> {
  const row = await db.selectFrom('vaults').select('userId').where('id', '=', vaultId).executeTakeFirst()
  return row?.userId
}

/** Whether there is such a vault, or what the user has outside of vaults, also while it is being erased. */
export async function hasVault(db: Reader, userId: string, vaultId: string): Promise<boolean> {
  if (vaultId === userId) return true
  const vault = db.selectFrom('vaults').select('id').where('userId', '=', userId).where('id', '=', vaultId)
  return (await vault.executeTakeFirst()) !== undefined
}

export async function removeRow(tx: Tx, { table, key }: CheckedTable, userId: string, row: Row): Promise<void> {
  await sql`delete from ${sql.table(table)} where "userId" = ${userId} ${isRow(key, row)}`.execute(tx)
}

/** The vaults of the user of which there are keys, whether or not there is anything else. */
export async function listScopeIds(db: Reader, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('vaultKeys').select('scopeId').distinct().where('userId', '=', userId).execute()
  return rows.map(({ scopeId }) => scopeId).filter((id) => id !== userId)
}
