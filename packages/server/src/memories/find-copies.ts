import type { AgentVaultContext } from '../operation/context.ts'
import { itemsLike, type LikeItem } from '../vault-index/duplicates.ts'
import { claimOf, likeQuery } from './find-duplicates.ts'
import { judge, type DedupThresholds } from './dedup.ts'
import type { Memory } from './memory.ts'
import { findMemories } from './store.ts'

/** A memory that says what an older one says, as both were when they were compared. */
export interface Copy {
  memoryId: string
  keptId: string
  keptUpdatedAt: number
}

/**
 * Which of these memories say what an older one says that stays. Superseding is for writes: here a newer memory takes
 * nobody's place. Tasks are left alone: whether two are one and the same only those know who have them.
 */
export async function findCopies(
  { db, vault, indexes, now }: Pick<AgentVaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
  ids: readonly string[],
  /** Memories that go, and so answer for no other; those found are added. */
  going: Set<string>,
  thresholds: DedupThresholds,
): Promise<Copy[]> {
  const read = await findMemories(db.read, vault, ids)
  const memories = read.filter(({ memoryType }) => memoryType !== 'task').toSorted(byAge)
  const like = await indexes.read(vault, (index) =>
    memories.map(({ memoryId, memoryType }) =>
      itemsLike(index, memoryId, likeQuery(memoryType, now(), thresholds)).filter(({ itemId }) => itemId < memoryId),
    ),
  )
  const olderIds = new Set(like.flat().map(({ itemId }) => itemId))
  const older = new Map((await findMemories(db.read, vault, [...olderIds])).map((each) => [each.memoryId, each]))
  return memories.flatMap((memory, at) => {
    const kept = (like[at] ?? [])
      .filter(({ itemId }) => !going.has(itemId))
      .find((item) => isSaidBy(older.get(item.itemId), memory, item, thresholds))
    if (kept === undefined) return []
    going.add(memory.memoryId)
    return { memoryId: memory.memoryId, keptId: kept.itemId, keptUpdatedAt: older.get(kept.itemId)?.updatedAt ?? 0 }
  })
}

function isSaidBy(older: Memory | undefined, memory: Memory, item: LikeItem, thresholds: DedupThresholds): boolean {
  const verdict = older && judge(claimOf(memory), claimOf(older), item, thresholds)
  return verdict !== undefined && verdict.action !== 'superseded'
}

/** Ids begin with the time at which they were made. */
const byAge = (a: Memory, b: Memory) => (a.memoryId < b.memoryId ? -1 : 1)
