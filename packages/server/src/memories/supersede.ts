import type { VaultScope } from '../crypto/keys.ts'
import { invalid } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import { findLink, insertLink, removeLinks } from '../links/store.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import type { Memory } from './memory.ts'
import { findMemories, findSuccessorId, getMemory, updateMemory } from './store.ts'

/**
 * Takes the older memory out of the live set, in favour of `successor`, which is stored in the same transaction. It stays
 * readable, and searchable as of days before its successor. What this successor superseded already stays as it is.
 */
export async function supersede(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  supersededId: string,
  successor: Memory,
): Promise<void> {
  const old = await getMemory(tx, scope, supersededId)
  if (old.supersededById === successor.memoryId) return
  if (old.supersededById !== undefined)
    throw invalid({ supersededById: `was already superseded by ${old.supersededById}; name that memory instead` })
  await refuseCycle(tx, scope, successor.memoryId, supersededId)
  const changed = {
    ...old,
    supersededById: successor.memoryId,
    version: old.version + 1,
    updatedAt: successor.updatedAt,
  }
  await updateMemory(tx, scope, changed, { resealed: false })
  await updateEntry(tx, scope, supersededId, seq, { supersededAt: successor.occurredAt })
  const ends = {
    sourceType: 'memory',
    sourceId: successor.memoryId,
    targetType: 'memory',
    targetId: supersededId,
  } as const
  await insertLink(tx, scope, seq, { ...ends, relationType: 'supersedes', origin: 'write' }, successor.updatedAt)
}

/** The other way round: what the successor superseded holds again, as far as it still stands aside for it. Returns its id. */
export async function bringBackSuperseded(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { memoryId, supersedesId }: Pick<Memory, 'memoryId' | 'supersedesId'>,
  at: number,
): Promise<string | undefined> {
  const [old] = supersedesId === undefined ? [] : await findMemories(tx, scope, [supersedesId])
  if (old?.supersededById !== memoryId) return undefined
  const changed = { ...old, supersededById: undefined, version: old.version + 1, updatedAt: at }
  await updateMemory(tx, scope, changed, { resealed: false })
  await updateEntry(tx, scope, old.memoryId, seq, { supersededAt: null })
  const ends = { sourceId: memoryId, targetId: old.memoryId, relationType: 'supersedes' } as const
  const link = await findLink(tx, scope, ends)
  if (link !== undefined) await removeLinks(tx, scope, seq, [link.linkId], at)
  return old.memoryId
}

/** Follows what supersedes the successor: if that ends at the one to be superseded, both would be out of date for ever. */
async function refuseCycle(tx: Tx, scope: VaultScope, successorId: string, supersededId: string): Promise<void> {
  for (let next: string | undefined = successorId; next !== undefined; next = await findSuccessorId(tx, scope, next))
    if (next === supersededId)
      throw invalid({ supersededById: 'a memory cannot supersede itself or what supersedes it' })
}
