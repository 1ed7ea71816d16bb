import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { lockVault } from '../vault-index/lock-store.ts'
import { countNotesIn, findWithAncestors } from './folder-store.ts'
import {
  describeFolder,
  exampleFolder,
  folderRecord,
  getFolder,
  makeFolders,
  maxNameLength,
  namesIn,
  pathIn,
} from './folder.ts'

export const createFolder = operation({
  name: 'create-folder',
  scopes: ['write'],
  vault: 'resolved',
  summary: 'Make a folder for notes, or find the one that has this name already.',
  effect: 'write',
  input: z.object({
    name: z
      .string()
      .min(1)
      .max(maxNameLength)
      .optional()
      .describe('Name of the folder, without `/`. Letter case and white space tell no folders apart.'),
    path: z
      .string()
      .max(5000)
      .optional()
      .describe(
        'Names from the top, parted by `/`; missing folders are made. With a name: where to make it. At most 20 levels.',
      ),
    parentId: z.uuid().optional().describe("Folder in which name or path begin. Default: the vault's root."),
    ...fields.inVault,
  }),
  output: folderRecord.extend({ created: z.boolean() }),
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
  async run({ name, path, parentId }, { db, vault, now }) {
    const names = namesOf(name, path)
    return db.write(async (tx) => {
      if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
      if (parentId !== undefined) await getFolder(tx, vault, parentId)
      const { folder, wasCreated } = await makeFolders(tx, vault, parentId, names, fieldOf(name), now())
      const chain = await findWithAncestors(tx, vault, [folder.folderId])
      const counts = await countNotesIn(tx, vault, [folder.folderId])
      return {
        ...describeFolder(folder, pathIn(chain, folder.folderId), counts.get(folder.folderId) ?? 0),
        created: wasCreated,
      }
    })
  },
})

/** Of the two, the field that an answer about the names points to. */
const fieldOf = (name: string | undefined) => (name === undefined ? 'path' : 'name')

function namesOf(name: string | undefined, path: string | undefined): [string, ...string[]] {
  if (name?.includes('/') === true) throw invalid({ name: 'a name has no `/`; give a path instead' })
  if (name?.trim() === '') throw invalid({ name: 'a name is more than white space' })
  const [first, ...others] = [...namesIn(path ?? '', 'path'), ...(name === undefined ? [] : [name])]
  if (first === undefined) throw invalid({ name: 'required: a name or a path' })
  return [first, ...others]
}
