import type { Folder } from '@holdfast/client/dashboard'

/** A line of the folder tree. */
export interface FolderRow {
  folder: Folder
  /** 1 for top-level folders. */
  level: number
  hasFolders: boolean
  isOpen: boolean
  /** The notes in it and in its subfolders. */
  noteCount: number
}

/** The visible lines: all folders that aren't inside a closed one. `folders` is in tree order. */
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

/** Goes backwards, so each folder's count is complete before it is added to its parent's. */
function countNotes(folders: readonly Folder[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { id, parentId, noteCount } of folders.toReversed()) {
    const count = (counts.get(id) ?? 0) + noteCount
    counts.set(id, count)
    if (parentId !== null) counts.set(parentId, (counts.get(parentId) ?? 0) + count)
  }
  return counts
}
