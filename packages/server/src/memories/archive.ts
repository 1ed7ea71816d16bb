import type { VaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { putAway } from './put-away.ts'
import { getMemory } from './store.ts'

/** Archives one memory; 404 where there is none. One that is archived already stays as it is, and nobody waits. */
export async function archive(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  memoryId: string,
  reason: string | undefined,
): Promise<{ archivedAt: number; wasArchived: boolean }> {
  const before = await getMemory(db.read, vault, memoryId)
  if (before.archivedAt !== undefined) return { archivedAt: before.archivedAt, wasArchived: true }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const memory = await getMemory(tx, vault, memoryId)
    if (memory.archivedAt !== undefined) return { archivedAt: memory.archivedAt, wasArchived: true }
    const at = now()
    await putAway(tx, vault, seq, memory, { at, reason })
    return { archivedAt: at, wasArchived: false }
  })
}
