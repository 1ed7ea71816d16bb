import { newId } from '../core/ids.ts'
import { exactTag } from '../crypto/hash.ts'
import { asSealed, CellError, damagedName, openText, sealText, type CellAddress } from '../crypto/cell.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { FoldersTable } from '../db/tables/notes.ts'
import { normalizeForEquality } from '@holdfast/transfer/text/normalize'
import { notesIn } from './store.ts'

/** Rows of folders. Callers that change a parent make sure that no folder contains itself (update-folder.ts). */

export interface Folder {
  folderId: string
  vaultId: string
  /** Undefined at the vault's root. */
  parentId: string | undefined
  name: string
  version: number
  createdAt: number
  updatedAt: number
}

export async function insertFolder(
  tx: Tx,
  scope: VaultScope,
  { parentId, name }: Pick<Folder, 'parentId' | 'name'>,
  at: number,
): Promise<Folder> {
  const folder = { folderId: newId(), vaultId: scope.id, parentId, name, version: 1, createdAt: at, updatedAt: at }
  await tx
    .insertInto('folders')
    .values({
      id: folder.folderId,
      userId: scope.userId,
      vaultId: scope.id,
      parentId: parentId ?? null,
      nameTag: nameTag(scope, parentId, name),
      name: sealText(scope.keys, 'content', nameAddress(scope, folder.folderId, 1), name),
      version: 1,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  return folder
}

/** Changes name and parent. The vault's row must be locked, and no other folder in that place may have the name. */
export async function updateFolder(
  tx: Tx,
  scope: VaultScope,
  before: Folder,
  { name, parentId, at }: Pick<Folder, 'name' | 'parentId'> & { at: number },
): Promise<Folder> {
  const { folderId } = before
  const version = before.version + 1
  await tx
    .updateTable('folders')
    .set({
      parentId: parentId ?? null,
      nameTag: nameTag(scope, parentId, name),
      name: sealText(scope.keys, 'content', nameAddress(scope, folderId, version), name),
      version,
      updatedAt: at,
    })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', folderId)
    .execute()
  return { ...before, name, parentId, version, updatedAt: at }
}

/** Trashed notes in the folder move to the root. */
export async function deleteFolder(tx: Tx, scope: VaultScope, folderId: string): Promise<void> {
  await tx
    .updateTable('notes')
    .set({ folderId: null })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('folderId', '=', folderId)
    .execute()
  await tx
    .deleteFrom('folders')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', folderId)
    .execute()
}

/** Finds a folder in a parent by name. Names that differ only in letter case and white space are the same. */
export async function findChild(
  db: Reader,
  scope: VaultScope,
  parentId: string | undefined,
  name: string,
): Promise<Folder | undefined> {
  const row = await foldersIn(db, scope)
    .selectAll()
    .where('nameTag', '=', nameTag(scope, parentId, name))
    .executeTakeFirst()
  return row && openFolder(scope, row)
}

/** The folders and all their ancestors, by id. */
export async function findWithAncestors(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
): Promise<Map<string, Folder>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .withRecursive('chain', (query) =>
      query
        .selectFrom('folders')
        .selectAll()
        .where('userId', '=', scope.userId)
        .where('vaultId', '=', scope.id)
        .where('id', 'in', ids)
        .union(
          query
            .selectFrom('chain')
            .innerJoin('folders as folder', (join) =>
              join.onRef('folder.userId', '=', 'chain.userId').onRef('folder.id', '=', 'chain.parentId'),
            )
            .selectAll('folder'),
        ),
    )
    .selectFrom('chain')
    .selectAll()
    .execute()
  return new Map(rows.map((row) => [row.id, openFolder(scope, row)]))
}

/** The ids of the folder and all folders in it, at any depth. */
export async function listDescendantIds(db: Reader, scope: VaultScope, folderId: string): Promise<string[]> {
  const rows = await db
    .withRecursive('below', (query) =>
      query
        .selectFrom('folders')
        .select(['id', 'userId', 'vaultId'])
        .where('userId', '=', scope.userId)
        .where('vaultId', '=', scope.id)
        .where('id', '=', folderId)
        .union(
          query
            .selectFrom('below')
            .innerJoin('folders as folder', (join) =>
              join
                .onRef('folder.userId', '=', 'below.userId')
                .onRef('folder.vaultId', '=', 'below.vaultId')
                .onRef('folder.parentId', '=', 'below.id'),
            )
            .select(['folder.id', 'folder.userId', 'folder.vaultId']),
        ),
    )
    .selectFrom('below')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** All of the vault's folders, oldest first. */
export async function listAllFolders(db: Reader, scope: VaultScope): Promise<Folder[]> {
  const rows = await foldersIn(db, scope).selectAll().orderBy('id').execute()
  return rows.map((row) => openFolder(scope, row))
}

export async function countFolders(db: Reader, scope: VaultScope): Promise<number> {
  const row = await foldersIn(db, scope)
    .select((folder) => folder.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

/** The number of live notes directly in each of these folders; empty folders are missing. */
export async function countNotesIn(
  db: Reader,
  scope: VaultScope,
  folderIds: readonly string[],
): Promise<Map<string, number>> {
  if (folderIds.length === 0) return new Map()
  const rows = await notesIn(db, scope)
    .select((note) => ['folderId', note.fn.countAll<number>().as('count')])
    .where('folderId', 'in', folderIds)
    .where('trashedAt', 'is', null)
    .groupBy('folderId')
    .execute()
  return new Map(rows.map(({ folderId, count }) => [folderId ?? '', count]))
}

const foldersIn = (db: Reader, scope: VaultScope) =>
  db.selectFrom('folders').where('userId', '=', scope.userId).where('vaultId', '=', scope.id)

const openFolder = (scope: VaultScope, row: FoldersTable): Folder => ({
  folderId: row.id,
  vaultId: row.vaultId,
  parentId: row.parentId ?? undefined,
  name: openShownName(scope, row),
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** A damaged name must not hide the notes of the vault. A new name repairs it. */
function openShownName(scope: VaultScope, row: FoldersTable): string {
  try {
    return openName(scope, row)
  } catch (error) {
    // A key that isn't known here can be a new one of another server.
    if (!(error instanceof CellError) || error.reason === 'unknown_generation') throw error
    return damagedName(row.id)
  }
}

export const openName = (scope: VaultScope, { id, version, name }: FoldersTable): string =>
  openText(scope.keys, 'content', nameAddress(scope, id, version), asSealed(name))

// An id has no slash, so different pairs of parent and name give different tags.
export const nameTag = ({ keys }: VaultScope, parentId: string | undefined, name: string): Buffer =>
  exactTag(tagKeys(keys).exact, 'folder name', `${parentId ?? ''}/${normalizeForEquality(name)}`)

const nameAddress = ({ id, userId }: VaultScope, folderId: string, version: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'folders',
  rowId: folderId,
  column: 'name',
  revision: version,
})
