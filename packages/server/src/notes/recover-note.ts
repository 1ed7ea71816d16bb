import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { describeWritten, exampleLinks, personsNote, writtenNote } from './written-note.ts'
import { noteId } from './note.ts'
import { saveNoteChange } from './save-note-change.ts'

export const recoverNote = dashboardVaultOperation({
  name: 'recover-note',
  method: 'POST',
  path: '/api/notes/restore',
  summary: 'Take a note out of the trash; links to its title lead to it again, as far as no older note holds it.',
  effect: 'write',
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
