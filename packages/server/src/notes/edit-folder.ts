import { z } from 'zod'
import { conflict, invalid, notFound } from '../core/errors.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { countNotesIn, findChild, findWithAncestors, updateFolder } from './folder-store.ts'
import { describeFolder, exampleFolder, folderRecord, getFolder, maxNameLength, pathIn } from './folder.ts'
import { refuseWrongParent } from './place-folder.ts'

export const editFolder = operation({
  name: 'edit-folder',
  for: { person: 'PATCH /api/folders' },
  vault: 'required',
  summary: 'Give a folder another name, or move it into another folder, with all that lies in it.',
  effect: 'write',
  changes: ['notes'],
  about: ({ id }) => refs('folder', id),
  input: z.object({
    ...ownVault,
    id: z.uuid().describe('Id of the folder.'),
    name: z
      .string()
      .min(1)
      .max(maxNameLength)
      .optional()
      .describe('Its name from now on, without `/`; 409 where another beside it has it. Default: the one that it has.'),
    parentId: z
      .uuid()
      .nullable()
      .optional()
      .describe("Folder that it lies in from now on; null: the vault's root. Default: the one that it lies in."),
  }),
  output: z.looseObject({ folder: folderRecord }),
  examples: {
    input: { vaultId: exampleFolder.vaultId, id: exampleFolder.folderId, name: 'Plans' },
    output: { folder: { ...exampleFolder, name: 'Plans', path: 'Plans', version: 2 } },
  },
  run({ id, ...asked }, { db, vault, now }) {
    if (asked.name?.includes('/') === true) throw invalid({ name: 'a name has no `/`' })
    if (asked.name?.trim() === '') throw invalid({ name: 'a name is more than white space' })
    return db.write(async (tx) => {
      if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
      const before = await getFolder(tx, vault, id)
      const { name = before.name } = asked
      const parentId = asked.parentId === undefined ? before.parentId : (asked.parentId ?? undefined)
      const isMoved = parentId !== before.parentId
      if (isMoved && parentId !== undefined) await refuseWrongParent(tx, vault, before, parentId)
      const holder = await findChild(tx, vault, parentId, name)
      if (holder !== undefined && holder.folderId !== id)
        throw conflict(isMoved ? 'A folder there has this name already' : 'Another folder beside it has this name')
      const isChanged = isMoved || before.name !== name
      const folder = isChanged ? await updateFolder(tx, vault, before, { name, parentId }, now()) : before
      const counts = await countNotesIn(tx, vault, [id])
      const path = pathIn(await findWithAncestors(tx, vault, [id]), id)
      return { folder: describeFolder(folder, path, counts.get(id) ?? 0) }
    })
  },
})
