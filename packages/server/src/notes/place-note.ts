import type { VaultContext } from '../operation/context.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { namesIn, placeIn, refuseTwoPlaces, type Destination } from './folder.ts'
import type { Note } from './note.ts'
import { getNote, updateNoteRow } from './store.ts'

/** Puts a note into a folder, which is made where a path names one that is missing. Without a destination it stays where it is. */
export function placeNote(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  noteId: string,
  { folderId: asked, folderPath }: Destination,
): Promise<{ note: Note; moved: boolean }> {
  const destination = { folderId: asked, folderPath }
  refuseTwoPlaces(destination)
  namesIn(folderPath ?? '', 'folderPath')
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const note = await getNote(tx, vault, noteId)
    const at = now()
    const isAsked = asked !== undefined || folderPath !== undefined
    const folderId = isAsked ? await placeIn(tx, vault, destination, at) : note.folderId
    if (folderId === note.folderId) return { note, moved: false }
    const after = { ...note, folderId, version: note.version + 1, updatedAt: at }
    await updateNoteRow(tx, vault, after, { resealed: false })
    // Search knows no folders, but sessions count what has changed by the entries' numbers.
    await updateEntry(tx, vault, after.noteId, seq, {})
    return { note: after, moved: true }
  })
}
