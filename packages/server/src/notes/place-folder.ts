import type { VaultScope } from '../crypto/keys.ts'
import { invalid } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import { findWithAncestors, listDescendantIds, type Folder } from './folder-store.ts'
import { chainIn, getFolder, maxDepth } from './folder.ts'

/** Throws unless the folder, with all that lies in it, can lie in this one; the vault's row must be locked. */
export async function refuseWrongParent(tx: Tx, scope: VaultScope, folder: Folder, parentId: string): Promise<void> {
  await getFolder(tx, scope, parentId)
  const inside = await listDescendantIds(tx, scope, folder.folderId)
  if (inside.includes(parentId)) throw invalid({ parentId: 'is the folder itself, or lies in it; choose another one' })
  const folders = await findWithAncestors(tx, scope, [...inside, parentId])
  const depthOf = (id: string) => chainIn(folders, id).length
  const deepest = inside.reduce((most, id) => Math.max(most, depthOf(id)), 0)
  const levels = deepest - depthOf(folder.folderId) + 1
  if (depthOf(parentId) + levels > maxDepth)
    throw invalid({
      parentId: `folders lie at most ${maxDepth} levels deep; with what lies in it, it would lie deeper`,
    })
}
