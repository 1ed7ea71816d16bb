import { notFound } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import type { NewLink } from '../links/store.ts'
import { listKinds } from '../vault-index/store.ts'
import type { RelatedMemory } from './memory.ts'
import type { MemoryScope } from './store.ts'

/** What `relatedMemoryIds` of a write or an update stands for: links from the memory to others of its vault. */

export const relatedId = (relation: RelatedMemory): string =>
  typeof relation === 'string' ? relation : relation.memoryId

export const linkTo = (memoryId: string, relation: RelatedMemory): NewLink => ({
  sourceType: 'memory',
  sourceId: memoryId,
  targetType: 'memory',
  targetId: relatedId(relation),
  relationType: (typeof relation === 'string' ? undefined : relation.relationType) ?? 'references',
  label: typeof relation === 'string' ? undefined : relation.label,
  origin: 'write',
})

export async function refuseUnknownIds(
  tx: Tx,
  scope: MemoryScope,
  relatedMemoryIds: readonly RelatedMemory[],
  sourceNoteIds: readonly string[],
): Promise<void> {
  const related = relatedMemoryIds.map((relation) => relatedId(relation))
  const kinds = await listKinds(tx, scope, [...related, ...sourceNoteIds])
  if (related.some((id) => kinds.get(id) !== 'memory')) throw notFound('Memory')
  if (sourceNoteIds.some((id) => kinds.get(id) !== 'note')) throw notFound('Note')
}
