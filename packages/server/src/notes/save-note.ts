import { inPieces } from '../core/in-pieces.ts'
import { wordTags } from '../crypto/hash.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { embedRecord, keyingEntry, type Indexing, type PreparedEntry } from '../vault-index/index-record.ts'
import { encodeEntry } from '../vault-index/stored/entry.ts'
import { insertEntry, updateEntry, type StoredFacts, type VectorFacts } from '../vault-index/stored/store.ts'
import type { RecordEventName } from '../webhooks/event.ts'
import { queueRecordEvents } from '../webhooks/outbox.ts'
import { wikiTitlesOf } from './link-notes.ts'
import type { Writer } from '../operation/writer.ts'
import type { Note } from './note.ts'
import { insertNoteRow, setNoteTags, updateNoteRow } from './store.ts'
import { keepVersion } from './version-store.ts'
import { setWikiTargets } from './wiki-store.ts'

/** All rows of a note and its index entry, written together. Callers write the links, which depend on other notes (link-notes.ts). */

/**
 * A provider that is down or slow never fails a write: the entry then has no vectors. A note has the date of its creation; otherwise,
 * renaming a note would make all notes that link to it look new. Its author is not indexed, because several agents write one note.
 */
export async function prepareNoteEntry(ctx: Indexing, note: Note, signal?: AbortSignal): Promise<PreparedEntry> {
  const { vectors, facts } = await embedRecord(ctx.embeddings, embeddedText(note), ctx.log, signal)
  const { title, tags } = note.head
  const entry = await inPieces(
    keyingEntry(
      {
        text: note.content,
        header: { occurredAt: note.createdAt, entities: [], tags, title },
        ...(vectors !== undefined && { vectors }),
      },
      (words) => wordTags(tagKeys(ctx.vault.keys).words, words),
    ),
  )
  return { bytes: encodeEntry(entry), facts }
}

/** The text that is split into chunks and embedded. The title gives passages context, and some notes have only a title. */
export const embeddedText = ({ head, content }: Note): string => `${head.title}\n\n${content}`

export const factsOf = (note: Note): Omit<StoredFacts, keyof VectorFacts> => ({
  kind: 'note',
  type: 'note',
  importance: 3,
  archived: note.trashedAt === undefined ? 0 : 1,
  createdAt: note.createdAt,
  occurredAt: note.createdAt,
  expiresAt: null,
  supersededAt: null,
})

export async function insertNote(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { note, entry }: { note: Note; entry: PreparedEntry },
): Promise<void> {
  await insertNoteRow(tx, scope, note)
  await setNoteTags(tx, scope, { noteId: note.noteId, tags: note.head.tags, isNew: true })
  await setWikiTargets(tx, scope, { noteId: note.noteId, keys: targetsOf(note), isNew: true })
  await insertEntry(tx, scope, seq, {
    itemId: note.noteId,
    facts: { ...factsOf(note), ...entry.facts },
    entry: entry.bytes,
  })
  await queueChange(tx, scope, note, 'note.created')
}

/**
 * Keeps the former text as a version if the text changes. `entry` is undefined if search finds the note by the same words, `by`
 * if nobody changes the text.
 */
export async function saveNote(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  {
    before,
    after,
    entry,
    by,
  }: { before: Note; after: Note; entry: PreparedEntry | undefined; by?: Writer | undefined },
): Promise<void> {
  const resealed = after.contentRevision !== before.contentRevision
  if (resealed) await keepVersion(tx, scope, before, by)
  await updateNoteRow(tx, scope, after, { resealed })
  if (before.head.tags !== after.head.tags)
    await setNoteTags(tx, scope, { noteId: after.noteId, tags: after.head.tags })
  const targets = targetsOf(after)
  if (targetsOf(before).join('\n') !== targets.join('\n'))
    await setWikiTargets(tx, scope, { noteId: after.noteId, keys: targets })
  const archived = after.trashedAt === undefined ? 0 : 1
  await updateEntry(tx, scope, seq, { itemId: after.noteId, facts: { archived, ...entry?.facts }, entry: entry?.bytes })
  const isTrashed = before.trashedAt === undefined && after.trashedAt !== undefined
  await queueChange(tx, scope, after, isTrashed ? 'note.trashed' : 'note.updated')
}

/** The event for webhooks. */
export async function queueChange(
  tx: Tx,
  scope: VaultScope,
  { noteId, updatedAt }: Pick<Note, 'noteId' | 'updatedAt'>,
  event: RecordEventName,
): Promise<void> {
  if (scope.isWatched) await queueRecordEvents(tx, scope, [{ event, id: noteId }], updatedAt)
}

export const targetsOf = (note: Note): string[] =>
  note.trashedAt === undefined ? wikiTitlesOf(note.content).map(({ key }) => key) : []
