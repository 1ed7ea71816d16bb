import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import type { VaultContext } from '../operation/context.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { countNotesIn, findWithAncestors } from './folder-store.ts'
import { describeFolder, getFolder, makeFolders, maxNameLength, namesIn, pathIn, type FolderRecord } from './folder.ts'

/** A folder as somebody wants it. */
export interface NewFolder {
  name?: string | undefined
  path?: string | undefined
  parentId?: string | undefined
}

export const newFolderFields = {
  name: z
    .string()
    .min(1)
    .max(maxNameLength)
    .optional()
    .describe('Name of the folder, without `/`. Letter case and white space tell no folders apart.'),
  path: z
    .string()
    .max(5000)
    .optional()
    .describe(
      'Names from the top, parted by `/`; missing folders are made. With a name: where to make it. At most 20 levels.',
    ),
  parentId: z.uuid().optional().describe("Folder in which name or path begin. Default: the vault's root."),
}

/** Makes the folder, and what is missing above it; or finds the one that has this name already. */
export function ensureFolder(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  { name, path, parentId }: NewFolder,
): Promise<{ folder: FolderRecord; wasCreated: boolean }> {
  const names = namesOf(name, path)
  return db.write(async (tx) => {
    if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
    if (parentId !== undefined) await getFolder(tx, vault, parentId)
    const { folder, wasCreated } = await makeFolders(tx, vault, parentId, names, fieldOf(name), now())
    const { folderId } = folder
    const chain = await findWithAncestors(tx, vault, [folderId])
    const counts = await countNotesIn(tx, vault, [folderId])
    return { folder: describeFolder(folder, pathIn(chain, folderId), counts.get(folderId) ?? 0), wasCreated }
  })
}

/** Of the two, the field that an answer about the names points to. */
const fieldOf = (name: string | undefined) => (name === undefined ? 'path' : 'name')

function namesOf(name: string | undefined, path: string | undefined): [string, ...string[]] {
  if (name?.includes('/') === true) throw invalid({ name: 'a name has no `/`; give a path instead' })
  if (name?.trim() === '') throw invalid({ name: 'a name is more than white space' })
  const [first, ...others] = [...namesIn(path ?? '', 'path'), ...(name === undefined ? [] : [name])]
  if (first === undefined) throw invalid({ name: 'required: a name or a path' })
  return [first, ...others]
}
