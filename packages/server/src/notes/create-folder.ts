import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import {
  exampleFolder,
  folderRecord,
  getFolder,
  makeFolders,
  maxNameLength,
  namesIn,
  readFolder,
  refuseBadName,
} from './folder.ts'

export const createFolder = operation({
  name: 'create-folder',
  for: { agent: { toolset: 'vaults', scopes: ['write'] }, person: 'POST /api/folders' },
  vault: 'resolved',
  summary: 'Create a folder for notes, or return the existing one with this name.',
  effect: 'write',
  changes: ['notes'],
  needs: [['name'], ['path']],
  input: z.object({
    name: z
      .string()
      .min(1)
      .max(maxNameLength)
      .optional()
      .describe('Name of the folder, without `/`. Names that differ only in letter case or white space are the same.'),
    path: z
      .string()
      .max(5000)
      .optional()
      .describe(
        'A path such as `Projects/Holdfast`; missing folders are created. With a name: the folder to create it in. At most 20 levels.',
      ),
    parentId: z.uuid().optional().describe("Folder in which the name or path starts. Default: the vault's root."),
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
  run({ name, path, parentId }, { db, vault, now, about }) {
    const names = readNames(name, path)
    const field = name === undefined ? 'path' : 'name'
    return db.write(async (tx) => {
      await lockVault(tx, vault)
      if (parentId !== undefined) await getFolder(tx, vault, parentId)
      const { folder, wasCreated } = await makeFolders(tx, vault, { parentId, names, field }, now())
      if (wasCreated) about('folder', folder.folderId)
      return { ...(await readFolder(tx, vault, folder.folderId)), created: wasCreated }
    })
  },
})

function readNames(name: string | undefined, path: string | undefined): [string, ...string[]] {
  if (name !== undefined) refuseBadName(name, 'a name cannot contain `/`; use path instead')
  const [first, ...others] = [...namesIn(path ?? '', 'path'), ...(name === undefined ? [] : [name])]
  if (first === undefined) throw invalid({ name: 'required: a name or a path' })
  return [first, ...others]
}
