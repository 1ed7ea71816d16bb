import { z } from 'zod'
import { conflict } from '../core/errors.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { countNotesIn, deleteFolder as deleteRow, listDescendantIds } from './folder-store.ts'
import { exampleFolder, getFolder, ownFolderId } from './folder.ts'

export const deleteFolder = operation({
  name: 'delete-folder',
  for: { person: 'DELETE /api/folders' },
  vault: 'required',
  summary: "Delete a folder that contains no folders and no live notes. Trashed notes in it move to the vault's root.",
  effect: 'destructive',
  changes: ['notes'],
  about: ({ folderId: id }) => refs('folder', id),
  alias: 'folderId',
  errors: ['conflict'],
  input: z.object({ ...ownVault, folderId: ownFolderId }),
  output: z.looseObject({ folderId: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { vaultId: exampleFolder.vaultId, folderId: exampleFolder.folderId },
    output: { folderId: exampleFolder.folderId, deleted: true },
  },
  run: ({ folderId: id }, { db, vault }) =>
    db.write(async (tx) => {
      await lockVault(tx, vault)
      await getFolder(tx, vault, id)
      const below = await listDescendantIds(tx, vault, id)
      if (below.length > 1) throw conflict('The folder contains other folders. Delete or move these first')
      const notes = (await countNotesIn(tx, vault, [id])).get(id) ?? 0
      if (notes > 0) throw conflict(`The folder contains notes (${notes}). Move them or delete them first`)
      await deleteRow(tx, vault, id)
      return { folderId: id, deleted: true as const }
    }),
})
