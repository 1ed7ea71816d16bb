import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { exampleFolderPage, findFolderPage, folderPage } from './folder-page.ts'
import { exampleFolder, maxFolders } from './folder.ts'

export const browseFolders = operation({
  name: 'browse-folders',
  for: { person: 'GET /api/folders' },
  vault: 'required',
  summary: 'The folders of a vault in the order of their tree, by name, each before what lies in it.',
  effect: 'read',
  outdatedBy: ['notes'],
  input: z.object({
    ...fields.ownVault,
    parentId: z.uuid().optional().describe('Only what lies in this folder. Default: the whole vault.'),
    recursive: z.boolean().default(true).describe('Folders at any depth; false: only those directly inside.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(maxFolders)
      .default(maxFolders)
      .describe('How many to return. Default: all that a vault can have.'),
    offset: fields.offset,
  }),
  output: folderPage,
  examples: {
    input: { vaultId: exampleFolder.vaultId },
    output: { ...exampleFolderPage, limit: maxFolders },
  },
  run: async ({ parentId, recursive, limit, offset }, { db, vault }) =>
    findFolderPage(db.read, vault, { parentId, recursive: recursive, limit, offset }),
})
