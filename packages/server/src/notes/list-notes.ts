import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleNotePage, findNotePage, foldersOf, notePage } from './note-page.ts'
import { noteFields } from './note.ts'

export const listNotes = operation({
  name: 'list-notes',
  for: { agent: { scopes: ['read'] } },
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
  output: notePage,
  returns: ({ notes }) => notes.flatMap(({ noteId: id }) => refs('note', id)),
  examples: {
    input: { tags: ['operations'] },
    output: exampleNotePage,
  },
  async run({ folderId, folderPath, recursive, tags, includeTrashed, limit, offset }, { db, vault }) {
    const folderIds = await foldersOf(db.read, vault, { folderId, folderPath }, recursive)
    const state = includeTrashed ? 'all' : 'live'
    return findNotePage(db.read, vault, { folderIds, tags, state }, { limit, offset })
  },
})
