import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { titleKey } from '../text/wiki-links.ts'
import { nextSeq } from '../vaults/store.ts'
import { followHolders, refreshLinksFrom } from './link-notes.ts'
import { noteId } from './note.ts'
import { saveNote } from './save-note.ts'
import { getNote } from './store.ts'

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
      const after = { ...before, trashedAt: at, version: before.version + 1, updatedAt: at }
      const move = { note: after, keys: [titleKey(before.head.title)] }
      await followHolders(tx, vault, seq, move, () => saveNote(tx, vault, seq, { before, after, entry: undefined }))
      await refreshLinksFrom(tx, vault, seq, after, at)
      return answer(at, false)
    })
  },
})
