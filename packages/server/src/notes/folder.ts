import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import { countFolders, countNotesIn, findChild, findWithAncestors, insertFolder, type Folder } from './folder-store.ts'

/** A folder in answers, and the paths that name folders. */

export const maxNameLength = 200
export const maxDepth = 20
// Each page of list-folders sorts all of them, which takes 30 to 45 ms.
const maxFolders = 3000

export const ownFolderId = z.uuid().describe('Id of the folder.')

export const folderRecord = z
  .looseObject({
    folderId: z.uuid(),
    id: z.uuid().describe('The same as `folderId`.'),
    vaultId: z.uuid(),
    parentId: z.uuid().nullable().describe("null at the vault's root."),
    name: z.string(),
    path: z.string().describe('Names from the root, separated by `/`.'),
    noteCount: z.int().describe('Live notes directly in the folder.'),
    version: z.int(),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp,
  })
  .meta({ id: 'Folder' })

export type FolderRecord = z.infer<typeof folderRecord>

export const describeFolder = (folder: Folder, path: string, noteCount: number): FolderRecord => ({
  folderId: folder.folderId,
  id: folder.folderId,
  vaultId: folder.vaultId,
  parentId: folder.parentId ?? null,
  name: folder.name,
  path,
  noteCount,
  version: folder.version,
  createdAt: isoTime(folder.createdAt),
  updatedAt: isoTime(folder.updatedAt),
})

export const exampleFolder: FolderRecord = {
  folderId: '0198c5f0-0000-7000-8000-000000000301',
  id: '0198c5f0-0000-7000-8000-000000000301',
  vaultId: '0198c5f0-0000-7000-8000-000000000001',
  parentId: null,
  name: 'Projects',
  path: 'Projects',
  noteCount: 3,
  version: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
}

/** Reads the folder's record in a transaction. */
export async function readFolder(tx: Tx, scope: VaultScope, id: string): Promise<FolderRecord> {
  const folders = await findWithAncestors(tx, scope, [id])
  const folder = folders.get(id)
  if (folder === undefined) throw notFound('Folder')
  const counts = await countNotesIn(tx, scope, [id])
  return describeFolder(folder, pathIn(folders, id), counts.get(id) ?? 0)
}

export function refuseBadName(name: string, problemWithSlash: string): void {
  if (name.includes('/')) throw invalid({ name: problemWithSlash })
  if (name.trim() === '') throw invalid({ name: 'a name needs more than white space' })
}

/** Splits a path into names without the spaces around them. Empty names are skipped: `/a//b/` is `a/b`. 400 if a name is too long. */
export function namesIn(path: string, field: string): string[] {
  const names = path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.some((name) => name.length > maxNameLength))
    throw invalid({ [field]: `a folder name can have at most ${maxNameLength} characters` })
  if (names.length > maxDepth) throw invalid({ [field]: `folders can be at most ${maxDepth} levels deep` })
  return names
}

interface FolderPath {
  parentId: string | undefined
  names: readonly [string, ...string[]]
  /** The caller's field that errors name. */
  field: string
}

/** Follows names down from a parent and creates the missing folders. The vault's row must be locked. */
export async function makeFolders(
  tx: Tx,
  scope: VaultScope,
  { parentId, names: [first, ...others], field }: FolderPath,
  at: number,
): Promise<{ folder: Folder; wasCreated: boolean }> {
  const above = parentId === undefined ? 0 : (await chainOf(tx, scope, parentId)).length
  if (above + 1 + others.length > maxDepth) throw invalid({ [field]: `folders can be at most ${maxDepth} levels deep` })
  let made = await makeFolder(tx, scope, { parentId, name: first, field }, at)
  for (const name of others) made = await makeFolder(tx, scope, { parentId: made.folder.folderId, name, field }, at)
  return made
}

async function makeFolder(
  tx: Tx,
  scope: VaultScope,
  { parentId, name, field }: { parentId: string | undefined; name: string; field: string },
  at: number,
): Promise<{ folder: Folder; wasCreated: boolean }> {
  const existing = await findChild(tx, scope, parentId, name)
  if (existing !== undefined) return { folder: existing, wasCreated: false }
  if ((await countFolders(tx, scope)) >= maxFolders)
    throw invalid({ [field]: `a vault can have at most ${maxFolders} folders` })
  return { folder: await insertFolder(tx, scope, { parentId, name }, at), wasCreated: true }
}

/** Where a caller wants a note to be. `null` and an empty path mean the vault's root. */
export interface Destination {
  folderId?: string | null | undefined
  folderPath?: string | undefined
}

export function refuseTwoPlaces({ folderId, folderPath }: Destination): void {
  if (typeof folderId === 'string' && folderPath !== undefined)
    throw invalid({ folderPath: 'give folderId or folderPath, not both' })
}

/** Returns the folder's id, undefined for the root. Creates the missing folders of a path. The vault's row must be locked. */
export async function placeIn(
  tx: Tx,
  scope: VaultScope,
  { folderId, folderPath }: Destination,
  at: number,
): Promise<string | undefined> {
  if (folderPath !== undefined) {
    const [first, ...others] = namesIn(folderPath, 'folderPath')
    if (first === undefined) return undefined
    const path: FolderPath = { parentId: undefined, names: [first, ...others], field: 'folderPath' }
    return (await makeFolders(tx, scope, path, at)).folder.folderId
  }
  if (typeof folderId !== 'string') return undefined
  await getFolder(tx, scope, folderId)
  return folderId
}

/** Returns the id of the folder at a path, undefined for the root. 404 if a folder of the path does not exist. */
export async function findFolderAt(db: Reader, scope: VaultScope, folderPath: string): Promise<string | undefined> {
  let folderId: string | undefined
  for (const name of namesIn(folderPath, 'folderPath')) {
    const folder = await findChild(db, scope, folderId, name)
    if (folder === undefined) throw notFound('Folder')
    folderId = folder.folderId
  }
  return folderId
}

export async function getFolder(db: Reader, scope: VaultScope, folderId: string): Promise<Folder> {
  const [folder] = await chainOf(db, scope, folderId)
  if (folder === undefined) throw notFound('Folder')
  return folder
}

/** The folder and the folders that contain it, innermost first; empty if it does not exist. */
async function chainOf(db: Reader, scope: VaultScope, folderId: string): Promise<Folder[]> {
  const folders = await findWithAncestors(db, scope, [folderId])
  return chainIn(folders, folderId)
}

/** The same for folders that were read with their ancestors. */
export function chainIn(folders: ReadonlyMap<string, Folder>, folderId: string): Folder[] {
  const chain: Folder[] = []
  for (let at = folders.get(folderId); at !== undefined; at = folders.get(at.parentId ?? '')) chain.push(at)
  return chain
}

export const pathIn = (folders: ReadonlyMap<string, Folder>, folderId: string): string =>
  chainIn(folders, folderId)
    .map(({ name }) => name)
    .toReversed()
    .join('/')

/** The paths of the folders of these notes, by folder id. */
export async function pathsOf(
  db: Reader,
  scope: VaultScope,
  notes: readonly { folderId: string | undefined }[],
): Promise<Map<string, string>> {
  const ids = [...new Set(notes.flatMap(({ folderId }) => folderId ?? []))]
  const folders = await findWithAncestors(db, scope, ids)
  return new Map(ids.map((id) => [id, pathIn(folders, id)]))
}
