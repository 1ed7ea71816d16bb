import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { isDamage } from '../auth/scope-key-store.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { listLinkIdsOf } from '../links/graph-store.ts'
import { removeLinks } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { removeEntries } from '../vault-index/stored/store.ts'
import { deleteSnapshotsBefore } from '../vault-index/stored/snapshot-store.ts'
import { forgetRecords } from '../vaults/erase-store.ts'
import { nextSeq } from '../vaults/store.ts'
import { exampleNote, noteId } from './note.ts'
import { queueChange } from './save-note.ts'
import { deleteNoteRows, getNote, isTrashed } from './store.ts'

export const eraseNote = operation({
  name: 'erase-note',
  for: { person: 'POST /api/notes/erase' },
  vault: 'required',
  leastRole: 'admin',
  summary: 'Permanently delete a note that is in the trash or damaged, with its older versions and links.',
  effect: 'destructive',
  changes: ['notes'],
  about: ({ noteId: id }) => refs('note', id),
  alias: 'noteId',
  input: z.object({ ...ownVault, noteId }),
  output: z.looseObject({ noteId: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { vaultId: exampleNote.vaultId, noteId: exampleNote.noteId },
    output: { noteId: exampleNote.noteId, deleted: true },
  },
  async run({ noteId: id }, ctx) {
    for (let isDone = false; !isDone;) isDone = await eraseSome(ctx, id)
    return { noteId: id, deleted: true } as const
  },
})

/** A damaged note can't be moved to the trash, so it need not be. */
async function refuseLive(tx: Tx, vault: VaultScope, id: string): Promise<void> {
  if (await isTrashed(tx, vault, id)) return
  try {
    await getNote(tx, vault, id)
  } catch (error) {
    if (await isDamage(tx, error)) return
    throw error
  }
  throw invalid({ noteId: 'is not in the trash; delete the note first' })
}

const linksAtOnce = 500

/**
 * Deletes a note with its former texts, tags, links and index entry, and returns whether that is done. A note with many links takes
 * several transactions, so that none is long. Records that cite the note keep its id.
 */
const eraseSome = ({ db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>, id: string): Promise<boolean> =>
  db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    await refuseLive(tx, vault, id)
    const linkIds = await listLinkIdsOf(tx, vault, [id], linksAtOnce)
    await removeLinks(tx, vault, { seq, at: now() }, linkIds)
    if (linkIds.length === linksAtOnce) return false
    await forgetRecords(tx, vault, [id])
    await removeEntries(tx, vault, seq, [id])
    // Snapshots contain the keyed words of the deleted note.
    await deleteSnapshotsBefore(tx, vault, seq)
    await deleteNoteRows(tx, vault, id)
    await queueChange(tx, vault, { noteId: id, updatedAt: now() }, 'note.deleted')
    return true
  })
