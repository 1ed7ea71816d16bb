import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleNote, noteId } from './note.ts'
import { purgeNote } from './purge-store.ts'

export const eraseNote = operation({
  name: 'erase-note',
  for: { person: 'POST /api/notes/erase' },
  vault: 'required',
  summary: 'Delete a note that is in the trash for good, with its former texts and links.',
  effect: 'destructive',
  changes: ['notes'],
  about: ({ id }) => refs('note', id),
  input: z.object({ ...ownVault, id: noteId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { vaultId: exampleNote.vaultId, id: exampleNote.noteId },
    output: { id: exampleNote.noteId, deleted: true },
  },
  async run({ id }, { db, vault, now }) {
    await purgeNote(db, vault, id, now())
    return { id, deleted: true } as const
  },
})
