import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { exampleFolderPage, findFolderPage, folderPage } from './folder-page.ts'

export const listFolders = operation({
  name: 'list-folders',
  for: { agent: { scopes: ['read'] } },
  vault: 'resolved',
  summary: 'List the folders of a vault in the order of their tree, by name, each before what lies in it.',
  effect: 'read',
  input: z.object({
    parentId: z.uuid().optional().describe('Only what lies in this folder. Default: the whole vault.'),
    recursive: z.boolean().default(true).describe('Folders at any depth; false: only those directly inside.'),
    limit: fields.limit,
    offset: fields.offset,
    ...fields.inVault,
  }),
  output: folderPage,
  examples: { input: {}, output: exampleFolderPage },
  run: async (wanted, { db, vault }) => findFolderPage(db.read, vault, wanted),
})
