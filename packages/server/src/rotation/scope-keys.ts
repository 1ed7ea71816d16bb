import type { Keyring, Mek, ScopeName, WrappedVaultKey } from '../auth/keyring.ts'
import { insertScopeKey, listScopeKeys } from '../auth/scope-key-store.ts'
import { findUserActor, holdMek, lockUser } from '../auth/store.ts'
import { runThenPause } from '../core/in-pieces.ts'
import type { OwnerRange } from '../db/owner-range.ts'
import { KeyWrapError, type ScopeKeys } from '../crypto/keys.ts'
import type { Services } from '../operation/context.ts'
import { countRows, isFormerGeneration, listRowHeads, type RowHead, type RowKey, resealRows } from './reseal-store.ts'
import {
  type ChangingScope,
  deleteFormerKeys,
  endFormerKeys,
  listChangingScopes,
  listScopesToRotate,
  markStuck,
  saveProgress,
} from './rotation-progress-store.ts'
import { type SealedPlace, sealedPlaces } from './sealed-places.ts'

/**
 * Replaces the keys of vaults and of users' data outside of vaults, while calls go on:
 *
 * 1. A new generation is stored. From now on, each call that starts knows it.
 * 2. After `knownMs`, when every call knows it, it seals all new writes, on every server.
 * 3. Rows that were sealed before are sealed again, a few at a time.
 * 4. After `keptMs`, when few calls can still be sealing under the former key, no write under it is accepted any more. Then all rows
 *    are checked, and that key is deleted.
 *
 * Each step is a row in `vaultKeys`, so a crash at any time loses nothing: the next run continues.
 */

/** Longer than any call or step of a job takes, plus the differences between the clocks of servers. */
export const knownMs = 5 * 60_000

/** Longer than any call takes that sealed something before. What comes later is refused. */
export const keptMs = 11 * 60_000

type Deps = Pick<Services, 'db' | 'keyring' | 'log' | 'now'>

/** Creates the next key of each scope of these owners whose key was created by `due` or has sealed `maxSeals` cells. */
export async function startNextKeys(
  deps: Deps,
  { owners, ...which }: { due: number; maxSeals: number; owners: OwnerRange },
  signal: AbortSignal,
): Promise<void> {
  for (const scope of await listScopesToRotate(deps.db.read, which, owners)) {
    if (signal.aborted) return
    if (rests(scope.stuckAt, deps.now())) continue
    try {
      await startNextKey(deps, scope, which.due)
    } catch (error) {
      if (!(error instanceof KeyWrapError)) throw error
      await deps.db.write((tx) => markStuck(tx, scope, deps.now()))
      deps.log.error('the key of a vault is damaged and can’t be replaced', { ...namesOf(scope), error })
    }
  }
}

const startNextKey = ({ db, keyring, now }: Deps, scope: ScopeName, due: number): Promise<void> =>
  db.write(async (tx) => {
    const { userId } = scope
    // An erasure of the vault also locks the user: no key appears after the last one was deleted.
    if (!(await lockUser(tx, userId))) return
    const wrapped = await listScopeKeys(tx, scope)
    if (wrapped.length !== 1) return
    const mek = await holdMek(tx, keyring, userId)
    const next = keyring.nextScopeKey(mek, userId, openScope(keyring, mek, scope, wrapped), now() + knownMs)
    // After `due`, by whichever clock: it would be replaced again.
    await insertScopeKey(tx, scope, next, Math.max(now(), due + 1))
    await markStuck(tx, scope, null)
  })

const openScope = (
  keyring: Keyring,
  mek: Mek,
  { userId, scopeId }: ScopeName,
  wrapped: readonly WrappedVaultKey[],
): ScopeKeys =>
  scopeId === userId ? keyring.privateScope(mek, userId, wrapped) : keyring.vault(mek, userId, scopeId, wrapped)

export interface Replacing {
  signal: AbortSignal
  done: ((rows: number) => void) | undefined
}

/** Seals rows again wherever a new key is in use, and deletes the former keys that nothing needs any more. */
export async function replaceFormerKeys(deps: Deps, owners: OwnerRange, { signal, done }: Replacing): Promise<void> {
  const changing = (await listChangingScopes(deps.db.read, owners)).filter((scope) => isDue(scope, deps.now()))
  for (const userId of new Set(changing.map((scope) => scope.userId))) {
    const mine = changing.filter((scope) => scope.userId === userId)
    const startedAt = deps.now()
    const ended = mine.filter((scope) => isKept(scope, startedAt))
    // First, so the pass meets everything that was sealed under the former keys.
    for (const scope of ended) await deps.db.write((tx) => endFormerKeys(tx, scope))
    const pass = await sealAgain(deps, mine, { signal, done })
    if (pass === undefined) return
    await saveStuck(deps, mine, pass.damaged)
    for (const scope of ended) if (isReplaced(pass, scope)) await deleteKeys(deps, scope)
  }
}

