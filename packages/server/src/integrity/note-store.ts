import { openIntact } from '../auth/scope-key-store.ts'
import { CellError } from '../crypto/cell.ts'
import { pauses } from '../core/in-pieces.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { FoldersTable, NotesTable } from '../db/tables/notes.ts'
import { nameTag, openName } from '../notes/folder-store.ts'
import { compareLinksFrom, refreshLinksFrom } from '../notes/link-notes.ts'
import type { Note } from '../notes/note.ts'
import { factsOf, prepareNoteEntry, targetsOf } from '../notes/save-note.ts'
import { externalTag, keyTag, noteTags, openNote, setNoteTags } from '../notes/store.ts'
import { setWikiTargets } from '../notes/wiki-store.ts'
import { countWords } from '../text/tokenize.ts'
import { titleKey } from '@holdfast/transfer/text/wiki-links'
import { compareColumns } from './columns-store.ts'
import { compareEntry, findEntries } from './entry-store.ts'
import type { Comparing } from './memory-store.ts'
import type { Found } from './problem.ts'

/** What the plain rows of notes and folders must be, by their encrypted parts. */

/** Compares notes with their columns, tags, titles that they link to, links and index entries. Those that don't open are left out. */
export async function compareNotes(
  db: Reader,
  ctx: Comparing,
  scope: VaultScope,
  rows: readonly NotesTable[],
): Promise<Found[]> {
  const entries = await findEntries(
    db,
    scope,
    rows.map(({ id }) => id),
  )
  const found: Found[] = []
  const pause = pauses()
  for (const row of rows) {
    await pause()
    const [note] = await openIntact(db, [row], (one) => openNote(scope, one))
    if (note === undefined) continue
    found.push(
      ...(await compareNoteColumns(db, scope, row, note)),
      ...(await compareTags(db, scope, note)),
      ...(await compareTargets(db, scope, note)),
      ...(await compareLinks(db, scope, note)),
      ...(await compareEntry(db, scope, entries.get(row.id), {
        itemId: row.id,
        facts: factsOf(note),
        prepare: () => prepareNoteEntry({ vault: scope, log: ctx.log, embeddings: ctx.embeddings && 'later' }, note),
      })),
    )
  }
  return found
}

async function compareNoteColumns(db: Reader, scope: VaultScope, row: NotesTable, note: Note): Promise<Found[]> {
  const { title, externalWriteId } = note.head
  const expected = {
    titleTag: keyTag(scope, titleKey(title)),
    externalTag: externalWriteId === undefined ? null : externalTag(scope, externalWriteId),
    wordCount: countWords(note.content),
  }
  const place = { table: 'notes', key: { id: row.id }, recordId: row.id } as const
  const isLost = row.folderId !== null && !(await hasFolder(db, scope, row.folderId))
  return [
    ...(await compareColumns(db, scope, place, [row, expected])),
    ...(isLost
      ? await compareColumns(
          db,
          scope,
          { ...place, detail: 'its folder is lost; a repair moves the note to the root of its vault' },
          [row, { folderId: null }],
        )
      : []),
  ]
}

async function hasFolder(db: Reader, scope: VaultScope, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('folders')
    .select('id')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

async function compareTags(db: Reader, scope: VaultScope, { noteId, head }: Note): Promise<Found[]> {
  const stored = await db
    .selectFrom('noteTags')
    .select('tag')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('noteId', '=', noteId)
    .execute()
  const isSame = areSame(
    stored.map(({ tag }) => tag),
    noteTags(scope, head.tags),
  )
  if (isSame) return []
  const repair: Found['repair'] = (tx) => setNoteTags(tx, scope, { noteId, tags: head.tags })
  return [{ table: 'noteTags', recordId: noteId, problem: 'different', repair }]
}

async function compareTargets(db: Reader, scope: VaultScope, note: Note): Promise<Found[]> {
  const { noteId } = note
  const keys = targetsOf(note)
  const stored = await db
    .selectFrom('wikiTargets')
    .select('titleTag')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('noteId', '=', noteId)
    .execute()
  const isSame = areSame(
    stored.map(({ titleTag }) => titleTag),
    keys.map((key) => keyTag(scope, key)),
  )
  if (isSame) return []
  const repair: Found['repair'] = (tx) => setWikiTargets(tx, scope, { noteId, keys })
  return [{ table: 'wikiTargets', recordId: noteId, problem: 'different', repair }]
}

function areSame(stored: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  const [left, right] = [stored, expected].map((tags) => tags.map((tag) => Buffer.from(tag).toString('hex')).toSorted())
  return left?.join(' ') === right?.join(' ')
}

/** The links that the text of the note makes. */
async function compareLinks(db: Reader, scope: VaultScope, note: Note): Promise<Found[]> {
  const { noteId } = note
  try {
    const { missing, surplus } = await compareLinksFrom(db, scope, note)
    if (missing.length + surplus.length === 0) return []
    const problem = missing.length > 0 ? 'missing' : 'surplus'
    const repair: Found['repair'] = async (tx, seq) => {
      await refreshLinksFrom(tx, scope, { seq, at: note.updatedAt }, note)
    }
    return [{ table: 'links', recordId: noteId, problem, repair }]
  } catch (error) {
    // A label of one of its links is damaged, which is found with the links.
    if (!(error instanceof CellError)) throw error
    return []
  }
}

/** Compares folders with the keyed tags of their places and names. Where both differ, a place that gives the tag was the right one. */
export async function compareFolders(db: Reader, scope: VaultScope, rows: readonly FoldersTable[]): Promise<Found[]> {
  const all = rows.length === 0 ? [] : await listFolderIds(db, scope)
  const found: Found[] = []
  for (const row of rows) {
    const place = { table: 'folders', key: { id: row.id }, recordId: row.id } as const
    const [name] = await openIntact(db, [row], (one) => openName(scope, one))
    const gives = (parentId: string | undefined) =>
      name !== undefined && nameTag(scope, parentId, name).equals(row.nameTag)
    const isKnown = row.parentId === null || all.includes(row.parentId)
    if (isKnown && (name === undefined || gives(row.parentId ?? undefined))) continue
    const right = [undefined, ...all].find(gives)
    const parentId = name !== undefined && gives(right) ? (right ?? null) : isKnown ? row.parentId : null
    const detail = 'the folder that it was in is lost; a repair moves it to the root of its vault'
    const tag = name === undefined ? row.nameTag : nameTag(scope, parentId ?? undefined, name)
    found.push(
      ...(await compareColumns(db, scope, { ...place, ...(!isKnown && parentId === null && { detail }) }, [
        row,
        { parentId },
      ])),
      ...(await compareColumns(db, scope, place, [row, { nameTag: tag }])),
    )
  }
  return found
}

async function listFolderIds(db: Reader, scope: VaultScope): Promise<string[]> {
  const rows = await db
    .selectFrom('folders')
    .select('id')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .execute()
  return rows.map(({ id }) => id)
}
