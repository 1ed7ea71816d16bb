import { invalid, ServiceError } from '../core/errors.ts'
import { pauses, runThenPause } from '../core/in-pieces.ts'
import type { VaultScope } from '../crypto/keys.ts'
import { isTaken } from '../db/store-error.ts'
import type { Services } from '../operation/context.ts'
import type { Row } from '../rotation/sealed-places.ts'
import { nextSeq } from '../vaults/store.ts'
import { bringHome } from './home.ts'
import { describeFound, type Found, type Problem } from './problem.ts'
import {
  findRow,
  findUnreadable,
  findUserAfter,
  hasLostPrivateKeys,
  hasVault,
  keyOf,
  listRows,
  lockScope,
  type NoKeys,
  type RowKey,
} from './row-store.ts'
import { checkedTables, compareRows, type CheckedTable } from './rules.ts'
import { checkDigest } from './digest-walk.ts'
import { createScopes, type Scopes } from './scopes.ts'

/**
 * Reads everything that users have stored, row by row, while the server works: user by user, table by table, in the order of the primary
 * keys. What it has read is a position, so it can stop anywhere and continue later, also on another server.
 */

export interface Position {
  userId: string
  /** In `checkedTables`, or `vaultDigests` after them. */
  table: string
  /** The last row that was read; null before the first one. */
  after: RowKey | null
}

export interface Walk {
  repairs: boolean
  /** Only this vault; undefined for everything. */
  vault: { userId: string; vaultId: string } | undefined
  /** Undefined at the start. */
  from: Position | undefined
  /** Whether nobody else uses the store, so that it makes no pauses. */
  isAlone?: boolean
}

export interface Walked {
  rows: number
  problems: Problem[]
  /** Undefined at the end. */
  next: Position | undefined
}

type Deps = Pick<Services, 'db' | 'keyring' | 'log' | 'embeddings' | 'now' | 'stopping'>

/** Notes can have 500,000 characters, and parts of snapshots 2 MiB. */
const rowsInPage = ({ table }: CheckedTable) => (table === 'indexSnapshots' ? 4 : 50)

/** So that an answer stays small. */
const maxProblems = 500

/** Works for about `ms`, with pauses in which calls go on. It also ends once there are many problems, or if the server stops. */
export async function walk(deps: Deps, { repairs, vault, from, isAlone = false }: Walk, ms: number): Promise<Walked> {
  const { stopping } = deps
  const pausesUntil = isAlone ? AbortSignal.abort() : stopping
  const stopAt = performance.now() + ms
  const walked: Walked = { rows: 0, problems: [], next: undefined }
  const scopes = createScopes(deps)
  let position = from ?? (await findStart(deps, vault))
  let hasMoved = false
  while (position !== undefined) {
    try {
      const step = await takeStep({ ...deps, scopes, pausesUntil }, { repairs, vault, from: position })
      walked.rows += step.rows
      walked.problems.push(...step.problems)
      position = step.next
      hasMoved = true
    } catch (error) {
      // Such as a key that was replaced meanwhile. What was found so far must not get lost.
      if (!hasMoved || !(error instanceof ServiceError)) throw error
      break
    }
    if (performance.now() > stopAt || walked.problems.length >= maxProblems || stopping.aborted) break
  }
  return { ...walked, next: position }
}

/** A page of rows, or a segment of what earlier checks remember. */
async function takeStep(
  deps: PageDeps & { pausesUntil: AbortSignal },
  { repairs, vault, from }: Pick<Walk, 'repairs' | 'vault'> & { from: Position },
): Promise<Walked> {
  const { userId, table, after } = from
  if (table === digests) {
    const place = { userId, after, only: vault?.vaultId }
    const { problems, next } = await runThenPause(() => checkDigest(deps, place, repairs), deps.pausesUntil)
    return {
      rows: 0,
      problems,
      next: next === undefined ? await findNextUser(deps, vault, userId) : { ...from, after: next },
    }
  }
  const page = await readPage(deps, vault, from)
  const problems =
    vault === undefined && table === 'vaultKeys' && after === null ? await findLostOwner(deps, userId) : []
  if (page.rows.length > 0)
    problems.push(...(await runThenPause(() => checkPage(deps, page, repairs), deps.pausesUntil)))
  return { rows: page.rows.length, problems, next: findNext(from, page) }
}

/** In positions, for what follows all tables. */
const digests = 'vaultDigests'

async function readPage(
  { db }: Pick<Deps, 'db'>,
  vault: Walk['vault'],
  { userId, table, after }: Position,
): Promise<Page> {
  const place = checkedTables.find((one) => one.table === table)
  if (place === undefined) throw invalid({ from: 'is from another version; start again without it' })
  const which = { after: after ?? undefined, limit: rowsInPage(place), scopeId: vault?.vaultId }
  return { place, userId, rows: await listRows(db.read, place, userId, which) }
}

const firstTable = checkedTables[0]?.table ?? ''

async function findStart({ db }: Pick<Deps, 'db'>, vault: Walk['vault']): Promise<Position | undefined> {
  const userId = vault?.userId ?? (await findUserAfter(db.read, ''))
  return userId === undefined ? undefined : { userId, table: firstTable, after: null }
}

function findNext({ userId, table }: Position, { place, rows }: Page): Position {
  const last = rows.at(-1)
  if (last !== undefined && rows.length === rowsInPage(place) && place.key.length > 0)
    return { userId, table, after: keyOf(place, last) }
  const following = checkedTables[checkedTables.findIndex((one) => one.table === table) + 1]
  return { userId, table: following?.table ?? digests, after: null }
}