/** How long a scope or user rests after something damaged was met, unless someone asks for new keys. */
const stuckMs = 3_600_000

export const rests = (stuckAt: number | null, at: number): boolean => stuckAt !== null && at < stuckAt + stuckMs

const saveStuck = ({ db, now }: Deps, scopes: readonly ChangingScope[], damaged: ReadonlySet<string>): Promise<void> =>
  db.write(async (tx) => {
    for (const scope of scopes) {
      const isStuck = damaged.has(scope.scopeId)
      if (isStuck || scope.stuckAt !== null) await markStuck(tx, scope, isStuck ? now() : null)
    }
  })

/** Whether nothing needs the former key. Not if the new one isn't in use yet, because a clock was moved back. */
const isReplaced = ({ scopes, seen }: Pick<Pass, 'scopes' | 'seen'>, { scopeId, generation }: ChangingScope): boolean =>
  scopes.get(scopeId)?.current === generation && seen.get(scopeId)?.rowsLeft === 0

/** Whether its rows are to be sealed again, or are to be checked before its former key is deleted. */
const isDue = (scope: ChangingScope, at: number): boolean =>
  at >= scope.sealsFrom &&
  !rests(scope.stuckAt, at) &&
  (scope.rowsTotal === null || scope.rowsTotal !== scope.rowsDone || isKept(scope, at))

/** Whether writes under the former key are refused from now on. */
const isKept = ({ sealsFrom }: ChangingScope, at: number): boolean => at >= sealsFrom + keptMs

async function deleteKeys({ db, log }: Deps, scope: ChangingScope): Promise<void> {
  await db.write((tx) => deleteFormerKeys(tx, scope))
  await db.overwriteDeleted?.()
  log.info('the key of a vault was replaced', namesOf(scope))
}

interface Seen {
  rowsTotal: number
  /** Rows under the new key so far, and rows that stay under the former one: damaged, or being changed by someone else. */
  rowsDone: number
  rowsLeft: number
}

interface Pass {
  userId: string
  scopes: ReadonlyMap<string, ScopeKeys>
  seen: Map<string, Seen>
  /** The scopes with something that can't be opened. */
  damaged: Set<string>
  /** When the progress is next saved. */
  saveAt: number
  signal: AbortSignal
  done: ((rows: number) => void) | undefined
}

/** Goes once through all rows of a user. Undefined if it was stopped. */
async function sealAgain(
  deps: Deps,
  changing: readonly ChangingScope[],
  { signal, done }: Pick<Pass, 'signal' | 'done'>,
): Promise<Pick<Pass, 'scopes' | 'seen' | 'damaged'> | undefined> {
  const userId = changing[0]?.userId ?? ''
  const { scopes, damaged } = await openScopes(deps, changing)
  const seen = new Map([...scopes.keys()].map((id) => [id, { rowsTotal: 0, rowsDone: 0, rowsLeft: 0 }]))
  const pass: Pass = { userId, scopes, seen, damaged, saveAt: performance.now() + saveEveryMs, signal, done }
  for (const place of sealedPlaces)
    for (const { scopeId, rows } of await countRows(deps.db.read, place, userId)) {
      const counted = seen.get(scopeId)
      if (counted !== undefined) counted.rowsTotal += rows
    }
  for (const place of sealedPlaces) if (!(await sealTable(deps, pass, place))) return undefined
  await save(deps, pass, (counted) => ({ rowsTotal: counted.rowsDone + counted.rowsLeft, rowsDone: counted.rowsDone }))
  return pass
}

/** Saves the progress now and then. At least one row is left: equal numbers would say that there is nothing to do. */
async function saveUnfinished(deps: Deps, pass: Pass): Promise<void> {
  if (performance.now() < pass.saveAt) return
  pass.saveAt = performance.now() + saveEveryMs
  await save(deps, pass, ({ rowsTotal, rowsDone }) => {
    const total = Math.max(rowsTotal, rowsDone + 1)
    return { rowsTotal: total, rowsDone: Math.min(rowsDone, total - 1) }
  })
}

const save = (
  { db }: Deps,
  { userId, scopes, seen }: Pass,
  progressOf: (seen: Seen) => { rowsTotal: number; rowsDone: number },
): Promise<void> =>
  db.write(async (tx) => {
    for (const [scopeId, counted] of seen)
      await saveProgress(tx, { userId, scopeId, generation: scopes.get(scopeId)?.current ?? 0 }, progressOf(counted))
  })

