import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { archive } from '../memories/archive-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import type { Note } from '../notes/note.ts'
import { findNotes } from '../notes/store.ts'
import { trashNote } from '../notes/delete-note.ts'
import type { Writer } from '../operation/writer.ts'

/** Why a record isn't taken back. `gone`: it is archived or in the trash already. `moved`: only the status of a task was changed. */
export type KeepReason = 'deleted' | 'gone' | 'changed' | 'moved'

export interface Kept {
  left: KeepReason
  /** Who has changed it since, if known. */
  by?: Writer | undefined
}

export interface Placed {
  archivedAt?: number | null | undefined
  trashedAt?: number | null | undefined
}

export const isGone = ({ archivedAt, trashedAt }: Placed): boolean => (archivedAt ?? trashedAt ?? null) !== null

export type RevertOutcome = Kept | { left: undefined; version: number }

interface Taking {
  seq: number
  at: number
  judgeMemory(memory: Memory): Promise<Kept | undefined> | Kept | undefined
  judgeNote(note: Note): Kept | undefined
}

/**
 * Takes back what a run or an import created: archives a memory, or moves a note to the trash. The judges are asked in the
 * same transaction, since the record may have changed since it was listed.
 */
export async function archiveOrTrash(
  tx: Tx,
  scope: VaultScope,
  { type, id }: { type: 'memory' | 'note'; id: string },
  { seq, at, judgeMemory, judgeNote }: Taking,
): Promise<RevertOutcome> {
  if (type === 'note') {
    const [note] = await findNotes(tx, scope, [id])
    if (note === undefined) return { left: 'deleted' }
    const kept = judgeNote(note)
    if (kept !== undefined) return kept
    await trashNote(tx, scope, { seq, at }, note)
    return { left: undefined, version: note.version + 1 }
  }
  const [memory] = await findMemories(tx, scope, [id])
  if (memory === undefined) return { left: 'deleted' }
  const kept = await judgeMemory(memory)
  if (kept !== undefined) return kept
  const { version } = await archive(tx, scope, { seq, at }, { memory, reason: undefined, by: {} })
  return { left: undefined, version }
}
