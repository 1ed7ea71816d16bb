import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { collectDamage } from '../crypto/cell.ts'
import type { VaultContext } from '../operation/context.ts'
import { listNoteIds, listNoteIdsIn, type NoteFilter } from '../notes/list-store.ts'
import { foldersOf } from '../notes/list-notes.ts'
import { noteFields, type Note, type NotePlace } from '../notes/note.ts'
import { placesOf } from '../notes/read-note.ts'
import { findIntactNotes } from '../notes/store.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'

/** The filters of all note searches, and how they open the notes they found. */

export const noteFilters = {
  tags: noteFields.tags.optional().describe('Only notes with all of these tags.'),
  folderId: z.uuid().optional().describe('Only notes in this folder and the folders inside it.'),
  folderPath: noteFields.folderPath.optional().describe('The same folder as a path, such as `Projects/Holdfast`.'),
}

interface NoteFilters {
  tags?: readonly string[] | undefined
  folderId?: string | undefined
  folderPath?: string | undefined
}

/** The notes that pass, or undefined without filters. 404 if the folder doesn't exist. */
export async function notesPassing(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes'>,
  { tags = [], folderId, folderPath }: NoteFilters,
): Promise<ReadonlySet<string> | undefined> {
  if (tags.length === 0 && folderId === undefined && folderPath === undefined) return undefined
  const { db, vault } = ctx
  const folderIds = await foldersOf(db.read, vault, { folderId, folderPath }, true)
  return tags.length === 0 ? notesIn(ctx, folderIds) : listNoteIds(db.read, vault, { folderIds, tags })
}

/** For each loaded index, the notes of the folders last asked for, as of a change number. */
const lastAsked = new WeakMap<VaultIndex, { seq: number; folders: string; ids: ReadonlySet<string> }>()

/** Read once per change of the vault, since 100,000 ids take 0.2 s. */
async function notesIn(
  { db, vault, indexes }: Pick<VaultContext, 'db' | 'vault' | 'indexes'>,
  folderIds: NoteFilter['folderIds'],
): Promise<ReadonlySet<string>> {
  const index = await indexes.read(vault, (held) => held)
  const folders = String(folderIds)
  const known = lastAsked.get(index)
  if (known?.seq === vault.seq && known.folders === folders) return known.ids
  const ids = await listNoteIdsIn(db.read, vault, folderIds)
  lastAsked.set(index, { seq: vault.seq, folders, ids })
  return ids
}

/** A note may have 500,000 characters. */
const openedAtOnce = 5

export interface OpenedNote<Hit> {
  hit: Hit
  note: Note
}

/** The hits with their notes, in order, without damaged notes and those that were trashed since the index was read. */
export async function openNotes<Hit extends { itemId: string }>(
  { db, vault, instance }: Pick<VaultContext, 'db' | 'vault' | 'instance'>,
  hits: readonly Hit[],
): Promise<{ opened: OpenedNote<Hit>[]; places: NotePlace; damagedIds: ReadonlySet<string> }> {
  const ids = hits.map(({ itemId }) => itemId)
  const found = new Map<string, Note>()
  const damage = collectDamage(instance.onDamage)
  for (let at = 0; at < ids.length; at += openedAtOnce) {
    const some = ids.slice(at, at + openedAtOnce)
    for (const note of await findIntactNotes(db.read, vault, some, damage.onDamage)) found.set(note.noteId, note)
    await setImmediate()
  }
  const opened = hits.flatMap((hit) => {
    const note = found.get(hit.itemId)
    return note === undefined || note.trashedAt !== undefined ? [] : [{ hit, note }]
  })
  const places = await placesOf(
    db.read,
    vault,
    opened.map(({ note }) => note),
  )
  return { opened, places, damagedIds: damage.ids }
}

/** In longer notes, finding the part to show takes milliseconds. */
const longNoteChars = 20_000

/** Describes the notes one by one. After a long note, other requests run first. */
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
