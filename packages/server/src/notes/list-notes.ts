import type { VaultScope } from '../crypto/keys.ts'
import { z } from 'zod'
import type { Reader } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { listDescendantIds } from './folder-store.ts'
import { findFolderAt, getFolder, refuseTwoPlaces } from './folder.ts'
import { listOutlines, type NoteFilter } from './list-store.ts'
import { describeOutline, exampleOutline, noteFields, noteOutlineRecord } from './note.ts'
import { placesOf } from './read-note.ts'

export const listNotes = operation({
  name: 'list-notes',
  scopes: ['read'],
  vault: 'resolved',
  summary: 'List the notes of a vault or folder, newest first, each with how it begins.',
  effect: 'read',
  input: z.object({
    folderId: z.uuid().optional().describe('Only notes in this folder. Default: the whole vault.'),
    folderPath: noteFields.folderPath.optional().describe('The same by names, as in `Projects/Holdfast`.'),
    recursive: z
      .boolean()
      .default(true)
      .describe("Notes in the folder's folders too. false without a folder: only notes at the vault's root."),
    tags: noteFields.tags.optional().describe('Only notes with all of these tags.'),
    includeTrashed: z.boolean().default(false).describe('Trashed notes too, marked.'),
    limit: fields.limit,
    offset: fields.offset,
    ...fields.inVault,
  }),
  output: z.looseObject({ notes: z.array(noteOutlineRecord), ...page }),
  examples: {
    input: { tags: ['operations'] },
    output: { notes: [exampleOutline], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ folderId, folderPath, recursive, tags, includeTrashed, limit, offset }, { db, vault }) {
    const folderIds = await foldersOf(db.read, vault, { folderId, folderPath }, recursive)
    const { notes, total } = await listOutlines(db.read, vault, { folderIds, tags, includeTrashed }, { limit, offset })
    const places = await placesOf(db.read, vault, notes)
    return { notes: notes.map((note) => describeOutline(note, places)), ...pageOf({ limit, offset }, total) }
  },
})

/** What a folder stands for in a filter; 404 where it is not there. */
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
