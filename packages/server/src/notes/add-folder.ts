import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { ensureFolder, newFolderFields } from './ensure-folder.ts'
import { exampleFolder, folderRecord } from './folder.ts'

export const addFolder = operation({
  name: 'add-folder',
  for: { person: 'POST /api/folders' },
  vault: 'required',
  summary: 'Make a folder for notes, or find the one that has this name already.',
  effect: 'write',
  changes: ['notes'],
  input: z.object({ ...ownVault, ...newFolderFields }),
  output: z.looseObject({ folder: folderRecord, created: z.boolean() }),
  returns: ({ folder }) => refs('folder', folder.id),
  examples: {
    input: { vaultId: exampleFolder.vaultId, path: 'Projects', name: 'Rules' },
    output: {
      folder: {
        ...exampleFolder,
        folderId: '0198c5f0-0000-7000-8000-000000000303',
        id: '0198c5f0-0000-7000-8000-000000000303',
        parentId: exampleFolder.folderId,
        name: 'Rules',
        path: 'Projects/Rules',
        noteCount: 0,
      },
      created: true,
    },
  },
  created: ({ created }) => created,
  async run({ name, path, parentId }, ctx) {
    const { folder, wasCreated } = await ensureFolder(ctx, { name, path, parentId })
    return { folder, created: wasCreated }
  },
})
