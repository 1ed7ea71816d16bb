import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { nextSeq } from '../vaults/store.ts'
import { noteId } from './note.ts'
import { getNote } from './store.ts'
import { trashNote } from './trash-note.ts'

export const deleteNote = operation({
  name: 'delete-note',
  scopes: ['write'],
  vault: 'resolved',
  summary: 'Trash a note: it leaves search, lists and links by title, and can be restored with update-note.',
  effect: 'destructive',
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
  async run(asked, { db, vault, now }) {
    const answer = (at: number, alreadyTrashed: boolean) =>
      ({
        noteId: asked.noteId,
        trashed: true,
        trashedAt: isoTime(at),
        alreadyTrashed,
        vaultId: vault.id,
      }) as const
    return db.write(async (tx) => {
      const seq = await nextSeq(tx, vault.userId, vault.id)
      const before = await getNote(tx, vault, asked.noteId)
      if (before.trashedAt !== undefined) return answer(before.trashedAt, true)
      const at = now()
      await trashNote(tx, vault, seq, before, at)
      return answer(at, false)
    })
  },
})
