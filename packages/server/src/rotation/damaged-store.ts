import { type RawBuilder, sql } from 'kysely'
import { isDamage, listScopeKeys } from '../auth/scope-key-store.ts'
import { findUserActor } from '../auth/store.ts'
import type { Keyring } from '../auth/keyring.ts'
import { asSealed, openCell } from '../crypto/cell.ts'
import { KeyWrapError, type ScopeKeys } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { type Row, type SealedPlace, sealedPlaces } from './sealed-places.ts'

/** Finds what can't be opened, by opening everything once. */

export interface Opened {
  table: string
  rowId: string
  isDamaged: boolean
}

interface Store {
  db: Reader
  keyring: Keyring
}

/** Opens all rows of a user. Those of vaults whose keys don't open are left out: the whole vault is damaged then. */
export async function* openAllRows(store: Store, userId: string): AsyncGenerator<Opened> {
  const owner = await findUserActor(store.db, userId)
  if (owner === undefined) return
  const mek = store.keyring.mek(owner)
  const scopes = new Map<string, ScopeKeys | undefined>()
  for (const place of sealedPlaces)
    for await (const row of rowsOf(store.db, place, userId)) {
      const scopeId = String(row[place.scope])
      if (!scopes.has(scopeId)) scopes.set(scopeId, await openScope(store, { userId, scopeId, mek }))
      const keys = scopes.get(scopeId)
      if (keys === undefined) continue
      const isDamaged = await isDamagedRow(store.db, place, { userId, keys, row })
      const { rowId } = place.addressOf(userId, row, place.columns[0] ?? '')
      yield { table: place.table, rowId, isDamaged }
    }
}

/** Undefined if they don't open, or the scope was deleted in the meantime. */
async function openScope(
  { db, keyring }: Store,
  { userId, scopeId, mek }: { userId: string; scopeId: string; mek: ReturnType<Keyring['mek']> },
): Promise<ScopeKeys | undefined> {
  try {
    const wrapped = await listScopeKeys(db, { userId, scopeId })
    if (wrapped.length === 0) return undefined
    return scopeId === userId
      ? keyring.privateScope(mek, userId, wrapped)
      : keyring.vault(mek, userId, scopeId, wrapped)
  } catch (error) {
    if (!(error instanceof KeyWrapError)) throw error
    return undefined
  }
}

async function isDamagedRow(
  db: Reader,
  { columns, purposeOf, addressOf }: SealedPlace,
  { userId, keys, row }: { userId: string; keys: ScopeKeys; row: Row },
): Promise<boolean> {
  for (const column of columns) {
    const bytes = row[column]
    if (!(bytes instanceof Uint8Array)) continue
    try {
      openCell(keys, purposeOf(column), addressOf(userId, row, column), asSealed(bytes)).fill(0)
    } catch (error) {
      if (!(await isDamage(db, error))) throw error
      return true
    }
  }
  return false
}

/** Notes can have 500,000 characters. */
const rowsAtOnce = 50

/** In the order of the key. Between pages, other requests get their turn. */
async function* rowsOf(db: Reader, place: SealedPlace, userId: string): AsyncGenerator<Row> {
  const { table, key, columns, read } = place
  const all = refs([...new Set([...read, ...columns])])
  for (let after: Row | undefined; ;) {
    const last = after
    const isLater =
      last === undefined || key.length === 0
        ? sql``
        : sql`and (${refs(key)}) > (${sql.join(key.map((column) => last[column]))})`
    const order = key.length === 0 ? sql`` : sql`order by ${refs(key)}`
    const { rows } = await sql<Row>`
      select ${all} from ${sql.table(table)} where "userId" = ${userId} ${isLater} ${order} limit ${rowsAtOnce}`.execute(
      db,
    )
    yield* rows
    after = rows.at(-1)
    if (rows.length < rowsAtOnce || key.length === 0) return
  }
}

const refs = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((column) => sql.ref(column)))
