import type { VaultScope } from '../crypto/keys.ts'
import { asSealed, openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { NoteVersionsTable } from '../db/tables/notes.ts'
import { isoTime } from '../core/time.ts'
import {
  keptVersionColumns,
  lastWriter,
  versionColumns,
  versionsToDrop,
  type Trust,
  type Writer,
} from '../operation/writer.ts'
import type { Note } from './note.ts'
import { unrecordedShapers } from './store.ts'

export interface NoteVersion {
  version: number
  title: string
  content: string
  tags: string[]
  /** When this version was written. */
  updatedAt: string
  /** Who wrote it. */
  writer: Writer
  trust: Trust
}

/** Keeps the text of a note before it is replaced, and drops its oldest versions. `by`: who replaces it. */
export function keepVersion(tx: Tx, scope: VaultScope, note: Note, by?: Writer): Promise<void> {
  const { noteId, version, content, head, updatedAt, createdAt } = note
  const { title, tags, trust } = head
  const writer = lastWriter(head, createdAt)
  return insertVersion(tx, scope, noteId, {
    version,
    title,
    content,
    tags,
    updatedAt: isoTime(updatedAt),
    writer,
    trust,
    by,
  })
}

export async function insertVersion(
  tx: Tx,
  scope: VaultScope,
  noteId: string,
  { version, by, ...state }: NoteVersion & { by?: Writer | undefined },
): Promise<void> {
  await tx
    .insertInto('noteVersions')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      noteId,
      version,
      state: sealJson(scope.keys, 'content', cellAddress(scope, noteId, version), state),
      ...versionColumns(scope, { ...state, by }),
    })
    .execute()
  const surplus = versionsToDrop(await listVersionWriters(tx, scope, noteId))
  if (surplus.length === 0) return
  await tx
    .deleteFrom('noteVersions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('noteId', '=', noteId)
    .where('version', 'in', surplus)
    .execute()
}

/** All kept versions, newest first. */
export const listVersionWriters = (db: Reader, scope: VaultScope, noteId: string) =>
  versionsOf(db, scope, noteId).select(keptVersionColumns).execute()

/** The notes' texts that a run replaced, as far as they are kept. */
export const listReplacedInRun = (
  db: Reader,
  scope: VaultScope,
  tag: Uint8Array,
): Promise<{ id: string; version: number }[]> =>
  versionsIn(db, scope).select(['noteId as id', 'version']).where('replacedInRun', '=', tag).execute()

/** Versions of a note, newest first: a page, or all that are kept. */
export async function listVersions(
  db: Reader,
  scope: VaultScope,
  noteId: string,
  page?: { limit: number; offset: number },
): Promise<NoteVersion[]> {
  const all = versionsOf(db, scope, noteId).select(['version', 'state'])
  const rows = await (page === undefined ? all : all.limit(page.limit).offset(page.offset)).execute()
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

type SealedState = Omit<NoteVersion, 'version'>

export function openVersion(
  scope: VaultScope,
  noteId: string,
  { version, state }: Pick<NoteVersionsTable, 'version' | 'state'>,
): NoteVersion {
  const opened = openJson(scope.keys, 'content', cellAddress(scope, noteId, version), asSealed(state)) as SealedState
  return { ...unrecordedWriter(opened), ...opened, version }
}

/** Of versions of an earlier release, which didn't record who wrote them. */
const unrecordedWriter = ({ updatedAt }: Pick<NoteVersion, 'updatedAt'>): Pick<NoteVersion, 'writer' | 'trust'> => ({
  writer: { route: unrecordedShapers.route, at: Date.parse(updatedAt) },
  trust: unrecordedShapers.trust,
})

const versionsIn = (db: Reader, scope: VaultScope) =>
  db.selectFrom('noteVersions').where('userId', '=', scope.userId).where('vaultId', '=', scope.id)

const notesVersions = (db: Reader, scope: VaultScope, noteId: string) =>
  versionsIn(db, scope).where('noteId', '=', noteId)

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
