import type { Folder } from '@holdfast/client/dashboard'

/** A line of the tree of folders. */
export interface FolderRow {
  folder: Folder
  /** 1 at the top. */
  level: number
  hasFolders: boolean
  isOpen: boolean
  /** Notes in it and in all that lies in it. */
  noteCount: number
}

/** The lines that are seen, of folders in the order of their tree: nothing below what is closed. */
export function listRows(folders: readonly Folder[], closed: ReadonlySet<string>): FolderRow[] {
  const counts = countNotes(folders)
  const parents = new Set(folders.map(({ parentId }) => parentId))
  const levels = new Map<string, number>()
  const hidden = new Set<string>()
  const rows: FolderRow[] = []
  for (const folder of folders) {
    const { id, parentId } = folder
    const level = (levels.get(parentId ?? '') ?? 0) + 1
    levels.set(id, level)
    if (parentId !== null && (hidden.has(parentId) || closed.has(parentId))) hidden.add(id)
    else
      rows.push({ folder, level, hasFolders: parents.has(id), isOpen: !closed.has(id), noteCount: counts.get(id) ?? 0 })
  }
  return rows
}

/** From the last one up, so that each is whole before its parent counts it. */
function countNotes(folders: readonly Folder[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { id, parentId, noteCount } of folders.toReversed()) {
    const count = (counts.get(id) ?? 0) + noteCount
    counts.set(id, count)
    if (parentId !== null) counts.set(parentId, (counts.get(parentId) ?? 0) + count)
  }
  return counts
}
