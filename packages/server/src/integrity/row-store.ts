import { type RawBuilder, sql } from 'kysely'
import { isDamage, listScopeKeys } from '../auth/scope-key-store.ts'
import { findUserActor } from '../auth/store.ts'
import type { Keyring } from '../auth/keyring.ts'
import { asSealed, generationOf, headerBytes, openCell } from '../crypto/cell.ts'
import { KeyWrapError, type VaultScope } from '../crypto/keys.ts'
import { type Database, locksRows, type Reader, type Tx } from '../db/dialect.ts'
import { sealedPlaces, type Row, type SealedPlace } from '../rotation/sealed-places.ts'
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

/**
 * Why a scope has no keys: `gone` if it is being erased or there is no such vault, `lost` if only its keys are missing, and `damaged` if
 * they don't open.
 */
export type NoKeys = 'gone' | 'lost' | 'damaged'

/** The keys of a vault, or of what a user has outside of vaults. */
export async function openScope(
  deps: { db: Database; keyring: Keyring },
  userId: string,
  scopeId: string,
): Promise<VaultScope | NoKeys> {
  const scope = await tryScope(deps, userId, scopeId)
  // Twice, because the owner may be deleted or get another key between reading the owner and reading what its key wraps.
  return scope === 'damaged' || scope === 'lost' ? tryScope(deps, userId, scopeId) : scope
}

async function tryScope(
  { db, keyring }: Parameters<typeof openScope>[0],
  userId: string,
  scopeId: string,
): Promise<VaultScope | NoKeys> {
  const owner = await findUserActor(db.read, userId)
  if (owner === undefined) return 'gone'
  const wrapped = await listScopeKeys(db.read, { userId, scopeId })
  if (wrapped.length === 0) return (await isKept(db.read, userId, scopeId)) ? 'lost' : 'gone'
  try {
    const mek = keyring.mek(owner)
    const keys =
      scopeId === userId ? keyring.privateScope(mek, userId, wrapped) : keyring.vault(mek, userId, scopeId, wrapped)
    return { id: scopeId, userId, keys }
  } catch (error) {
    // A RangeError: an id or a number that was altered in the store.
    if (!(error instanceof KeyWrapError || error instanceof RangeError)) throw error
    return 'damaged'
  }
}

/** Whether there is such a vault, or what the user has outside of vaults, and nobody is erasing it. */
async function isKept(db: Reader, userId: string, scopeId: string): Promise<boolean> {
  if (scopeId === userId) return true
  const vault = db
    .selectFrom('vaults')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', scopeId)
    .where('erasedAt', 'is', null)
  return (await vault.executeTakeFirst()) !== undefined
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
    // Cells that share a revision say it only once.
    if (found.some((one) => one.column !== undefined && one.column === revision?.column)) continue
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

/** The vaults of the user of which there are keys, whether or not there is anything else; the first ones of many. */
export async function listScopeIds(db: Reader, userId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('vaultKeys')
    .select('scopeId')
    .distinct()
    .where('userId', '=', userId)
    .where('scopeId', '<>', userId)
    .orderBy('scopeId')
    .limit(limit)
    .execute()
  return rows.map(({ scopeId }) => scopeId)
}

/** Whether something of the user outside of vaults needs keys that aren't there. */
export async function hasLostPrivateKeys(db: Reader, userId: string): Promise<boolean> {
  const hasKeys = async () => (await listScopeKeys(db, { userId, scopeId: userId })).length > 0
  if (await hasKeys()) return false
  for (const { table, scope, columns } of sealedPlaces) {
    const isSealed = columns.map((column) => sql`${sql.ref(column)} is not null`)
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where "userId" = ${userId} and ${sql.ref(scope)} = ${userId}
      and (${sql.join(isSealed, sql` or `)}) limit 1`.execute(db)
    // The first of these rows is written together with the keys, and all are deleted together with the user.
    if (rows.length > 0) return !(await hasKeys()) && (await findUserActor(db, userId)) !== undefined
  }
  return false
}
