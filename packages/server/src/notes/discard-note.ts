import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleNote, noteId } from './note.ts'
import { putIntoTrash } from './trash-note.ts'

export const discardNote = operation({
  name: 'discard-note',
  for: { person: 'DELETE /api/notes' },
  vault: 'required',
  summary: 'Put a note into the trash: it leaves search, lists and links by title, and can be restored.',
  effect: 'destructive',
  changes: ['notes'],
  about: ({ id }) => refs('note', id),
  input: z.object({ ...fields.ownVault, id: noteId }),
  output: z.looseObject({
    id: z.uuid(),
    trashed: z.literal(true),
    alreadyTrashed: z.boolean(),
    trashedAt: fields.timestamp,
  }),
  examples: {
    input: { vaultId: exampleNote.vaultId, id: exampleNote.noteId },
    output: {
      id: exampleNote.noteId,
      trashed: true,
      alreadyTrashed: false,
      trashedAt: '2026-11-21T10:00:00.000Z',
    },
  },
  async run({ id }, ctx) {
    const { trashedAt, wasTrashed } = await putIntoTrash(ctx, id)
    return { id, trashed: true as const, alreadyTrashed: wasTrashed, trashedAt: isoTime(trashedAt) }
  },
})
