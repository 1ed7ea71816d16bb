import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeWritten, personsNote } from './written-note.ts'
import { noteFields, noteId, noteRecord } from './note.ts'
import { placeNote } from './place-note.ts'

export const relocateNote = operation({
  name: 'relocate-note',
  for: { person: 'POST /api/notes/move' },
  vault: 'required',
  summary: "Move a note to another folder, or to the vault's root.",
  effect: 'write',
  changes: ['notes'],
  about: ({ id }) => refs('note', id),
  input: z.object({
    ...ownVault,
    id: noteId,
    folderId: noteFields.folderId
      .nullable()
      .optional()
      .describe("Folder to move it to; null: the vault's root. Without folderId and folderPath it stays where it is."),
    folderPath: noteFields.folderPath.optional(),
  }),
  output: z.looseObject({
    note: noteRecord,
    moved: z.boolean().describe('False where it lay there already.'),
  }),
  examples: {
    input: { vaultId: personsNote.vaultId, id: personsNote.noteId, folderPath: 'Rules' },
    output: {
      note: {
        ...personsNote,
        folderId: '0198c5f0-0000-7000-8000-000000000303',
        folderPath: 'Rules',
        version: 2,
      },
      moved: true,
    },
  },
  async run({ id, folderId, folderPath }, ctx) {
    const { note, moved } = await placeNote(ctx, id, { folderId, folderPath })
    return { note: await describeWritten(ctx, note), moved }
  },
})
