import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { pagesSince } from '../vault-index/stored/store.ts'
import type { NoteOutline } from './note.ts'
import { notesIn, openOutline, outlineColumns } from './store.ts'

/** Some 5 ms of opening, between which other requests get their turn. */
const notesAtOnce = 500

/** All live notes of a vault without their contents, a page at a time. */
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
    yield rows.map((row) => openOutline(scope, row))
    const last = rows.at(-1)
    if (last === undefined || rows.length < notesAtOnce) return
    after = last.id
  }
}

/** Ids of the notes that changed after `seq`, a page at a time. */
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
