import type { Tx } from '../db/dialect.ts'
import { takeOut } from '../memories/put-away.ts'
import { findMemories } from '../memories/store.ts'
import { restoreNote } from '../notes/trash-note.ts'
import { findNotes } from '../notes/store.ts'
import { forgetReverted } from './reverted-store.ts'
import type { OpenVault } from './open-vault.ts'

/** What a former import made and somebody took back is as it was then, text and all; its version now. */
export async function bringBack(
  tx: Tx,
  vault: OpenVault,
  { kind, id }: { kind: 'note' | 'memory'; id: string },
  { seq, at }: { seq: number; at: number },
): Promise<number> {
  await forgetReverted(tx, vault, id)
  if (kind === 'note') {
    const [note] = await findNotes(tx, vault, [id])
    if (note === undefined) throw new TypeError('a note that was listed is gone within the transaction')
    return (await restoreNote(tx, vault, seq, note, at)).version
  }
  const [memory] = await findMemories(tx, vault, [id])
  if (memory === undefined) throw new TypeError('a memory that was listed is gone within the transaction')
  return (await takeOut(tx, vault, seq, memory, at)).version
}
