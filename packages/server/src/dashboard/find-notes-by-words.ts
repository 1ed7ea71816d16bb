import { wordTags } from '../crypto/blind.ts'
import { tagKeys } from '../crypto/keys.ts'
import { listNoteIds, type NoteFilter } from '../notes/list-store.ts'
import type { NotePage } from '../notes/note-page.ts'
import { describeOutline } from '../notes/note.ts'
import { rankTitles } from '../notes/rank-titles.ts'
import { placesOf } from '../notes/read-note.ts'
import { findOutlines } from '../notes/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { pageOf } from '../operation/page.ts'
import { titleKey } from '@holdfast/transfer/text/wiki-links'
import { fields, searchFields } from '../vault-index/field-search.ts'
import { keyQuery } from '../vault-index/query.ts'
import { filterTest } from '../vault-index/live.ts'

/** Of each kind: titles that go on as what is typed, and notes that hold its words. */
const maxFound = 100

/** A page of the live notes that what is typed may mean, the best first. */
export async function findNotesByWords(
  ctx: VaultContext,
  typed: string,
  { folderIds, tags = [] }: NoteFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<NotePage> {
  const { db, vault, noteTitles } = ctx
  const isNarrowed = folderIds !== undefined || tags.length > 0
  const passing = isNarrowed ? await listNoteIds(db.read, vault, { folderIds, tags }) : undefined
  const titles = [...(await noteTitles.read(vault))].filter(({ noteId }) => passing?.has(noteId) ?? true)
  const named = rankTitles(titles, titleKey(typed), maxFound).ids
  const ids = [...new Set([...named, ...(await findByContent(ctx, typed, passing))])]
  const notes = await findOutlines(db.read, vault, ids.slice(offset, offset + limit))
  const byId = new Map(notes.map((note) => [note.noteId, note]))
  const places = await placesOf(db.read, vault, notes)
  return {
    notes: ids.flatMap((id) => byId.get(id) ?? []).map((note) => describeOutline(note, places)),
    ...pageOf({ limit, offset }, ids.length),
  }
}

async function findByContent(
  { vault, indexes, now }: VaultContext,
  typed: string,
  itemIds: ReadonlySet<string> | undefined,
): Promise<string[]> {
  const asOf = now()
  const keyed = keyQuery(typed, asOf, (words) => wordTags(tagKeys(vault.keys).words, words))
  const filter = { kinds: ['note'], includeArchived: false, asOf, isRetrospective: false, ...(itemIds && { itemIds }) }
  const { hits } = await indexes.read(vault, (index) =>
    searchFields(index, keyed, filterTest(index, filter), { within: fields, limit: maxFound, offset: 0 }),
  )
  return hits.map(({ itemId }) => itemId)
}
