import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeWritten, exampleLinks, personsNote, writtenNote } from './written-note.ts'
import { makeNote } from './make-note.ts'
import { noteBodyLimitBytes, noteFields } from './note.ts'

export const addNote = operation({
  name: 'add-note',
  for: { person: 'POST /api/notes' },
  vault: 'required',
  summary: 'Write a note of your own. It is written under the agent name "user".',
  effect: 'write',
  changes: ['notes'],
  bodyLimitBytes: noteBodyLimitBytes,
  input: z.object({
    ...ownVault,
    title: noteFields.title,
    content: noteFields.content.default(''),
    tags: noteFields.tags.optional(),
    folderId: noteFields.folderId.optional(),
    folderPath: noteFields.folderPath.optional(),
  }),
  output: z.looseObject(writtenNote),
  returns: ({ note }) => refs('note', note.noteId),
  examples: {
    input: { vaultId: personsNote.vaultId, title: personsNote.title, content: personsNote.content },
    output: { note: personsNote, ...exampleLinks },
  },
  created: () => true,
  async run({ vaultId: _vault, ...asked }, ctx) {
    const { note, resolved } = await makeNote(ctx, asked)
    return { note: await describeWritten(ctx, note), ...resolved }
  },
})
