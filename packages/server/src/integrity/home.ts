import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { Services } from '../operation/context.ts'
import type { Row } from '../rotation/sealed-places.ts'
import { nextSeq } from '../vaults/store.ts'
import { describeFound, type Found, type Problem } from './problem.ts'
import { pauses } from '../core/in-pieces.ts'
import { findRow, hasVault, lockScope, opensAll, removeRow, setValue } from './row-store.ts'
import type { CheckedTable } from './rules.ts'
import type { Scopes } from './scopes.ts'

/** Rows that name a vault to which they don't belong: their cells open under the keys of another one only, or there is no such vault. */

type Deps = Pick<Services, 'db'> & { scopes: Scopes }

export interface Strayed {
  place: CheckedTable
  userId: string
  row: Row
}

/** Undefined if the row is where it belongs, or in a vault that is being erased, or if it is damaged in another way. */
export async function bringHome(deps: Deps, strayed: Strayed, repairs: boolean): Promise<Problem | undefined> {
  const { place, userId, row } = strayed
  const isStray = !(await hasVault(deps.db.read, userId, String(row[place.scope])))
  const home = await findHome(deps, strayed)
  if (home !== undefined) return deps.db.write((tx) => move(tx, home, strayed, repairs), home.id)
  if (!isStray) return undefined
  const { table, key, sealed } = place
  // Keyed tags name nothing.
  const name = [...key, 'id'].find((column) => column !== place.scope && typeof row[column] === 'string')
  const recordId = String(row[name ?? place.scope])
  const found: Found = {
    table,
    recordId,
    column: place.scope,
    problem: 'surplus',
    detail: 'the row is in no vault',
    // What has no encrypted values is kept with its record too, so the record's rows are complete without it.
    ...(sealed === undefined && { repair: (tx) => removeRow(tx, place, userId, row) }),
  }
  return deps.db.write(async (tx) => {
    // Its vault may have been erased since the row was read.
    if (!(await isUnmoved(tx, strayed))) return undefined
    if (repairs) await found.repair?.(tx, 0)
    return describeFound(found, { userId, id: String(row[place.scope]) }, repairs)
  })
}

async function isUnmoved(tx: Tx, { place, userId, row }: Strayed): Promise<boolean> {
  const now = await findRow(tx, place, userId, row)
  return now !== undefined && now[place.scope] === row[place.scope]
}

/** The vault of the user under whose keys all cells of the row open. */
async function findHome(deps: Deps, { place, userId, row }: Strayed): Promise<VaultScope | undefined> {
  if (place.sealed === undefined || place.sealed.columns.every((column) => row[column] === null)) return undefined
  const pause = pauses()
  for (const vaultId of (await deps.scopes.listIds(userId)).slice(0, maxTries(place, row))) {
    await pause()
    if (vaultId === row[place.scope]) continue
    // A vault that is there has its row.
    if (place.table === 'vaults' && (await hasVault(deps.db.read, userId, vaultId))) continue
    const scope = await deps.scopes.open(userId, vaultId)
    if (typeof scope === 'string') continue
    const moved = { ...row, [place.scope]: vaultId }
    if (await opensAll(deps.db.read, scope, place.sealed, moved)) return scope
  }
  return undefined
}

/** So that a page of 50 damaged rows takes about a second. */
const maxTriedBytes = 2 ** 24

/** With how many keys a row is tried: fewer for a long cell. */
function maxTries({ sealed }: CheckedTable, row: Row): number {
  const first = sealed?.columns.map((column) => row[column]).find((cell) => cell instanceof Uint8Array)
  return Math.ceil(maxTriedBytes / Math.max(first?.length ?? 0, 1))
}

/** Indexes learn of these rows by their change number. */
const numbered: ReadonlySet<string> = new Set(['indexEntries', 'links'])

async function move(tx: Tx, home: VaultScope, strayed: Strayed, repairs: boolean): Promise<Problem | undefined> {
  const { place, userId, row } = strayed
  if (place.sealed === undefined) return undefined
  if (place.table !== 'vaults' && !(await lockScope(tx, home))) return undefined
  if (!(await isUnmoved(tx, strayed))) return undefined
  const { sealed, scope: column } = place
  const { rowId: recordId } = sealed.addressOf(userId, row, sealed.columns[0] ?? '')
  const set = (name: string, value: string | number) => setValue(tx, userId, sealed, { row, column: name, value })
  const repair = async () => {
    if (numbered.has(place.table)) await set('seq', await nextSeq(tx, home))
    await set(column, home.id)
  }
  if (repairs) await repair()
  return describeFound({ table: place.table, recordId, column, problem: 'different', repair }, home, repairs)
}