async function openScopes({ db, keyring, log }: Deps, changing: readonly ChangingScope[]) {
  const scopes = new Map<string, ScopeKeys>()
  const damaged = new Set<string>()
  const owner = await findUserActor(db.read, changing[0]?.userId ?? '')
  // Deleted in the meantime, as a scope without keys is.
  if (owner === undefined) return { scopes, damaged }
  for (const scope of changing) {
    try {
      const wrapped = await listScopeKeys(db.read, scope)
      if (wrapped.length > 0) scopes.set(scope.scopeId, openScope(keyring, keyring.mek(owner), scope, wrapped))
    } catch (error) {
      if (!(error instanceof KeyWrapError)) throw error
      damaged.add(scope.scopeId)
      log.error('the key of a vault is damaged and can’t be replaced', { ...namesOf(scope), error })
    }
  }
  return { scopes, damaged }
}

/** In the log, a user's data outside of vaults has no vault. */
const namesOf = ({ userId, scopeId }: ScopeName) => ({ userId, ...(scopeId !== userId && { vaultId: scopeId }) })

const saveEveryMs = 1_000
/** Short enough that no request waits long for one of these steps. */
const headsAtOnce = 500
const rowsAtOnce = 64
const bytesAtOnce = 1024 * 1024

/** Returns false if it was stopped. */
async function sealTable(deps: Deps, pass: Pass, place: SealedPlace): Promise<boolean> {
  const { userId, scopes, signal } = pass
  let after: RowKey | undefined
  for (;;) {
    const heads = await runThenPause(
      () => listRowHeads(deps.db.read, place, userId, { after, limit: headsAtOnce }),
      signal,
    )
    const former = heads.filter(({ scopeId, generations }) => {
      const keys = scopes.get(scopeId)
      return keys !== undefined && generations.some((generation) => isFormerGeneration(keys, generation))
    })
    for (const head of heads) if (!former.includes(head)) countDone(pass, head.scopeId, 1)
    await saveUnfinished(deps, pass)
    for (const rows of inBatches(former)) {
      if (signal.aborted) return false
      await sealBatch(deps, pass, place, rows)
    }
    after = heads.at(-1)?.key
    if (heads.length < headsAtOnce || place.key.length === 0) return !signal.aborted
  }
}

function* inBatches(heads: readonly RowHead[]): Generator<RowHead[]> {
  let batch: RowHead[] = []
  let bytes = 0
  for (const head of heads) {
    batch.push(head)
    bytes += head.bytes
    if (batch.length < rowsAtOnce && bytes < bytesAtOnce) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

async function sealBatch(deps: Deps, pass: Pass, place: SealedPlace, heads: readonly RowHead[]): Promise<void> {
  for (const { scopeId } of heads) countLeft(pass, scopeId, 1)
  const skipped = await sealRows(
    deps,
    pass,
    place,
    heads.map(({ key }) => key),
  )
  // Some rows are nearly always locked: every write locks the row of its vault. A transaction of one row can wait for it.
  if (heads.length > 1) for (const key of skipped) await sealRows(deps, pass, place, [key])
  await saveUnfinished(deps, pass)
}

/** Returns the rows that weren't found, because they are locked or gone. */
async function sealRows(
  deps: Deps,
  pass: Pass,
  place: SealedPlace,
  keys: readonly RowKey[],
): Promise<readonly RowKey[]> {
  const { skipped, scopeIds, damaged } = await runThenPause(
    () => deps.db.write((tx) => resealRows(tx, place, pass, keys)),
    pass.signal,
  )
  for (const { scopeId, table, rowId, column } of damaged) {
    pass.damaged.add(scopeId)
    deps.log.error('a value is damaged, so the key that it needs is kept', {
      ...namesOf({ userId: pass.userId, scopeId }),
      code: `${table}.${column}`,
      recordId: rowId,
    })
  }
  for (const scopeId of scopeIds) {
    countLeft(pass, scopeId, -1)
    countDone(pass, scopeId, 1)
  }
  pass.done?.(scopeIds.length)
  return skipped
}

function countDone({ seen }: Pick<Pass, 'seen'>, scopeId: string, rows: number): void {
  const counted = seen.get(scopeId)
  if (counted !== undefined) counted.rowsDone += rows
}

function countLeft({ seen }: Pick<Pass, 'seen'>, scopeId: string, rows: number): void {
  const counted = seen.get(scopeId)
  if (counted !== undefined) counted.rowsLeft += rows
}
