import { invalid, notFound } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { listLinks } from '../links/graph-store.ts'
import { insertLink, type StoredLink } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import type { Memory } from './memory.ts'
import { saveUpdate } from './save-update.ts'
import { findMemories } from './store.ts'

const maxLinks = 500
const maxEntities = 100

/**
 * Lets `keptId` take the place of the other memory. Links come first: where a crash comes between, they are there twice,
 * and the same call again goes on. 404 where one of them is not there, 400 where one cannot be merged.
 */
export async function mergeInto(ctx: VaultContext, keptId: string, otherId: string): Promise<void> {
  const { db, vault } = ctx
  if (keptId === otherId) throw invalid({ otherIds: 'a memory cannot be merged into itself' })
  const found = await findMemories(db.read, vault, [keptId, otherId])
  const kept = found.find(({ memoryId }) => memoryId === keptId)
  const other = found.find(({ memoryId }) => memoryId === otherId)
  if (kept === undefined || other === undefined) throw notFound('Memory')
  refuseUnfit(kept, other)
  await db.write((tx) => takeLinks(tx, vault, kept.memoryId, other.memoryId))
  const { head } = kept
  await saveUpdate(ctx, {
    memoryId: keptId,
    importance: Math.max(kept.importance, other.importance),
    entities: joined(head.entities, other.head.entities, maxEntities),
    supersededById: otherId,
  })
}

function refuseUnfit(kept: Memory, other: Memory): void {
  if (kept.memoryType === 'task' || other.memoryType === 'task')
    throw invalid({ otherIds: 'tasks are not merged: only those who have them know whether they are one' })
  if (kept.archivedAt !== undefined || kept.supersededById !== undefined)
    throw invalid({ id: 'is archived or superseded itself' })
}

const joined = (one: readonly string[], other: readonly string[], max: number) =>
  [...new Set([...one, ...other])].slice(0, max)

/** But for those that texts make, and those that say what superseded what. */
async function takeLinks(tx: Tx, vault: VaultScope, keptId: string, otherId: string): Promise<void> {
  const seq = await nextSeq(tx, vault.userId, vault.id)
  const { links } = await listLinks(tx, vault, { nodeId: otherId, direction: 'both' }, { limit: maxLinks, offset: 0 })
  for (const link of links) {
    const taken = { ...link, ...endsFor(link, keptId, otherId) }
    const isOwn = taken.sourceId === taken.targetId
    if (isOwn || link.origin === 'wiki' || link.relationType === 'supersedes') continue
    const { sourceType, sourceId, targetType, targetId, relationType, label, origin, createdAt } = taken
    const made = { sourceType, sourceId, targetType, targetId, relationType, label, origin }
    await insertLink(tx, vault, seq, made, createdAt)
  }
}

const endsFor = ({ sourceId, targetId }: StoredLink, keptId: string, otherId: string) => ({
  sourceId: sourceId === otherId ? keptId : sourceId,
  targetId: targetId === otherId ? keptId : targetId,
})
