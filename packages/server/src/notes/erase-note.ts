import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { exampleNote, noteId } from './note.ts'
import { purgeNote } from './purge-store.ts'

export const eraseNote = dashboardVaultOperation({
  name: 'erase-note',
  method: 'POST',
  path: '/api/notes/erase',
  summary: 'Delete a note that is in the trash for good, with its former texts and links.',
  effect: 'destructive',
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
