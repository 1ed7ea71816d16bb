import { z } from 'zod'
import { resolveLinks } from '../notes/link-notes.ts'
import { noteSorts, noteStates } from '../notes/list-store.ts'
import { exampleNotePage, findNotePage, foldersOf, notePage } from '../notes/note-page.ts'
import { describeNote, exampleNote, noteId, noteRecord, resolvedLinks } from '../notes/note.ts'
import { placesOf } from '../notes/read-note.ts'
import { getNote } from '../notes/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { findNotesByWords } from './find-notes-by-words.ts'

const tag = z.string().min(1).max(100)

export const browseNotes = operation({
  name: 'browse-notes',
  for: { person: 'GET /api/notes' },
  vault: 'required',
  summary: 'Notes of a vault or folder, the newest first, each with how it begins; or the one with an id, whole.',
  effect: 'read',
  outdatedBy: ['notes', 'links'],
  about: ({ id }) => refs('note', id),
  input: z.object({
    ...fields.ownVault,
    id: noteId
      .optional()
      .describe(
        'Only this one, as `note`, trashed or not, with what its text links to; `links.in` counts what leads to it.',
      ),
    q: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Only live notes that this may mean: those whose titles go on so, then those that hold its words. At most 100 of each.',
      ),
    folderId: z.uuid().optional().describe('Only notes in this folder. Default: the whole vault.'),
    recursive: z
      .boolean()
      .default(true)
      .describe("Notes in the folder's folders too. false without a folder: only notes at the vault's root."),
    tag: z.array(tag).max(50).optional().describe('Only notes with this tag; repeated: with all of these.'),
    state: z.enum(noteStates).default('live').describe('`live`: those that are not in the trash. With `q`: always.'),
    sort: z.enum(noteSorts).default('newest').describe('What comes first: `updated` last changed. With `q`: the best.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([notePage, z.looseObject({ note: noteRecord, ...resolvedLinks })]),
  examples: { input: { vaultId: exampleNote.vaultId, tag: ['operations'] }, output: exampleNotePage },
  async run({ id, q, folderId, recursive, tag: tags, state, sort, limit, offset }, ctx) {
    if (id !== undefined) return readOne(ctx, id)
    const { db, vault } = ctx
    const place = { folderId, folderPath: undefined }
    const folderIds = await foldersOf(db.read, vault, place, recursive)
    const filter = { folderIds, tags: fields.nonEmpty(tags), state, sort }
    return q === undefined
      ? findNotePage(db.read, vault, filter, { limit, offset })
      : findNotesByWords(ctx, q, filter, { limit, offset })
  },
})

async function readOne({ db, vault, noteTitles }: VaultContext, id: string) {
  const note = await getNote(db.read, vault, id)
  noteTitles.prepare(vault)
  return {
    note: describeNote(note, await placesOf(db.read, vault, [note])),
    ...(await resolveLinks(db.read, vault, note)),
  }
}
