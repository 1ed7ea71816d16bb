import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { archivedFact } from './index-memory.ts'
import type { Memory } from './memory.ts'
import { updateMemory } from './store.ts'

/** Archives a memory that is not archived yet, and its index entry, under the vault's change number. Returns it as it is then. */
export async function putAway(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  memory: Memory,
  { at, reason }: { at: number; reason: string | undefined },
): Promise<Memory> {
  const after = archived(memory, at, reason)
  await updateMemory(tx, scope, after, { resealed: reason !== undefined })
  await updateEntry(tx, scope, memory.memoryId, seq, { archived: archivedFact(after) })
  return after
}

/** The other way round: it is as it was before it was archived. */
export async function takeOut(tx: Tx, scope: VaultScope, seq: number, memory: Memory, at: number): Promise<Memory> {
  const after = { ...memory, archivedAt: undefined, version: memory.version + 1, updatedAt: at }
  await updateMemory(tx, scope, after, { resealed: false })
  await updateEntry(tx, scope, memory.memoryId, seq, { archived: archivedFact(after) })
  return after
}

function archived(memory: Memory, at: number, reason: string | undefined): Memory {
  const changed = { ...memory, archivedAt: at, version: memory.version + 1, updatedAt: at }
  if (reason === undefined) return changed
  return { ...changed, contentRevision: memory.contentRevision + 1, head: { ...memory.head, archiveReason: reason } }
}
