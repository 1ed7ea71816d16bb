import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { noteId } from './note.ts'
import { putIntoTrash } from './trash-note.ts'

export const deleteNote = operation({
  name: 'delete-note',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Trash a note: it leaves search, lists and links by title, and can be restored with update-note.',
  effect: 'destructive',
  changes: ['notes'],
  about: ({ noteId: id }) => refs('note', id),
  alias: 'noteId',
  input: z.object({ noteId, ...fields.inVault }),
  output: z.looseObject({
    noteId: z.uuid(),
    trashed: z.literal(true),
    trashedAt: fields.timestamp,
    alreadyTrashed: z.boolean(),
    vaultId: z.uuid(),
  }),
  examples: {
    input: { noteId: '0198c5f0-0000-7000-8000-000000000201' },
    output: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      trashed: true,
      trashedAt: '2026-11-21T09:30:00.000Z',
      alreadyTrashed: false,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  async run(asked, ctx) {
    const { trashedAt, wasTrashed } = await putIntoTrash(ctx, asked.noteId)
    return {
      noteId: asked.noteId,
      trashed: true as const,
      trashedAt: isoTime(trashedAt),
      alreadyTrashed: wasTrashed,
      vaultId: ctx.vault.id,
    }
  },
})
