import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import type { Note } from './note.ts'
import { storeUpdate } from './save-note-change.ts'
import { getNote } from './store.ts'

/** Trashes a note that is live: links by its title go to the next one that has it, and its own are gone. */
export async function trashNote(tx: Tx, scope: VaultScope, seq: number, before: Note, at: number): Promise<void> {
  await move(tx, scope, seq, before, { trashedAt: at, updatedAt: at })
}

/** The same with the note of an id, unless it is there already; 404 where there is none. */
export const putIntoTrash = (
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  noteId: string,
): Promise<{ trashedAt: number; wasTrashed: boolean }> =>
  db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const before = await getNote(tx, vault, noteId)
    if (before.trashedAt !== undefined) return { trashedAt: before.trashedAt, wasTrashed: true }
    const at = now()
    await trashNote(tx, vault, seq, before, at)
    return { trashedAt: at, wasTrashed: false }
  })

/** Takes a note out of the trash: its links are made anew, and those to its title as far as it holds it. */
export const restoreNote = (tx: Tx, scope: VaultScope, seq: number, before: Note, at: number): Promise<Note> =>
  move(tx, scope, seq, before, { trashedAt: undefined, updatedAt: at })

async function move(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  before: Note,
  change: Pick<Note, 'trashedAt' | 'updatedAt'>,
): Promise<Note> {
  const after = { ...before, ...change, version: before.version + 1 }
  await storeUpdate(tx, scope, seq, { before, after, entry: undefined, rewrites: [] })
  return after
}
