import { normalizeForEquality } from '@holdfast/transfer/text/normalize'
import { titleKey } from '@holdfast/transfer/text/wiki-links'
import { notFound, unavailable } from '../core/errors.ts'
import { exactTag } from '../crypto/hash.ts'
import { asSealed, openJson, openText, sealJson, sealText, type CellAddress, type OnDamage } from '../crypto/cell.ts'
import { openIntact } from '../auth/scope-key-store.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { prepared, preparedForIds, type Param } from '../db/prepared.ts'
import type { NotesTable } from '../db/tables/notes.ts'
import { listKinds } from '../vault-index/stored/store.ts'
import type { Note, NoteHead, NoteOutline } from './note.ts'

/** Rows of notes and their tags, sealed and opened. Every query filters by owner and vault. */

const insertRow = prepared((db, param: Param<NotesTable>) =>
  db.insertInto('notes').values({
    id: param('id'),
    userId: param('userId'),
    vaultId: param('vaultId'),
    folderId: param('folderId'),
    titleTag: param('titleTag'),
    externalTag: param('externalTag'),
    trashedAt: param('trashedAt'),
    wordCount: param('wordCount'),
    head: param('head'),
    body: param('body'),
    contentRevision: param('contentRevision'),
    version: param('version'),
    createdAt: param('createdAt'),
    updatedAt: param('updatedAt'),
    removedById: param('removedById'),
  }),
)

export async function insertNoteRow(tx: Tx, scope: VaultScope, note: Note): Promise<void> {
  const { externalWriteId } = note.head
  await insertRow.execute(tx, {
    id: note.noteId,
    userId: scope.userId,
    vaultId: scope.id,
    externalTag: externalWriteId === undefined ? null : externalTag(scope, externalWriteId),
    createdAt: note.createdAt,
    ...changeableColumns(note),
    ...textColumns(scope, note),
  })
}

/** Writes the columns that can change. Title, tags and content are sealed again, under the note's content revision, only if `resealed`. */
export async function updateNoteRow(
  tx: Tx,
  scope: VaultScope,
  note: Note,
  { resealed }: { resealed: boolean },
): Promise<void> {
  await tx
    .updateTable('notes')
    .set({ ...changeableColumns(note), ...(resealed && textColumns(scope, note)) })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', note.noteId)
    .execute()
}

export async function setNoteTags(
  tx: Tx,
  scope: VaultScope,
  { noteId, tags, isNew = false }: { noteId: string; tags: readonly string[]; isNew?: boolean },
): Promise<void> {
  if (!isNew)
    await tx
      .deleteFrom('noteTags')
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('noteId', '=', noteId)
      .execute()
  const rows = noteTags(scope, tags).map((tag) => ({ userId: scope.userId, vaultId: scope.id, noteId, tag }))
  if (rows.length > 0) await tx.insertInto('noteTags').values(rows).execute()
}

/** Keyed tags, by which lists and searches filter; one for tags that differ only in letter case and white space. */
export const noteTags = ({ keys }: VaultScope, tags: readonly string[]): Buffer[] =>
  [...new Set(tags.map(normalizeForEquality))].map((tag) => exactTag(tagKeys(keys).exact, 'note tag', tag))

/** Deletes the note, its tags, its versions and what it links to by title. */
export async function deleteNoteRows(tx: Tx, scope: VaultScope, noteId: string): Promise<void> {
  for (const table of ['noteTags', 'noteVersions', 'wikiTargets'] as const)
    await tx
      .deleteFrom(table)
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('noteId', '=', noteId)
      .execute()
  await tx
    .deleteFrom('notes')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', noteId)
    .execute()
}

