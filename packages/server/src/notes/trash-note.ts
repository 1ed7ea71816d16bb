import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { titleKey } from '../text/wiki-links.ts'
import { followHolders, refreshLinksFrom } from './link-notes.ts'
import type { Note } from './note.ts'
import { saveNote } from './save-note.ts'

/** Trashes a note that is live: links by its title go to the next one that has it, and its own are gone. */
export async function trashNote(tx: Tx, scope: VaultScope, seq: number, before: Note, at: number): Promise<void> {
  const after = { ...before, trashedAt: at, version: before.version + 1, updatedAt: at }
  const move = { note: after, keys: [titleKey(before.head.title)] }
  await followHolders(tx, scope, seq, move, () => saveNote(tx, scope, seq, { before, after, entry: undefined }))
  await refreshLinksFrom(tx, scope, seq, after, at)
}
