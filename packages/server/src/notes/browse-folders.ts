import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { exampleFolderPage, findFolderPage, folderPage } from './folder-page.ts'
import { exampleFolder, maxFolders } from './folder.ts'

export const browseFolders = dashboardVaultOperation({
  name: 'browse-folders',
  method: 'GET',
  path: '/api/folders',
  summary: 'The folders of a vault in the order of their tree, by name, each before what lies in it.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    parentId: z.uuid().optional().describe('Only what lies in this folder. Default: the whole vault.'),
    recursive: fields.queryFlag.default('true').describe('Folders at any depth; false: only those directly inside.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(maxFolders)
      .default(maxFolders)
      .describe('How many to return. Default: all that a vault can have.'),
    offset: fields.queryOffset,
  }),
  output: folderPage,
  examples: {
    input: { vaultId: exampleFolder.vaultId },
    output: { ...exampleFolderPage, limit: maxFolders },
  },
  run: async ({ parentId, recursive, limit, offset }, { db, vault }) =>
    findFolderPage(db.read, vault, { parentId, recursive: recursive === 'true', limit, offset }),
})
