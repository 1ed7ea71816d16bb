import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { AgentVaultContext } from '../operation/context.ts'
import { listNoteIds } from '../notes/list-store.ts'
import { foldersOf } from '../notes/list-notes.ts'
import { noteFields, type Note, type NotePlace } from '../notes/note.ts'
import { placesOf } from '../notes/read-note.ts'
import { findNotes } from '../notes/store.ts'

/** What the searches of notes share: their filters, and the opening of what they found. */

export const noteFilters = {
  tags: noteFields.tags.optional().describe('Only notes with all of these tags.'),
  folderId: z.uuid().optional().describe('Only notes in this folder and in the folders in it.'),
  folderPath: noteFields.folderPath.optional().describe('The same by names, as in `Projects/Holdfast`.'),
}

interface NoteFilters {
  tags?: readonly string[] | undefined
  folderId?: string | undefined
  folderPath?: string | undefined
}

/** The notes that pass, or undefined where nothing is filtered by. 404 for a folder that is not there. */
export async function notesPassing(
  { db, vault }: AgentVaultContext,
  { tags = [], folderId, folderPath }: NoteFilters,
): Promise<ReadonlySet<string> | undefined> {
  if (tags.length === 0 && folderId === undefined && folderPath === undefined) return undefined
  const folderIds = await foldersOf(db.read, vault, { folderId, folderPath }, true)
  return listNoteIds(db.read, vault, { folderIds, tags })
}

export interface OpenedNote<Hit> {
  hit: Hit
  note: Note
}

/** The hits with their notes, in their order; those that were trashed since the index was read are left out. */
export async function openNotes<Hit extends { itemId: string }>(
  { db, vault }: AgentVaultContext,
  hits: readonly Hit[],
): Promise<{ opened: OpenedNote<Hit>[]; places: NotePlace }> {
  const ids = hits.map(({ itemId }) => itemId)
  const found = new Map((await findNotes(db.read, vault, ids)).map((note) => [note.noteId, note]))
  const opened = hits.flatMap((hit) => {
    const note = found.get(hit.itemId)
    return note === undefined || note.trashedAt !== undefined ? [] : [{ hit, note }]
  })
  const places = await placesOf(
    db.read,
    vault,
    opened.map(({ note }) => note),
  )
  return { opened, places }
}

/** Past this length, looking for the part of a note to show takes milliseconds. */
const longNoteChars = 20_000

/** What `describe` makes of each note, one by one; after each long one other requests get their turn. */
export async function describeInTurn<Hit, T>(
  opened: readonly OpenedNote<Hit>[],
  describe: (found: OpenedNote<Hit>) => T,
): Promise<T[]> {
  const described: T[] = []
  for (const found of opened) {
    described.push(describe(found))
    if (found.note.content.length > longNoteChars) await setImmediate()
  }
  return described
}
