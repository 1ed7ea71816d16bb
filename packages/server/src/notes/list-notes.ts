import { z } from 'zod'
import { titleKey } from '@holdfast/transfer/text/wiki-links'
import { collectDamage, type OnDamage } from '../crypto/cell.ts'
import { wordTags } from '../crypto/hash.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { fields as indexedFields, searchFields } from '../vault-index/field-search.ts'
import { keyQuery } from '../vault-index/query.ts'
import { filterTest } from '../vault-index/live.ts'
import { listDescendantIds } from './folder-store.ts'
import { findFolderAt, getFolder, refuseTwoPlaces } from './folder.ts'
import { listNoteIds, listOutlines, noteSorts, noteStates, type NoteFilter } from './list-store.ts'
import { rankTitles } from './note-titles.ts'
import { describeOutline, exampleOutline, noteFields, noteOutlineRecord, type NoteOutline } from './note.ts'
import { placesOf } from './read-note.ts'
import { findIntactOutlines } from './store.ts'

/** Limit of matching titles, and of notes with matching words. */
const maxFound = 100

export const listNotes = operation({
  name: 'list-notes',
  for: { agent: { toolset: 'notes', scopes: ['read'] }, person: 'GET /api/notes' },
  vault: 'resolved',
  summary: 'List the notes of a vault or folder, newest first, each with the beginning of its text.',
  effect: 'read',
  outdatedBy: ['notes', 'links'],
  input: z.object({
    q: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        `Only live notes whose titles contain this, then notes that contain its words; at most ${maxFound} of each.`,
      ),
    folderId: z.uuid().optional().describe('Only notes in this folder. Default: the whole vault.'),
    folderPath: noteFields.folderPath.optional().describe('The same folder as a path, such as `Projects/Holdfast`.'),
    recursive: z
      .boolean()
      .default(true)
      .describe("Include notes in the folders inside it. false without a folder: only notes at the vault's root."),
    tags: noteFields.tags.optional().describe('Only notes with all of these tags.'),
    includeTrashed: z.boolean().default(false).describe('Include trashed notes, marked as such.'),
    state: z
      .enum(noteStates)
      .optional()
      .describe('Default: `live`, or `all` with includeTrashed. With q only live notes are found.'),
    sort: z
      .enum(noteSorts)
      .default('newest')
      .describe('`updated`: the most recently changed first. With q the best match is always first.'),
    limit: fields.limit,
    offset: fields.offset,
    ...fields.inVault,
  }),
  output: z.looseObject({ notes: z.array(noteOutlineRecord), ...leftOut, ...page }),
  returns: ({ notes }) => notes.flatMap(({ noteId: id }) => refs('note', id)),
  examples: {
    input: { tags: ['operations'] },
    output: { notes: [exampleOutline], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ q, folderId, folderPath, recursive, tags, includeTrashed, sort, limit, offset, ...asked }, ctx) {
    const { db, vault } = ctx
    const folderIds = await foldersOf(db.read, vault, { folderId, folderPath }, recursive)
    const { state = includeTrashed ? 'all' : 'live' } = asked
    const filter = { folderIds, tags: fields.nonEmpty(tags), state, sort }
    const damage = collectDamage(ctx.instance.onDamage)
    const asking = { limit, offset, onDamage: damage.onDamage }
    const { notes, total } = await (q === undefined
      ? listOutlines(db.read, vault, filter, asking)
      : findByWords(ctx, q, filter, asking))
    const places = await placesOf(db.read, vault, notes)
    const outlines = notes.map((note) => describeOutline(note, places))
    await addKeyLabels(ctx, outlines)
    return { notes: outlines, ...describeLeftOut(damage.ids), ...pageOf({ limit, offset }, total) }
  },
})

/** The folders that a filter selects; 404 if the folder does not exist. */
export async function foldersOf(
  db: Reader,
  scope: VaultScope,
  place: { folderId: string | undefined; folderPath: string | undefined },
  recursive: boolean,
): Promise<NoteFilter['folderIds']> {
  refuseTwoPlaces(place)
  const folderId = place.folderId ?? (await findFolderAt(db, scope, place.folderPath ?? ''))
  if (folderId === undefined) return recursive ? undefined : 'root'
  await getFolder(db, scope, folderId)
  return recursive ? listDescendantIds(db, scope, folderId) : [folderId]
}

/** A page of the live notes that match what a person or agent typed, the best first. */
async function findByWords(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'noteTitles' | 'now'>,
  typed: string,
  { folderIds, tags = [] }: NoteFilter,
  { limit, offset, onDamage }: { limit: number; offset: number; onDamage: OnDamage },
): Promise<{ notes: NoteOutline[]; total: number }> {
  const { db, vault, noteTitles } = ctx
  const isNarrowed = folderIds !== undefined || tags.length > 0
  const passing = isNarrowed ? await listNoteIds(db.read, vault, { folderIds, tags }) : undefined
  const titles = [...(await noteTitles.read(vault))].filter(({ noteId }) => passing?.has(noteId) ?? true)
  const named = rankTitles(titles, titleKey(typed), maxFound).ids
  const ids = [...new Set([...named, ...(await findByContent(ctx, typed, passing))])]
  const found = await findIntactOutlines(db.read, vault, ids.slice(offset, offset + limit), onDamage)
  const byId = new Map(found.map((note) => [note.noteId, note]))
  return { notes: ids.flatMap((id) => byId.get(id) ?? []), total: ids.length }
}

async function findByContent(
  { vault, indexes, now }: Pick<VaultContext, 'vault' | 'indexes' | 'now'>,
  typed: string,
  itemIds: ReadonlySet<string> | undefined,
): Promise<string[]> {
  const asOf = now()
  const keyed = keyQuery(typed, asOf, (words) => wordTags(tagKeys(vault.keys).words, words))
  const filter = { kinds: ['note'], includeArchived: false, asOf, isRetrospective: false, ...(itemIds && { itemIds }) }
  const { hits } = await indexes.read(vault, (index) =>
    searchFields(index, keyed, filterTest(index, filter), { within: indexedFields, limit: maxFound, offset: 0 }),
  )
  return hits.map(({ itemId }) => itemId)
}
