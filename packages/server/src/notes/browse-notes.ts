import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { noteStates } from './list-store.ts'
import { exampleNotePage, findNotePage, foldersOf, notePage } from './note-page.ts'
import { describeNote, exampleNote, noteId, noteRecord } from './note.ts'
import { placesOf } from './read-note.ts'
import { getNote } from './store.ts'

const tag = z.string().min(1).max(100)

export const browseNotes = dashboardVaultOperation({
  name: 'browse-notes',
  method: 'GET',
  path: '/api/notes',
  summary: 'Notes of a vault or folder, the newest first, each with how it begins; or the one with an id, whole.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    id: noteId.optional().describe('Only this one, as `note`, trashed or not; `links.in` counts what leads to it.'),
    folderId: z.uuid().optional().describe('Only notes in this folder. Default: the whole vault.'),
    recursive: fields.queryFlag
      .default('true')
      .describe("Notes in the folder's folders too. false without a folder: only notes at the vault's root."),
    tag: fields.queryList(tag, 50).optional().describe('Only notes with this tag; repeated: with all of these.'),
    state: z.enum(noteStates).default('live').describe('`live`: those that are not in the trash.'),
    limit: fields.queryLimit,
    offset: fields.queryOffset,
  }),
  output: z.union([notePage, z.looseObject({ note: noteRecord })]),
  examples: { input: { vaultId: exampleNote.vaultId, tag: 'operations' }, output: exampleNotePage },
  async run({ id, folderId, recursive, tag: tags, state, limit, offset }, { db, vault, noteTitles }) {
    if (id !== undefined) {
      const note = await getNote(db.read, vault, id)
      noteTitles.prepare(vault)
      return { note: describeNote(note, await placesOf(db.read, vault, [note])) }
    }
    const place = { folderId, folderPath: undefined }
    const folderIds = await foldersOf(db.read, vault, place, recursive === 'true')
    return findNotePage(db.read, vault, { folderIds, tags: fields.listOf(tags), state }, { limit, offset })
  },
})
