import { z } from 'zod'
import { conflict, notFound } from '../core/errors.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { countNotesIn, deleteFolder, listDescendantIds } from './folder-store.ts'
import { exampleFolder, getFolder } from './folder.ts'

export const removeFolder = operation({
  name: 'remove-folder',
  for: { person: 'DELETE /api/folders' },
  vault: 'required',
  summary: "Delete a folder that holds no folder and no live note; trashed notes in it move to the vault's root.",
  effect: 'destructive',
  changes: ['notes'],
  about: ({ id }) => refs('folder', id),
  input: z.object({ ...ownVault, id: z.uuid().describe('Id of the folder.') }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { vaultId: exampleFolder.vaultId, id: exampleFolder.folderId },
    output: { id: exampleFolder.folderId, deleted: true },
  },
  run: ({ id }, { db, vault }) =>
    db.write(async (tx) => {
      if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
      await getFolder(tx, vault, id)
      const below = await listDescendantIds(tx, vault, id)
      if (below.length > 1) throw conflict('The folder holds other folders; delete these first')
      const notes = (await countNotesIn(tx, vault, [id])).get(id) ?? 0
      if (notes > 0) throw conflict(`The folder holds notes (${notes}); move them or put them into the trash first`)
      await deleteFolder(tx, vault, id)
      return { id, deleted: true as const }
    }),
})
