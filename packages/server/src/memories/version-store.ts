import { asSealed, openJson, sealJson, type CellAddress, type Sealed } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { MemoryVersionsTable } from '../db/tables/memories.ts'
import {
  importRoutes,
  isOtherWriter,
  keptVersionColumns,
  versionColumns,
  versionsToDrop,
  type Trust,
  type Writer,
} from '../operation/writer.ts'
import { authorshipOf, lastWriterOf, shapeOf, trustOf, type Shape } from './authorship.ts'
import type { Memory } from './memory.ts'
import { findTasks, updateTask } from './task-store.ts'

/** The texts of memories before another writer changed them, or before they lost trust. Deleted with their memory. */

export interface FormerText {
  /** The version that the memory had with this text. */
  version: number
  shape: Shape
  /** Undefined if the memory was never a task. */
  task: TaskTexts | undefined
  /** Who had changed it since its author. */
  changedBy?: Writer | undefined
  hasOtherWriters?: boolean | undefined
  trust: Trust
  /** When the memory got this text or was changed last while it had it. */
  updatedAt: number
}

/** What a task says beyond its memory. */
export interface TaskTexts {
  doneWhen?: string | undefined
  blockedReason?: string | undefined
}

/** A row without the keys that the vault and the memory give it. */
type StoredVersion = Pick<MemoryVersionsTable, 'version' | 'integrationId' | 'provenance' | 'replacedInRun'> & {
  state: Omit<FormerText, 'version'>
}

/**
 * Keeps the text of a memory if another writer or a restored version replaces it, or if it loses trust, as when a person merges an
 * agent's memory into theirs. Call before the task of the memory changes. A person's decision about an earlier change ends when an
 * agent changes the text again.
 */
export async function keepFormerText(
  tx: Tx,
  scope: VaultScope,
  { before, after, restoredBy }: { before: Memory; after: Memory; restoredBy?: Writer | undefined },
): Promise<void> {
  const { changedBy } = after.head
  if (changedBy !== before.head.changedBy && changedBy?.integrationId !== undefined)
    await forgetDecision(tx, scope, before.memoryId)
  const [last, next] = [lastWriterOf(before), restoredBy ?? lastWriterOf(after)]
  const trust = trustOf(before)
  if (restoredBy === undefined && !isOtherWriter(last, next) && trustOf(after) === trust) return
  const task = (await findTasks(tx, scope, [before.memoryId])).get(before.memoryId)
  await insertVersion(tx, scope, before.memoryId, {
    version: before.version,
    ...versionColumns(scope, { writer: last, trust, by: next }),
    state: {
      shape: shapeOf(before),
      task: task && { doneWhen: task.detail.doneWhen, blockedReason: task.detail.blockedReason },
      ...authorshipOf(before),
      updatedAt: before.updatedAt,
    },
  })
  await dropVersions(tx, scope, before.memoryId)
}

async function forgetDecision(tx: Tx, scope: VaultScope, memoryId: string): Promise<void> {
  await tx
    .deleteFrom('reviewDecisions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('kind', '=', 'changed')
    .where('firstId', '=', memoryId)
    .execute()
}

export async function insertVersion(tx: Tx, scope: VaultScope, memoryId: string, row: StoredVersion): Promise<void> {
  const { version, integrationId, provenance, replacedInRun, state } = row
  await tx
    .insertInto('memoryVersions')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      memoryId,
      version,
      integrationId,
      provenance,
      replacedInRun,
      state: sealJson(scope.keys, 'content', cellAddress(scope, memoryId, version), state),
    })
    .execute()
}

/** A former text from an import. `integrationId`: of the memory's author. */
export function versionFromFile(
  scope: VaultScope,
  integrationId: string | undefined,
  { version, ...state }: FormerText,
): StoredVersion {
  const { trust, changedBy } = state
  // Nobody has changed the author's text: it has the lowest trust only if it came from a file.
  const author = { integrationId, route: trust === 'imported' ? importRoutes.memory : '' }
  return { version, ...versionColumns(scope, { writer: changedBy ?? author, trust }), state }
}

