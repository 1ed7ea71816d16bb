import { asSealed, openText, sealText, type CellAddress } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import { newId } from '../core/ids.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { RelationType } from './relation-types.ts'

/** Edges between nodes of one vault. This folder knows ids and kinds of nodes, never what they hold. */
export interface LinkScope {
  id: string
  userId: string
  keys: ScopeKeys
}

export interface NewLink {
  sourceType: 'note' | 'memory'
  sourceId: string
  targetType: 'note' | 'memory'
  targetId: string
  relationType: RelationType
  label?: string | undefined
  origin: 'agent' | 'wiki' | 'write' | 'dashboard'
}

export interface StoredLink {
  linkId: string
  sourceId: string
  targetType: string
  targetId: string
  relationType: string
  label: string | undefined
}

/** A link is unique on source, target and relation: the same again changes nothing. */
export async function insertLink(tx: Tx, scope: LinkScope, seq: number, link: NewLink, at: number): Promise<void> {
  const id = newId()
  const { label, ...columns } = link
  await tx
    .insertInto('links')
    .values({
      id,
      userId: scope.userId,
      vaultId: scope.id,
      seq,
      ...columns,
      label: label === undefined ? null : sealText(scope.keys, 'content', labelAddress(scope, id), label),
      createdAt: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'vaultId', 'sourceId', 'targetId', 'relationType']).doNothing(),
    )
    .execute()
}

/** The links that leave any of these nodes, oldest first. */
export async function listLinksFrom(db: Reader, scope: LinkScope, sourceIds: readonly string[]): Promise<StoredLink[]> {
  if (sourceIds.length === 0) return []
  const rows = await db
    .selectFrom('links')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('sourceId', 'in', sourceIds)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    linkId: row.id,
    sourceId: row.sourceId,
    targetType: row.targetType,
    targetId: row.targetId,
    relationType: row.relationType,
    label:
      row.label === null
        ? undefined
        : openText(scope.keys, 'content', labelAddress(scope, row.id), asSealed(row.label)),
  }))
}

const labelAddress = ({ id, userId }: LinkScope, linkId: string): CellAddress => ({
  userId,
  scopeId: id,
  table: 'links',
  rowId: linkId,
  column: 'label',
  revision: 1,
})
