import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeWritten, exampleLinks, personsNote, writtenNote } from './written-note.ts'
import { noteId } from './note.ts'
import { saveNoteChange } from './save-note-change.ts'

export const recoverNote = operation({
  name: 'recover-note',
  for: { person: 'POST /api/notes/restore' },
  vault: 'required',
  summary: 'Take a note out of the trash; links to its title lead to it again, as far as no older note holds it.',
  effect: 'write',
  changes: ['notes'],
  about: ({ id }) => refs('note', id),
  input: z.object({ ...ownVault, id: noteId }),
  output: z.looseObject({ ...writtenNote, restored: z.boolean().describe('False where it was not in the trash.') }),
  examples: {
    input: { vaultId: personsNote.vaultId, id: personsNote.noteId },
    output: { note: { ...personsNote, version: 3 }, ...exampleLinks, restored: true },
  },
  async run({ id }, ctx) {
    const saved = await saveNoteChange(ctx, { noteId: id, mode: 'replace', trashed: false })
    return { note: await describeWritten(ctx, saved.note), ...saved.resolved, restored: saved.updated }
  },
})
