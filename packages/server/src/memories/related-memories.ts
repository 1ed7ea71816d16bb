import type { VaultScope } from '../crypto/keys.ts'
import { notFound } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import { insertLink, listLinksFrom, removeLinks, type NewLink } from '../links/store.ts'
import { listKinds } from '../vault-index/stored/store.ts'
import type { Memory, RelatedMemory } from './memory.ts'

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

const sourceLink = (memoryId: string, noteId: string): NewLink => ({
  sourceType: 'memory',
  sourceId: memoryId,
  targetType: 'note',
  targetId: noteId,
  relationType: 'derived_from',
  origin: 'write',
})

/** Links a memory to the notes that it was derived from. */
export async function linkSources(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  memoryId: string,
  noteIds: readonly string[],
  at: number,
): Promise<void> {
  for (const noteId of noteIds) await insertLink(tx, scope, seq, sourceLink(memoryId, noteId), at)
}

/** The same where they were others before: what writes have linked, and this one no longer names, is taken away. */
export async function relinkSources(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  before: Memory,
  after: Memory,
): Promise<void> {
  const { memoryId, updatedAt, head } = after
  const dropped = new Set(before.head.sourceNoteIds.filter((noteId) => !head.sourceNoteIds.includes(noteId)))
  const links = dropped.size === 0 ? [] : await listLinksFrom(tx, scope, [memoryId])
  const own = links.filter(
    ({ targetId, relationType, origin }) =>
      dropped.has(targetId) && relationType === 'derived_from' && origin === 'write',
  )
  await removeLinks(
    tx,
    scope,
    seq,
    own.map(({ linkId }) => linkId),
    updatedAt,
  )
  await linkSources(tx, scope, seq, memoryId, head.sourceNoteIds, updatedAt)
}

export async function refuseUnknownIds(
  tx: Tx,
  scope: VaultScope,
  relatedMemoryIds: readonly RelatedMemory[],
  sourceNoteIds: readonly string[],
): Promise<void> {
  const related = relatedMemoryIds.map((relation) => relatedId(relation))
  const kinds = await listKinds(tx, scope, [...related, ...sourceNoteIds])
  if (related.some((id) => kinds.get(id) !== 'memory')) throw notFound('Memory')
  if (sourceNoteIds.some((id) => kinds.get(id) !== 'note')) throw notFound('Note')
}
