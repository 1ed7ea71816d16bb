import { z } from 'zod'
import { isoTime, type WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { nextSeq } from '../vaults/store.ts'
import { noteId, type Note } from './note.ts'
import { getNote } from './store.ts'
import { storeUpdate } from './update-note.ts'

export const deleteNote = operation({
  name: 'delete-note',
  for: { agent: { toolset: 'notes', scopes: ['write'] }, person: 'DELETE /api/notes' },
  vault: 'resolved',
  summary:
    'Move a note to the trash. Searches, lists and links by title no longer find it; update-note with trashed: false restores it.',
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
  run: ({ noteId: id }, { db, vault, now }) =>
    db.write(async (tx) => {
      const seq = await nextSeq(tx, vault.userId, vault.id)
      const before = await getNote(tx, vault, id)
      const trashedAt = before.trashedAt ?? now()
      const wasTrashed = before.trashedAt !== undefined
      if (!wasTrashed) await trashNote(tx, vault, { seq, at: trashedAt }, before)
      return {
        noteId: id,
        trashed: true as const,
        trashedAt: isoTime(trashedAt),
        alreadyTrashed: wasTrashed,
        vaultId: vault.id,
      }
    }),
})

/** Moves a live note to the trash. Links to its title move to the next note with that title, and its own links are removed. */
export async function trashNote(tx: Tx, scope: VaultScope, { seq, at }: WriteTime, before: Note): Promise<void> {
  const after = { ...before, trashedAt: at, updatedAt: at, version: before.version + 1 }
  await storeUpdate(tx, scope, seq, { before, after, entry: undefined, rewrites: [] })
}