async function findNextUser(
  { db }: Pick<Deps, 'db'>,
  vault: Walk['vault'],
  userId: string,
): Promise<Position | undefined> {
  const next = vault === undefined ? await findUserAfter(db.read, userId) : undefined
  return next === undefined ? undefined : { userId: next, table: firstTable, after: null }
}

interface Page {
  place: CheckedTable
  userId: string
  rows: readonly Row[]
}

type PageDeps = Deps & { scopes: Scopes }

async function checkPage(deps: PageDeps, { place, userId, rows }: Page, repairs: boolean): Promise<Problem[]> {
  const problems: Problem[] = []
  const bring = (row: Row) =>
    unlessTaken(repairs, async (mayRepair) => asList(await bringHome(deps, { place, userId, row }, mayRepair)))
  for (const [scopeId, own] of Map.groupBy(rows, (row) => String(row[place.scope]))) {
    const scope = await deps.scopes.open(userId, scopeId)
    if (scope === 'gone') {
      for (const row of own) problems.push(...(await bring(row)))
      continue
    }
    if (typeof scope === 'string') {
      problems.push(...(await nameVault(deps, place, { userId, id: scopeId }, scope)))
      continue
    }
    if ((await examine(deps.db.read, deps, scope, { place, rows: own })).length === 0) continue
    for (const row of own) {
      // Only damaged rows take a transaction each.
      if ((await examine(deps.db.read, deps, scope, { place, rows: [row] })).length === 0) continue
      const found = await unlessTaken(repairs, (mayRepair) => settle(deps, scope, place, { row, repairs: mayRepair }))
      const isUnreadable = found.some(({ problem, state }) => problem === 'unreadable' && state === 'lost')
      const strays = isUnreadable ? await bring(row) : []
      problems.push(...(strays.length === 0 ? found : strays))
    }
  }
  return problems
}

/** Names a scope without keys once, with its row, or if that is missing too, with its keys: everything in it is lost with them. */
async function nameVault(
  { db }: Pick<Deps, 'db'>,
  { table }: CheckedTable,
  scope: Pick<VaultScope, 'userId' | 'id'>,
  why: Exclude<NoKeys, 'gone'>,
): Promise<Problem[]> {
  const { userId, id } = scope
  const isNamed =
    table === 'vaults' || (table === 'vaultKeys' && (id === userId || !(await hasVault(db.read, userId, id))))
  return isNamed ? [describeFound(noKeys(id, why), scope, false)] : []
}

/** A user's data outside of vaults has no row of its own that could name lost keys. */
async function findLostOwner({ db }: Pick<Deps, 'db'>, userId: string): Promise<Problem[]> {
  const isLost = await hasLostPrivateKeys(db.read, userId)
  return isLost ? [describeFound(noKeys(userId, 'lost'), { userId, id: userId }, false)] : []
}

const noKeys = (recordId: string, why: Exclude<NoKeys, 'gone'>): Found => ({
  table: 'vaultKeys',
  recordId,
  ...(why === 'damaged' && { column: 'wrappedKey' }),
  problem: why === 'damaged' ? 'unreadable' : 'missing',
  detail: 'what is encrypted with it is lost',
})

const asList = (problem: Problem | undefined): Problem[] => (problem === undefined ? [] : [problem])

/** What a repair can't bring back because a unique key forbids it is lost, and the check goes on. */
async function unlessTaken(repairs: boolean, work: (mayRepair: boolean) => Promise<Problem[]>): Promise<Problem[]> {
  try {
    return await work(repairs)
  } catch (error) {
    if (!repairs || !isTaken(error)) throw error
    const found = await work(false)
    return found.map((one) => (one.state === 'repairable' ? { ...one, state: 'lost', detail: placeTaken } : one))
  }
}

const placeTaken = 'another record has taken its place'

async function examine(
  db: Deps['db']['read'],
  deps: Deps,
  scope: VaultScope,
  { place, rows }: { place: CheckedTable; rows: readonly Row[] },
): Promise<Found[]> {
  const found: Found[] = []
  const pause = pauses()
  if (place.sealed !== undefined)
    for (const row of rows) {
      await pause()
      found.push(...(await findUnreadable(db, scope, place.sealed, row)))
    }
  if (scope.id !== scope.userId) found.push(...(await compareRows(db, deps, scope, { table: place.table, rows })))
  return found
}

/**
 * Examines a row again while nothing else writes to its vault: rows that were read one after another may only have seemed not to match.
 * Repairs it in the same transaction, under a new change number, by which the indexes of all servers learn of it.
 */
const settle = (
  deps: Deps,
  scope: VaultScope,
  place: CheckedTable,
  { row, repairs }: { row: Row; repairs: boolean },
): Promise<Problem[]> =>
  deps.db.write(async (tx) => {
    // These are about the vault itself.
    const isVault = place.table === 'vaults' || place.table === 'vaultKeys'
    if (!(await lockScope(tx, scope)) && place.table !== 'vaultKeys') return []
    const numbers = scope.id !== scope.userId && !isVault
    const now = await findRow(tx, place, scope.userId, row)
    if (now === undefined) return []
    const found = await examine(tx, deps, scope, { place, rows: [now] })
    const isRepaired = repairs && found.some(({ repair }) => repair !== undefined)
    const seq = isRepaired && numbers ? await nextSeq(tx, scope) : 0
    if (isRepaired) for (const { repair } of found) await repair?.(tx, seq)
    return found.map((one) => describeFound(one, scope, repairs))
  }, scope.id)
