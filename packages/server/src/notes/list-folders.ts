import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { countNotesIn, listAllFolders, type Folder } from './folder-store.ts'
import { describeFolder, exampleFolder, folderRecord, getFolder } from './folder.ts'

export const listFolders = operation({
  name: 'list-folders',
  for: { agent: { toolset: 'vaults', scopes: ['read'] }, person: 'GET /api/folders' },
  vault: 'resolved',
  summary: 'List the folders of a vault as a tree: sorted by name, each followed by the folders in it.',
  effect: 'read',
  outdatedBy: ['notes'],
  input: z.object({
    parentId: z.uuid().optional().describe('Only folders in this folder. Default: the whole vault.'),
    recursive: z.boolean().default(true).describe('Folders at any depth; false: only direct children.'),
    limit: fields.limit,
    offset: fields.offset,
    ...fields.inVault,
  }),
  output: z.looseObject({ folders: z.array(folderRecord), ...page }),
  examples: { input: {}, output: { folders: [exampleFolder], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ parentId, recursive, limit, offset }, { db, vault }) {
    if (parentId !== undefined) await getFolder(db.read, vault, parentId)
    const inOrder = sortAsTree(await listAllFolders(db.read, vault), parentId, recursive)
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

/** Depth first, by name. */
function sortAsTree(folders: readonly Folder[], parentId: string | undefined, recursive: boolean): Placed[] {
  // A fixed language, so that the order is the same on every server.
  const byName = new Intl.Collator('en', { numeric: true })
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