/** Opens notes, also trashed ones, in no particular order. Ids of other vaults and users are not found. */
export const findNotes = async (db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Note[]> =>
  (await findRows(db, scope, ids)).map((row) => openNote(scope, row))

/** The same for lists and searches, without damaged notes: one must not hide all others. */
export async function findIntactNotes(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
  onDamage?: OnDamage,
): Promise<Note[]> {
  return openIntact(db, await findRows(db, scope, ids), (row) => openNote(scope, row), onDamage)
}

export const openNote = (scope: VaultScope, row: NotesTable): Note => ({
  ...openOutline(scope, row),
  content: openText(scope.keys, 'content', cellAddress(scope, row, 'body'), asSealed(row.body)),
})

const selectRows = preparedForIds((db, param: Param<{ userId: string; vaultId: string }>, ids) =>
  db
    .selectFrom('notes')
    .selectAll()
    .where('userId', '=', param('userId'))
    .where('vaultId', '=', param('vaultId'))
    .where('id', 'in', ids),
)

async function findRows(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<NotesTable[]> {
  if (ids.length === 0) return []
  const rows = await selectRows.execute(db, { userId: scope.userId, vaultId: scope.id }, ids)
  const found = new Set(rows.map((row) => row.id))
  await refuseLostRows(
    db,
    scope,
    ids.filter((id) => !found.has(id)),
  )
  return rows
}

// A note and its index entry are written and deleted in one transaction. If only the entry exists, the database lost the note, which
// must not look as if it never existed.
async function refuseLostRows(db: Reader, scope: VaultScope, missing: readonly string[]): Promise<void> {
  const kinds = await listKinds(db, scope, missing)
  if (missing.some((id) => kinds.get(id) === 'note')) throw unavailable('the database is damaged')
}

export async function getNote(db: Reader, scope: VaultScope, id: string): Promise<Note> {
  const [note] = await findNotes(db, scope, [id])
  if (note === undefined) throw notFound('Note')
  return note
}

/** Opens notes without their contents, also trashed ones, in no particular order. */
export async function findOutlines(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<NoteOutline[]> {
  if (ids.length === 0) return []
  const rows = await notesIn(db, scope).select(outlineColumns).where('id', 'in', ids).execute()
  return rows.map((row) => openOutline(scope, row))
}

/** The same for lists, without damaged notes. */
export async function findIntactOutlines(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
  onDamage?: OnDamage,
): Promise<NoteOutline[]> {
  if (ids.length === 0) return []
  const rows = await notesIn(db, scope).select(outlineColumns).where('id', 'in', ids).execute()
  return openOutlines(db, scope, rows, onDamage)
}

/** Without damaged notes. */
export const openOutlines = (
  db: Reader,
  scope: VaultScope,
  rows: readonly OutlineRow[],
  onDamage?: OnDamage,
): Promise<NoteOutline[]> => openIntact(db, rows, (row) => openOutline(scope, row), onDamage)

/** The id of the note that was created with this idempotency key. */
export async function findByExternalWriteId(
  db: Reader,
  scope: VaultScope,
  externalWriteId: string,
): Promise<string | undefined> {
  const row = await notesIn(db, scope)
    .select('id')
    .where('externalTag', '=', externalTag(scope, externalWriteId))
    .executeTakeFirst()
  return row?.id
}

/** The ids of the notes that were created with these idempotency keys, by key. For a few hundred keys at most. */
export async function findWrittenNotes(
  db: Reader,
  scope: VaultScope,
  externalWriteIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalWriteIds.length === 0) return new Map()
  const keys = new Map(externalWriteIds.map((key) => [externalTag(scope, key).toString('hex'), key]))
  const rows = await notesIn(db, scope)
    .select(['id', 'externalTag'])
    .where(
      'externalTag',
      'in',
      [...keys.keys()].map((tag) => Buffer.from(tag, 'hex')),
    )
    .execute()
  return new Map(
    rows.flatMap(({ id, externalTag: tag }) => {
      const key = keys.get(Buffer.from(tag ?? []).toString('hex'))
      return key === undefined ? [] : [[key, id] as const]
    }),
  )
}

/** The tag for looking up a title; equal for titles that differ only in letter case and white space. */
const titleTag = (scope: VaultScope, title: string): Buffer => keyTag(scope, titleKey(title))

/** The same for a title that `titleKey` has normalized. */
export const keyTag = ({ keys }: VaultScope, key: string): Buffer => exactTag(tagKeys(keys).exact, 'note title', key)

/** Opens nothing. False if there is no such note. */
export async function isTrashed(db: Reader, scope: VaultScope, id: string): Promise<boolean> {
  const row = await notesIn(db, scope).select('trashedAt').where('id', '=', id).executeTakeFirst()
  return typeof row?.trashedAt === 'number'
}

export const notesIn = (db: Reader, scope: VaultScope) =>
  db.selectFrom('notes').where('userId', '=', scope.userId).where('vaultId', '=', scope.id)

const changeableColumns = (note: Note) => ({
  folderId: note.folderId ?? null,
  trashedAt: note.trashedAt ?? null,
  contentRevision: note.contentRevision,
  version: note.version,
  updatedAt: note.updatedAt,
  removedById: note.trashedAt === undefined ? null : (note.removedById ?? null),
})

const textColumns = (scope: VaultScope, note: Note) => {
  const row = { id: note.noteId, contentRevision: note.contentRevision }
  return {
    titleTag: titleTag(scope, note.head.title),
    wordCount: note.wordCount,
    head: sealJson(scope.keys, 'content', cellAddress(scope, row, 'head'), note.head),
    body: sealText(scope.keys, 'content', cellAddress(scope, row, 'body'), note.content),
  }
}

export const outlineColumns = [
  'id',
  'vaultId',
  'folderId',
  'wordCount',
  'trashedAt',
  'contentRevision',
  'version',
  'createdAt',
  'updatedAt',
  'removedById',
  'head',
] as const

type OutlineRow = Pick<NotesTable, (typeof outlineColumns)[number]>

const openOutline = (scope: VaultScope, row: OutlineRow): NoteOutline => ({
  noteId: row.id,
  vaultId: row.vaultId,
  folderId: row.folderId ?? undefined,
  wordCount: row.wordCount,
  trashedAt: row.trashedAt ?? undefined,
  contentRevision: row.contentRevision,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...(row.removedById !== null && { removedById: row.removedById }),
  head: {
    ...unrecordedShapers,
    ...(openJson(scope.keys, 'content', cellAddress(scope, row, 'head'), asSealed(row.head)) as NoteHead),
  },
})

/** Of notes of an earlier release, which recorded no changes: any agent may have shaped them. */
export const unrecordedShapers = { route: 'create-note', trust: 'agent_authored' } as const

const cellAddress = (
  { id, userId }: VaultScope,
  note: { id: string; contentRevision: number },
  column: 'head' | 'body',
): CellAddress => ({
  userId,
  scopeId: id,
  table: 'notes',
  rowId: note.id,
  column,
  revision: note.contentRevision,
})

export const externalTag = ({ keys }: VaultScope, externalWriteId: string): Buffer =>
  exactTag(tagKeys(keys).exact, 'note externalWriteId', externalWriteId)
