import type { VaultScope } from '../crypto/keys.ts'
import { setImmediate } from 'node:timers/promises'
import type { Reader } from '../db/dialect.ts'
import type { NoteOutline } from './note.ts'
import { notesIn, openOutline, outlineColumns } from './store.ts'
import { noteTags } from './tag-store.ts'

/** Notes by where they lie and how they are tagged. */
export interface NoteFilter {
  /** In any of these folders; `root`: in none. Left out: anywhere. */
  folderIds?: readonly string[] | 'root' | undefined
  /** With all of these tags. */
  tags?: readonly string[] | undefined
  /** Left out: live ones. */
  state?: NoteState | undefined
  /** What a page begins with. Left out: the newest. */
  sort?: NoteSort | undefined
}

export const noteStates = ['live', 'trashed', 'all'] as const
export type NoteState = (typeof noteStates)[number]

export const noteSorts = ['newest', 'updated'] as const
export type NoteSort = (typeof noteSorts)[number]

/** The page of the notes that pass, in their order, without their contents, and how many pass in all. */
export async function listOutlines(
  db: Reader,
  scope: VaultScope,
  filter: NoteFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ notes: NoteOutline[]; total: number }> {
  const passing = notesThatPass(db, scope, filter)
  const ordered = filter.sort === 'updated' ? passing.orderBy('updatedAt', 'desc') : passing
  const rows = await ordered.select(outlineColumns).orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const counted = await passing.select((note) => note.fn.countAll<number>().as('total')).executeTakeFirst()
  return { notes: rows.map((row) => openOutline(scope, row)), total: counted?.total ?? 0 }
}

/** The ids of all notes with these tags; for searches, which rank these alone. */
export async function listNoteIds(db: Reader, scope: VaultScope, filter: NoteFilter): Promise<Set<string>> {
  const rows = await notesThatPass(db, scope, filter).select('id').execute()
  return new Set(rows.map(({ id }) => id))
}

/** A page of 5,000 takes some 5 ms, between which other requests get their turn. */
const idsAtOnce = 5_000

/** The same for notes in these folders, of which there may be 100,000 in one. */
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
    // `is true` keeps PostgreSQL from joining: where it has not counted the rows yet, it compares each note with each tag
    // (2.9 s for 5,000 notes). So it gathers the tag's notes once, as SQLite does.
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
