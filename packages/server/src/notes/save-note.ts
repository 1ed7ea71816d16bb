import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { insertEntry, updateEntry } from '../vault-index/stored/store.ts'
import { factsOf } from './index-note.ts'
import type { PreparedEntry } from '../vault-index/index-record.ts'
import { wikiTitlesOf } from './link-notes.ts'
import type { Note } from './note.ts'
import { insertNoteRow, updateNoteRow } from './store.ts'
import { setNoteTags } from './tag-store.ts'
import { keepVersion } from './version-store.ts'
import { setWikiTargets } from './wiki-store.ts'

/** All rows of a note, written together. Links are the caller's: they depend on other notes (link-notes.ts). */

export async function insertNote(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  note: Note,
  entry: PreparedEntry,
): Promise<void> {
  await insertNoteRow(tx, scope, note)
  await setNoteTags(tx, scope, note.noteId, note.head.tags, { isNew: true })
  await setWikiTargets(tx, scope, note.noteId, targetsOf(note), { isNew: true })
  await insertEntry(tx, scope, note.noteId, seq, { ...factsOf(note), ...entry.facts }, entry.bytes)
}

/** What was there before is kept as a version where the text changes. `entry` is left out where search finds the note by the same words. */
export async function saveNote(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { before, after, entry }: { before: Note; after: Note; entry: PreparedEntry | undefined },
): Promise<void> {
  const resealed = after.contentRevision !== before.contentRevision
  if (resealed) await keepVersion(tx, scope, before)
  await updateNoteRow(tx, scope, after, { resealed })
  if (before.head.tags !== after.head.tags) await setNoteTags(tx, scope, after.noteId, after.head.tags)
  const targets = targetsOf(after)
  if (targetsOf(before).join('\n') !== targets.join('\n')) await setWikiTargets(tx, scope, after.noteId, targets)
  const archived = after.trashedAt === undefined ? 0 : 1
  await updateEntry(tx, scope, after.noteId, seq, { archived, ...entry?.facts }, entry?.bytes)
}

const targetsOf = (note: Note): string[] =>
  note.trashedAt === undefined ? wikiTitlesOf(note.content).map(({ key }) => key) : []