async function dropVersions(tx: Tx, scope: VaultScope, memoryId: string): Promise<void> {
  const dropped = versionsToDrop(await listVersionWriters(tx, scope, memoryId))
  if (dropped.length === 0) return
  await tx
    .deleteFrom('memoryVersions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('memoryId', '=', memoryId)
    .where('version', 'in', dropped)
    .execute()
}

/** All kept versions, newest first. */
export const listVersionWriters = (db: Reader, scope: VaultScope, memoryId: string) =>
  versionsOf(db, scope, memoryId).select(keptVersionColumns).execute()

/** Newest first. */
export async function listFormerTexts(db: Reader, scope: VaultScope, memoryId: string): Promise<FormerText[]> {
  const rows = await versionsOf(db, scope, memoryId).select(['version', 'state']).execute()
  return rows.map((row) => openVersion(scope, memoryId, row))
}

export async function findFormerText(
  db: Reader,
  scope: VaultScope,
  memoryId: string,
  version: number,
): Promise<FormerText | undefined> {
  const row = await versionsOf(db, scope, memoryId)
    .select(['version', 'state'])
    .where('version', '=', version)
    .executeTakeFirst()
  return row && openVersion(scope, memoryId, row)
}

/** The memories' texts that a run replaced, as far as they are kept. */
export const listReplacedInRun = (
  db: Reader,
  scope: VaultScope,
  tag: Uint8Array,
): Promise<{ id: string; version: number }[]> =>
  versionsIn(db, scope).select(['memoryId as id', 'version']).where('replacedInRun', '=', tag).execute()

/** The last texts that a person wrote, by memory; at most some dozens of ids. */
export async function findPersonsTexts(
  db: Reader,
  scope: VaultScope,
  memoryIds: readonly string[],
): Promise<Map<string, FormerText>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await versionsIn(db, scope)
    .select(['memoryId', 'version', 'state'])
    .where('memoryId', 'in', memoryIds)
    .where('integrationId', 'is', null)
    .where('provenance', '<>', 'file')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memoryVersions as newer')
            .select('newer.version')
            .whereRef('newer.userId', '=', 'memoryVersions.userId')
            .whereRef('newer.vaultId', '=', 'memoryVersions.vaultId')
            .whereRef('newer.memoryId', '=', 'memoryVersions.memoryId')
            .whereRef('newer.version', '>', 'memoryVersions.version')
            .where('newer.integrationId', 'is', null)
            .where('newer.provenance', '<>', 'file'),
        ),
      ),
    )
    .execute()
  return new Map(rows.map((row) => [row.memoryId, openVersion(scope, row.memoryId, row)]))
}

/** Gives a task the texts that it had with a former text. */
export async function restoreTaskTexts(
  tx: Tx,
  scope: VaultScope,
  memoryId: string,
  { task }: Pick<FormerText, 'task'>,
): Promise<void> {
  const state = task && (await findTasks(tx, scope, [memoryId])).get(memoryId)
  if (state === undefined) return
  // The status stays, and so does the reason that belongs to it.
  const detail = { ...state.detail, doneWhen: task?.doneWhen }
  await updateTask(tx, scope, memoryId, { ...state, detail, revision: state.revision + 1 })
}

/** Copies the former texts of memories that move to another vault, under its keys. */
export async function moveVersions(
  tx: Tx,
  [from, to]: readonly [VaultScope, VaultScope],
  memoryIds: readonly string[],
): Promise<void> {
  if (memoryIds.length === 0) return
  const rows = await versionsIn(tx, from).selectAll().where('memoryId', 'in', memoryIds).execute()
  await deleteVersions(tx, from, memoryIds)
  for (const row of rows) {
    const { version: _version, ...state } = openVersion(from, row.memoryId, row)
    // Runs stay in their vault.
    await insertVersion(tx, to, row.memoryId, { ...row, replacedInRun: null, state })
  }
}

export async function deleteVersions(tx: Tx, scope: VaultScope, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length === 0) return
  await tx
    .deleteFrom('memoryVersions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('memoryId', 'in', memoryIds)
    .execute()
}

const openVersion = (
  scope: VaultScope,
  memoryId: string,
  { version, state }: { version: number; state: Sealed },
): FormerText => ({
  version,
  ...(openJson(
    scope.keys,
    'content',
    cellAddress(scope, memoryId, version),
    asSealed(state),
  ) as StoredVersion['state']),
})

const versionsIn = (db: Reader, scope: VaultScope) =>
  db.selectFrom('memoryVersions').where('userId', '=', scope.userId).where('vaultId', '=', scope.id)

const versionsOf = (db: Reader, scope: VaultScope, memoryId: string) =>
  versionsIn(db, scope).where('memoryId', '=', memoryId).orderBy('version', 'desc')

const cellAddress = ({ id, userId }: VaultScope, memoryId: string, version: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'memoryVersions',
  rowId: memoryId,
  column: 'state',
  revision: version,
})
