import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VaultContext } from '../operation/context.ts'
import { itemsLike, type LikeItem } from '../vault-index/duplicates.ts'
import { claimOf, likenessOf, likeQuery, type ComparingModel } from './find-duplicates.ts'
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
  { db, vault, indexes, embeddings, now }: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'embeddings' | 'now'>,
  ids: readonly string[],
  /** Memories that go, and so answer for no other; those found are added. */
  going: Set<string>,
  thresholds: DedupThresholds,
): Promise<Copy[]> {
  const read = await findMemories(db.read, vault, ids)
  const memories = read.filter(({ memoryType }) => memoryType !== 'task').toSorted(byAge)
  const copies: Copy[] = []
  for (const memory of memories) {
    const { memoryId, memoryType } = memory
    const query = likeQuery(memoryType, now(), embeddings)
    const like = await indexes.read(vault, (index) =>
      itemsLike(index, memoryId, query).filter(({ itemId }) => itemId < memoryId && !going.has(itemId)),
    )
    const kept = await findKept(memory, like, await findMemories(db.read, vault, idsOf(like)), {
      model: embeddings,
      thresholds,
    })
    // Each comparison takes milliseconds in a large vault; others get their turn between.
    await nextTurn()
    if (kept === undefined) continue
    going.add(memoryId)
    copies.push({ memoryId, keptId: kept.memoryId, keptUpdatedAt: kept.updatedAt })
  }
  return copies
}

interface Measure {
  model: ComparingModel | undefined
  thresholds: DedupThresholds
}

const idsOf = (like: readonly LikeItem[]) => like.map(({ itemId }) => itemId)

async function findKept(
  memory: Memory,
  like: readonly LikeItem[],
  older: readonly Memory[],
  measure: Measure,
): Promise<Memory | undefined> {
  const known = new Map(older.map((each) => [each.memoryId, each]))
  for (const item of like) {
    const other = known.get(item.itemId)
    if (other !== undefined && isSaidBy(other, memory, item, measure)) return other
    await nextTurn()
  }
  return undefined
}

function isSaidBy(older: Memory, memory: Memory, item: LikeItem, { model, thresholds }: Measure): boolean {
  const verdict = judge(claimOf(memory), claimOf(older), likenessOf(item, model), thresholds)
  return verdict !== undefined && verdict.action !== 'superseded'
}

/** Ids begin with the time at which they were made. */
const byAge = (a: Memory, b: Memory) => (a.memoryId < b.memoryId ? -1 : 1)
