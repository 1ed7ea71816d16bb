import { invalid } from '../core/errors.ts'
import type { RelationType } from '../links/relation-types.ts'
import { findLink, insertLink, type NodeType, type StoredLink } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { requireNodes } from './nodes.ts'

/** A link as somebody wants it. */
export interface NewLink {
  sourceType: NodeType
  sourceId: string
  targetType: NodeType
  targetId: string
  relationType: RelationType
  label?: string | undefined
  externalWriteId?: string | undefined
  origin: 'agent' | 'dashboard'
}

export interface MadeLink {
  link: StoredLink
  /** False where there was this link already, which stays as it was. */
  created: boolean
  idempotent: boolean
}

/** 404 where the vault does not hold both ends. A repeat of an `externalWriteId` changes nothing. */
export function makeLink(
  { db, vault, now, concerns }: Pick<VaultContext, 'db' | 'vault' | 'now' | 'concerns'>,
  wanted: NewLink,
): Promise<MadeLink> {
  const { sourceType, sourceId, targetType, targetId, relationType, label, externalWriteId, origin } = wanted
  if (sourceId === targetId) throw invalid({ targetId: 'a note or memory cannot be linked to itself' })
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const first = externalWriteId === undefined ? undefined : await findLink(tx, vault, { externalWriteId })
    if (first !== undefined) return { link: first, created: false, idempotent: true }
    await requireNodes(tx, vault, [
      { type: sourceType, id: sourceId },
      { type: targetType, id: targetId },
    ])
    const ends = { sourceType, sourceId, targetType, targetId, relationType }
    const { linkId, created } = await insertLink(tx, vault, seq, { ...ends, label, origin, externalWriteId }, now())
    concerns('link', linkId)
    const link = await findLink(tx, vault, { linkId })
    if (link === undefined) throw new RangeError('the link was just made, or was there')
    return { link, created, idempotent: !created }
  })
}
