import type { VaultScope } from '../crypto/keys.ts'
import { asSealed, openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { NoteVersionsTable } from '../db/tables/notes.ts'
import { isoTime } from '../core/time.ts'
import type { Note } from './note.ts'

export const keptVersions = 50

export interface NoteVersion {
  version: number
  title: string
  content: string
  tags: string[]
  /** When this version was written. */
  updatedAt: string
}

/** Stores the note as a version, and deletes all but the last 50. */
export async function keepVersion(tx: Tx, scope: VaultScope, note: Note): Promise<void> {
  const { noteId, version, content, head, updatedAt } = note
  const state = { title: head.title, content, tags: head.tags, updatedAt: isoTime(updatedAt) }
  await tx
    .insertInto('noteVersions')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      noteId,
      version,
      state: sealJson(scope.keys, 'content', cellAddress(scope, noteId, version), state),
    })
    .execute()
  const newest = await versionsOf(tx, scope, noteId).select('version').limit(1).offset(keptVersions).executeTakeFirst()
  if (newest === undefined) return
  await tx
    .deleteFrom('noteVersions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('noteId', '=', noteId)
    .where('version', '<=', newest.version)
    .execute()
}

/** Versions of a note, newest first: a page, or all that are kept. */
export async function listVersions(
  db: Reader,
  scope: VaultScope,
  noteId: string,
  { limit, offset }: { limit: number; offset: number } = { limit: keptVersions, offset: 0 },
): Promise<NoteVersion[]> {
  const rows = await versionsOf(db, scope, noteId).select(['version', 'state']).limit(limit).offset(offset).execute()
  return rows.map((row) => openVersion(scope, noteId, row))
}

export async function findVersion(
  db: Reader,
  scope: VaultScope,
  noteId: string,
  version: number,
): Promise<NoteVersion | undefined> {
  const row = await versionsOf(db, scope, noteId)
    .select(['version', 'state'])
    .where('version', '=', version)
    .executeTakeFirst()
  return row && openVersion(scope, noteId, row)
}

export async function countVersions(db: Reader, scope: VaultScope, noteId: string): Promise<number> {
  const { count } = await notesVersions(db, scope, noteId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const openVersion = (
  scope: VaultScope,
  noteId: string,
  { version, state }: Pick<NoteVersionsTable, 'version' | 'state'>,
): NoteVersion => ({
  version,
  ...(openJson(scope.keys, 'content', cellAddress(scope, noteId, version), asSealed(state)) as Omit<
    NoteVersion,
    'version'
  >),
})

const notesVersions = (db: Reader, scope: VaultScope, noteId: string) =>
  db
    .selectFrom('noteVersions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('noteId', '=', noteId)

const versionsOf = (db: Reader, scope: VaultScope, noteId: string) =>
  notesVersions(db, scope, noteId).orderBy('version', 'desc')

const cellAddress = ({ id, userId }: VaultScope, noteId: string, version: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'noteVersions',
  rowId: noteId,
  column: 'state',
  revision: version,
})
