import { z } from 'zod'
import { isoTime, type WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { writerOf } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import type { Writer } from '../operation/writer.ts'
import { enforce, type Permit } from '../proposals/permit.ts'
import { proposalNotice, proposeInstead } from '../proposals/propose.ts'
import { nextSeq } from '../vaults/store.ts'
import { askedNote, isOfPerson, judgeNote, noteId, type Note } from './note.ts'
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
    trashed: z.boolean().describe('False only if the change was proposed.'),
    trashedAt: fields.timestamp.nullable().describe('null only if the change was proposed.'),
    alreadyTrashed: z.boolean(),
    vaultId: z.uuid(),
    proposal: proposalNotice,
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
  async run(input, ctx) {
    const { noteId: id } = input
    const by = writerOf(ctx, input)
    const answer = { noteId: id, vaultId: ctx.vault.id }
    try {
      const { trashedAt, wasTrashed } = await trashOne(ctx, id, { by, permit: (_tx, note) => judgeNote(ctx, note) })
      return { ...answer, trashed: true, trashedAt: isoTime(trashedAt), alreadyTrashed: wasTrashed }
    } catch (error) {
      const { proposal } = await proposeInstead(ctx, error, { operation: 'delete-note', input, by })
      return { ...answer, trashed: false, trashedAt: null, alreadyTrashed: false, proposal }
    }
  },
})

/** 404 if the note doesn't exist. If it is in the trash already, nothing is written. */
export const trashOne = (
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  id: string,
  { by, permit }: { by: Pick<Writer, 'integrationId'>; permit: Permit<Note> },
): Promise<{ trashedAt: number; wasTrashed: boolean }> =>
  db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const before = await getNote(tx, vault, id)
    if (before.trashedAt !== undefined) return { trashedAt: before.trashedAt, wasTrashed: true }
    enforce(await permit(tx, before), () => askedNote(before))
    const trashedAt = now()
    await trashNote(
      tx,
      vault,
      { seq, at: trashedAt },
      { ...before, removedById: isOfPerson(before) ? by.integrationId : undefined },
    )
    return { trashedAt, wasTrashed: false }
  })

/** Moves a live note to the trash. Links to its title move to the next note with that title, and its own links are removed. */
export async function trashNote(tx: Tx, scope: VaultScope, { seq, at }: WriteTime, before: Note): Promise<void> {
  const after = { ...before, trashedAt: at, updatedAt: at, version: before.version + 1 }
  await storeUpdate(tx, scope, seq, { before, after, entry: undefined, rewrites: [] })
}
