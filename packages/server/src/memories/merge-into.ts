import { invalid, notFound } from '../core/errors.ts'
import { listLinks } from '../links/graph-store.ts'
import { insertLink, type StoredLink } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import type { Memory } from './memory.ts'
import { saveUpdate } from './save-update.ts'
import { findMemories } from './store.ts'

const linksAtOnce = 500

/** Looks at all before anything is changed: 404 where one is not there, 400 where one cannot be merged. */
export async function findMergeable(ctx: VaultContext, keptId: string, otherIds: readonly string[]): Promise<Memory[]> {
  if (otherIds.includes(keptId)) throw invalid({ otherIds: 'a memory cannot be merged into itself' })
  const found = await findMemories(ctx.db.read, ctx.vault, [keptId, ...otherIds])
  const byId = new Map(found.map((memory) => [memory.memoryId, memory]))
  const kept = byId.get(keptId)
  const others = otherIds.flatMap((id) => byId.get(id) ?? [])
  if (kept === undefined || others.length < otherIds.length) throw notFound('Memory')
  if ([kept, ...others].some(({ memoryType }) => memoryType === 'task'))
    throw invalid({ otherIds: 'tasks are not merged: only those who have them know whether they are one' })
  // Where nothing supersedes it, it cannot be superseded by what it is to supersede either.
  if (kept.archivedAt !== undefined || kept.supersededById !== undefined)
    throw invalid({ id: 'is archived or superseded itself' })
  const taken = others.find(({ supersededById }) => supersededById !== undefined && supersededById !== keptId)
  if (taken !== undefined) throw invalid({ otherIds: `${taken.memoryId} is superseded by another memory already` })
  return others
}

/**
 * Lets `keptId` take the place of the other memory. Links come first: where a crash comes between, they are there twice,
 * and the same call again goes on.
 */
export async function mergeInto(ctx: VaultContext, keptId: string, other: Memory): Promise<void> {
  await takeLinks(ctx, keptId, other.memoryId)
  await saveUpdate(ctx, {
    memoryId: keptId,
    leastImportance: other.importance,
    moreEntities: other.head.entities,
    supersededById: other.memoryId,
  })
}

/** But for those that texts make, and those that say what superseded what. A hub's go some hundreds in a transaction. */
async function takeLinks({ db, vault }: VaultContext, keptId: string, otherId: string): Promise<void> {
  const query = { nodeId: otherId, direction: 'both' } as const
  for (let offset = 0, isDone = false; !isDone; offset += linksAtOnce)
    isDone = await db.write(async (tx) => {
      const seq = await nextSeq(tx, vault.userId, vault.id)
      const { links, total } = await listLinks(tx, vault, query, { limit: linksAtOnce, offset })
      for (const link of links.filter(isTaken)) {
        const { sourceType, targetType, relationType, label, origin, createdAt } = link
        const ends = endsFor(link, keptId, otherId)
        if (ends.sourceId === ends.targetId) continue
        await insertLink(tx, vault, seq, { sourceType, targetType, relationType, label, origin, ...ends }, createdAt)
      }
      return offset + linksAtOnce >= total
    })
}

const isTaken = ({ origin, relationType }: StoredLink) => origin !== 'wiki' && relationType !== 'supersedes'

const endsFor = ({ sourceId, targetId }: StoredLink, keptId: string, otherId: string) => ({
  sourceId: sourceId === otherId ? keptId : sourceId,
  targetId: targetId === otherId ? keptId : targetId,
})
