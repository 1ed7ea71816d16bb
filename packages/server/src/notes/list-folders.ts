import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { countNotesIn, listAllFolders, type Folder } from './folder-store.ts'
import { describeFolder, exampleFolder, folderRecord, getFolder } from './folder.ts'

export const listFolders = operation({
  name: 'list-folders',
  scopes: ['read'],
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
  output: z.looseObject({ folders: z.array(folderRecord), ...page }),
  examples: { input: {}, output: { folders: [exampleFolder], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ parentId, recursive, limit, offset }, { db, vault }) {
    if (parentId !== undefined) await getFolder(db.read, vault, parentId)
    const inOrder = treeOf(await listAllFolders(db.read, vault), parentId, recursive)
    const shown = inOrder.slice(offset, offset + limit)
    const ids = shown.map(({ folder }) => folder.folderId)
    const counts = await countNotesIn(db.read, vault, ids)
    return {
      folders: shown.map(({ folder, path }) => describeFolder(folder, path, counts.get(folder.folderId) ?? 0)),
      ...pageOf({ limit, offset }, inOrder.length),
    }
  },
})

interface Placed {
  folder: Folder
  path: string
}

// The order of a reader without a language, so that it is the same on every server.
const byName = new Intl.Collator('en', { numeric: true })

/** Depth first; names in the order of `byName`. */
function treeOf(folders: readonly Folder[], parentId: string | undefined, recursive: boolean): Placed[] {
  const children = Map.groupBy(folders, (folder) => folder.parentId)
  const placed: Placed[] = []
  const visit = (inside: string | undefined, prefix: string) => {
    const here = (children.get(inside) ?? []).toSorted(
      (a, b) => byName.compare(a.name, b.name) || (a.folderId < b.folderId ? -1 : 1),
    )
    for (const folder of here) {
      const path = prefix + folder.name
      placed.push({ folder, path })
      if (recursive) visit(folder.folderId, `${path}/`)
    }
  }
  visit(parentId, prefixOf(folders, parentId))
  return placed
}

function prefixOf(folders: readonly Folder[], folderId: string | undefined): string {
  const folder = folders.find((one) => one.folderId === folderId)
  return folder === undefined ? '' : `${prefixOf(folders, folder.parentId)}${folder.name}/`
}
