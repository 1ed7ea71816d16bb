import { z } from 'zod'
import { conflict, invalid, notFound } from '../core/errors.ts'
import { ownVault } from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { lockVault } from '../vault-index/lock-store.ts'
import { countNotesIn, findChild, findWithAncestors, renameFolder } from './folder-store.ts'
import { describeFolder, exampleFolder, folderRecord, getFolder, maxNameLength, pathIn } from './folder.ts'

export const editFolder = dashboardVaultOperation({
  name: 'edit-folder',
  method: 'PATCH',
  path: '/api/folders',
  summary: 'Give a folder another name. It stays where it lies, with all that lies in it.',
  effect: 'write',
  input: z.object({
    ...ownVault,
    id: z.uuid().describe('Id of the folder.'),
    name: z.string().min(1).max(maxNameLength).describe('Its name from now on, without `/`; 409 where another has it.'),
  }),
  output: z.looseObject({ folder: folderRecord }),
  examples: {
    input: { vaultId: exampleFolder.vaultId, id: exampleFolder.folderId, name: 'Plans' },
    output: { folder: { ...exampleFolder, name: 'Plans', path: 'Plans', version: 2 } },
  },
  run({ id, name }, { db, vault, now }) {
    if (name.includes('/')) throw invalid({ name: 'a name has no `/`' })
    if (name.trim() === '') throw invalid({ name: 'a name is more than white space' })
    return db.write(async (tx) => {
      if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
      const before = await getFolder(tx, vault, id)
      const holder = await findChild(tx, vault, before.parentId, name)
      if (holder !== undefined && holder.folderId !== id) throw conflict('Another folder beside it has this name')
      const folder = before.name === name ? before : await renameFolder(tx, vault, before, name, now())
      const counts = await countNotesIn(tx, vault, [id])
      const path = pathIn(await findWithAncestors(tx, vault, [id]), id)
      return { folder: describeFolder(folder, path, counts.get(id) ?? 0) }
    })
  },
})
