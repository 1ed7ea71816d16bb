import { z } from 'zod'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { page, pageOf } from '../operation/page.ts'
import { countNotesIn, listAllFolders, type Folder } from './folder-store.ts'
import { describeFolder, exampleFolder, folderRecord, getFolder } from './folder.ts'

/** A page of the tree of a vault's folders, for agents and for the person. */

export const folderPage = z.looseObject({ folders: z.array(folderRecord), ...page })

export type FolderPage = z.input<typeof folderPage>

interface Wanted {
  /** Only what lies in this folder; 404 where it is not there. */
  parentId?: string | undefined
  /** Folders at any depth. */
  recursive: boolean
  limit: number
  offset: number
}

export async function findFolderPage(
  db: Reader,
  scope: VaultScope,
  { parentId, recursive, limit, offset }: Wanted,
): Promise<FolderPage> {
  if (parentId !== undefined) await getFolder(db, scope, parentId)
  const inOrder = treeOf(await listAllFolders(db, scope), parentId, recursive)
  const shown = inOrder.slice(offset, offset + limit)
  const ids = shown.map(({ folder }) => folder.folderId)
  const counts = await countNotesIn(db, scope, ids)
  return {
    folders: shown.map(({ folder, path }) => describeFolder(folder, path, counts.get(folder.folderId) ?? 0)),
    ...pageOf({ limit, offset }, inOrder.length),
  }
}

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

export const exampleFolderPage: FolderPage = {
  folders: [exampleFolder],
  total: 1,
  limit: 20,
  offset: 0,
  hasMore: false,
}
