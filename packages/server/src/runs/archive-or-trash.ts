import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { archive } from '../memories/archive-memory.ts'
import { findMemories } from '../memories/store.ts'
import { findNotes } from '../notes/store.ts'
import { trashNote } from '../notes/delete-note.ts'

/** Why a record isn't taken back. `gone`: it is archived or in the trash already. */
export type KeepReason = 'deleted' | 'gone' | 'changed'

/** What the decision needs to know about a memory or a note. */
export interface RecordState {
  version: number
  archivedAt?: number | null | undefined
  trashedAt?: number | null | undefined
  supersededById?: string | null | undefined
}

export const isGone = ({ archivedAt, trashedAt }: RecordState): boolean => (archivedAt ?? trashedAt ?? null) !== null

export type RevertOutcome =
  | { left: KeepReason }
  | { left: undefined; version: number; supersedesId: string | undefined }

/**
 * Takes back what a run or an import created: archives a memory, or moves a note to the trash. `findKeepReason` is asked in the
 * same transaction, since the record may have changed since it was listed.
 */
export async function archiveOrTrash(
  tx: Tx,
  scope: VaultScope,
  { type, id }: { type: 'memory' | 'note'; id: string },
  { seq, at, findKeepReason }: { seq: number; at: number; findKeepReason(record: RecordState): KeepReason | undefined },
): Promise<RevertOutcome> {
  if (type === 'note') {
    const [note] = await findNotes(tx, scope, [id])
    if (note === undefined) return { left: 'deleted' }
    const left = findKeepReason(note)
    if (left !== undefined) return { left }
    await trashNote(tx, scope, { seq, at }, note)
    return { left, version: note.version + 1, supersedesId: undefined }
  }
  const [memory] = await findMemories(tx, scope, [id])
  if (memory === undefined) return { left: 'deleted' }
  const left = findKeepReason(memory)
  if (left !== undefined) return { left }
  const { version } = await archive(tx, scope, { seq, at }, { memory, reason: undefined })
  return { left, version, supersedesId: memory.supersedesId }
}
