import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { ensureFolder, newFolderFields } from './ensure-folder.ts'
import { exampleFolder, folderRecord } from './folder.ts'

export const createFolder = operation({
  name: 'create-folder',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Make a folder for notes, or find the one that has this name already.',
  effect: 'write',
  changes: ['notes'],
  input: z.object({
    ...newFolderFields,
    ...fields.inVault,
  }),
  output: folderRecord.extend({ created: z.boolean() }),
  returns: ({ folderId }) => refs('folder', folderId),
  examples: {
    input: { path: 'Projects', name: 'Holdfast' },
    output: {
      ...exampleFolder,
      folderId: '0198c5f0-0000-7000-8000-000000000302',
      id: '0198c5f0-0000-7000-8000-000000000302',
      parentId: exampleFolder.folderId,
      name: 'Holdfast',
      path: 'Projects/Holdfast',
      noteCount: 0,
      created: true,
    },
  },
  created: ({ created }) => created,
  async run(asked, ctx) {
    const { folder, wasCreated } = await ensureFolder(ctx, asked)
    return { ...folder, created: wasCreated }
  },
})
