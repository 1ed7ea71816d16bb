import { z } from 'zod'
import { conflict, invalid } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import {
  findChild,
  findWithAncestors,
  listDescendantIds,
  updateFolder as updateRow,
  type Folder,
} from './folder-store.ts'
import {
  chainIn,
  exampleFolder,
  ownFolderId,
  folderRecord,
  getFolder,
  maxDepth,
  maxNameLength,
  readFolder,
  refuseBadName,
} from './folder.ts'

export const updateFolder = operation({
  name: 'update-folder',
  for: { person: 'PATCH /api/folders' },
  vault: 'required',
  summary: 'Rename a folder, or move it into another folder with everything in it.',
  effect: 'write',
  changes: ['notes'],
  about: ({ folderId: id }) => refs('folder', id),
  alias: 'folderId',
  errors: ['conflict'],
  input: z.object({
    ...ownVault,
    folderId: ownFolderId,
    name: z
      .string()
      .min(1)
      .max(maxNameLength)
      .optional()
      .describe('New name, without `/`; 409 if another folder in the same place has it. Default: unchanged.'),
    parentId: z
      .uuid()
      .nullable()
      .optional()
      .describe("Folder to move it into; null: the vault's root. Default: unchanged."),
  }),
  output: folderRecord,
  examples: {
    input: { vaultId: exampleFolder.vaultId, folderId: exampleFolder.folderId, name: 'Plans' },
    output: { ...exampleFolder, name: 'Plans', path: 'Plans', version: 2 },
  },
  run({ folderId: id, ...asked }, { db, vault, now }) {
    if (asked.name !== undefined) refuseBadName(asked.name, 'a name cannot contain `/`')
    return db.write(async (tx) => {
      await lockVault(tx, vault)
      const before = await getFolder(tx, vault, id)
      const { name = before.name } = asked
      const parentId = asked.parentId === undefined ? before.parentId : (asked.parentId ?? undefined)
      const isMoved = parentId !== before.parentId
      if (isMoved && parentId !== undefined) await refuseWrongParent(tx, vault, before, parentId)
      const holder = await findChild(tx, vault, parentId, name)
      if (holder !== undefined && holder.folderId !== id)
        throw conflict(
          isMoved ? 'A folder with this name is already there' : 'Another folder in the same place has this name',
        )
      if (isMoved || before.name !== name) await updateRow(tx, vault, before, { name, parentId, at: now() })
      return readFolder(tx, vault, id)
    })
  },
})

/** Throws unless the folder, with all that it contains, fits into the parent. The vault's row must be locked. */
async function refuseWrongParent(tx: Tx, scope: VaultScope, folder: Folder, parentId: string): Promise<void> {
  await getFolder(tx, scope, parentId)
  const inside = await listDescendantIds(tx, scope, folder.folderId)
  if (inside.includes(parentId))
    throw invalid({ parentId: 'is the folder itself or a folder in it; choose another one' })
  const folders = await findWithAncestors(tx, scope, [...inside, parentId])
  const depthOf = (id: string) => chainIn(folders, id).length
  const deepest = inside.reduce((most, id) => Math.max(most, depthOf(id)), 0)
  const levels = deepest - depthOf(folder.folderId) + 1
  if (depthOf(parentId) + levels > maxDepth)
    throw invalid({ parentId: `there, the folder and its folders would be more than ${maxDepth} levels deep` })
}
