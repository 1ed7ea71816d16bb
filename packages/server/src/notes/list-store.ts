import { setImmediate } from 'node:timers/promises'
import type { VaultScope } from '../crypto/keys.ts'
import type { OnDamage } from '../crypto/cell.ts'
import type { Reader } from '../db/dialect.ts'
import { pagesSince } from '../vault-index/stored/store.ts'
import type { NoteOutline } from './note.ts'
import { notesIn, noteTags, openOutlines, outlineColumns } from './store.ts'

/** Selects notes by folder, tags and state. */
export interface NoteFilter {
  /** In any of these folders; `root`: in no folder. Default: anywhere. */
  folderIds?: readonly string[] | 'root' | undefined
  /** With all of these tags. */
  tags?: readonly string[] | undefined
  /** Default: live. */
  state?: NoteState | undefined
  /** Default: the newest first. */
  sort?: NoteSort | undefined
}

export const noteStates = ['live', 'trashed', 'all'] as const
type NoteState = (typeof noteStates)[number]

export const noteSorts = ['newest', 'updated'] as const
type NoteSort = (typeof noteSorts)[number]

/** A page of the selected notes without their contents and without damaged ones, and the number of all selected notes. */
export async function listOutlines(
  db: Reader,
  scope: VaultScope,
  filter: NoteFilter,
  { limit, offset, onDamage }: { limit: number; offset: number; onDamage?: OnDamage },
): Promise<{ notes: NoteOutline[]; total: number }> {
  const passing = notesThatPass(db, scope, filter)
  const ordered = filter.sort === 'updated' ? passing.orderBy('updatedAt', 'desc') : passing
  const rows = await ordered.select(outlineColumns).orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const counted = await passing.select((note) => note.fn.countAll<number>().as('total')).executeTakeFirst()
  return { notes: await openOutlines(db, scope, rows, onDamage), total: counted?.total ?? 0 }
}

/** What differs after any change of these notes. Opens nothing. */
export const listNoteStates = (
  db: Reader,
  { id: vaultId, userId }: Omit<VaultScope, 'keys'>,
  ids: readonly string[],
): Promise<{ id: string; version: number; trashedAt: number | null; updatedAt: number }[]> =>
  db
    .selectFrom('notes')
    .select(['id', 'version', 'trashedAt', 'updatedAt'])
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('id', 'in', ids)
    .execute()

/** The ids of all selected notes, for searches that rank only these. */
export async function listNoteIds(db: Reader, scope: VaultScope, filter: NoteFilter): Promise<Set<string>> {
  const rows = await notesThatPass(db, scope, filter).select('id').execute()
  return new Set(rows.map(({ id }) => id))
}

/** A page of 5,000 takes about 5 ms; between pages, other requests get their turn. */
const idsAtOnce = 5_000

/** The same for notes in these folders, a page at a time, because one folder may contain 100,000. */
export async function listNoteIdsIn(
  db: Reader,
  scope: VaultScope,
  folderIds: NoteFilter['folderIds'],
): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let after = ''; ;) {
    const page = notesThatPass(db, scope, { folderIds }).select('id').where('id', '>', after)
    const rows = await page.orderBy('id').limit(idsAtOnce).execute()
    for (const { id } of rows) ids.add(id)
    const last = rows.at(-1)
    if (last === undefined || rows.length < idsAtOnce) return ids
    after = last.id
    await setImmediate()
  }
}

function notesThatPass(db: Reader, scope: VaultScope, { folderIds, tags = [], state = 'live' }: NoteFilter) {
  let passing = notesIn(db, scope)
  if (state !== 'all') passing = passing.where('trashedAt', state === 'live' ? 'is' : 'is not', null)
  if (folderIds === 'root') passing = passing.where('folderId', 'is', null)
  else if (folderIds !== undefined) passing = passing.where('folderId', 'in', folderIds)
  for (const tag of noteTags(scope, tags))
    // `is true` prevents a join in PostgreSQL, which compares each note with each tag if the tables have no statistics yet
    // (2.9 s for 5,000 notes). With it, PostgreSQL collects the tag's notes once, as SQLite does.
    passing = passing.where((note) =>
      note(
        note(
          'id',
          'in',
          note
            .selectFrom('noteTags')
            .select('noteId')
            .where('userId', '=', scope.userId)
            .where('vaultId', '=', scope.id)
            .where('tag', '=', tag),
        ),
        'is',
        true,
      ),
    )
  return passing
}

/** Opening 500 takes about 5 ms; between pages, other requests get their turn. */
const notesAtOnce = 500

/** All live notes of a vault without their contents and without damaged ones, a page at a time. */
export async function* liveOutlines(db: Reader, scope: VaultScope): AsyncGenerator<NoteOutline[]> {
  let after = ''
  while (true) {
    const rows = await notesIn(db, scope)
      .select(outlineColumns)
      .where('trashedAt', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(notesAtOnce)
      .execute()
    yield await openOutlines(db, scope, rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < notesAtOnce) return
    after = last.id
  }
}

/** The ids of the notes that changed after `seq`, a page at a time. */
export async function* changedNoteIds(
  db: Reader,
  { id, userId }: { id: string; userId: string },
  seq: number,
): AsyncGenerator<string[]> {
  const query = db
    .selectFrom('indexEntries')
    .select(['itemId', 'seq', 'kind'])
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
  for await (const rows of pagesSince(query, 'itemId', seq))
    yield rows.filter(({ kind }) => kind === 'note').map(({ itemId }) => itemId)
}
