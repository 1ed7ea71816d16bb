import { exactTag } from '../crypto/hash.ts'
import { asSealed, openText, sealText, type CellAddress } from '../crypto/cell.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import { newId } from '../core/ids.ts'
import type { WriteTime } from '../core/time.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { prepared, type Param } from '../db/prepared.ts'
import type { LinksTable } from '../db/tables/vault-index.ts'
import type { RelationType } from './relation-types.ts'

/** Links between nodes of one vault. This folder knows the ids and types of nodes, but not their contents. */

export type NodeType = 'note' | 'memory'

/** Unique in a vault. */
export interface Triple {
  sourceId: string
  targetId: string
  relationType: RelationType
}

export interface NewLink extends Triple {
  sourceType: NodeType
  targetType: NodeType
  label?: string | undefined
  origin: 'agent' | 'wiki' | 'write' | 'dashboard'
  externalWriteId?: string | undefined
}

export interface StoredLink extends Triple {
  linkId: string
  sourceType: NodeType
  targetType: NodeType
  label: string | undefined
  origin: NewLink['origin']
  createdAt: number
}

// With a new id, so that a removed link's id finds nothing and no cell address is used twice.
const insertRow = prepared((db, param: Param<Omit<LinksTable, 'removedAt'>>) =>
  db
    .insertInto('links')
    .values({
      id: param('id'),
      userId: param('userId'),
      vaultId: param('vaultId'),
      seq: param('seq'),
      sourceType: param('sourceType'),
      sourceId: param('sourceId'),
      targetType: param('targetType'),
      targetId: param('targetId'),
      relationType: param('relationType'),
      label: param('label'),
      origin: param('origin'),
      createdAt: param('createdAt'),
      externalTag: param('externalTag'),
      removedAt: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'vaultId', 'sourceId', 'targetId', 'relationType'])
        .doUpdateSet((row) => ({
          id: row.ref('excluded.id'),
          seq: row.ref('excluded.seq'),
          sourceType: row.ref('excluded.sourceType'),
          targetType: row.ref('excluded.targetType'),
          label: row.ref('excluded.label'),
          origin: row.ref('excluded.origin'),
          createdAt: row.ref('excluded.createdAt'),
          externalTag: row.ref('excluded.externalTag'),
          removedAt: null,
        }))
        .where('links.removedAt', 'is not', null),
    )
    .returning('id'),
)

/**
 * A link is unique by source, target and relation. If it exists, nothing changes except that it takes an `externalWriteId` it lacks,
 * and its id is returned. A removed link is created again.
 */
export async function insertLink(
  tx: Tx,
  scope: VaultScope,
  { seq, at }: WriteTime,
  { label, externalWriteId, ...columns }: NewLink,
): Promise<{ linkId: string; created: boolean }> {
  const id = newId()
  const tag = externalWriteId === undefined ? null : externalTag(scope, externalWriteId)
  const [created] = await insertRow.execute(tx, {
    id,
    userId: scope.userId,
    vaultId: scope.id,
    seq,
    ...columns,
    label: label === undefined ? null : sealText(scope.keys, 'content', labelAddress(scope, id), label),
    createdAt: at,
    externalTag: tag,
  })
  if (created !== undefined) return { linkId: id, created: true }
  const existing = await linksIn(tx, scope)
    .select('id')
    .where('sourceId', '=', columns.sourceId)
    .where('targetId', '=', columns.targetId)
    .where('relationType', '=', columns.relationType)
    .executeTakeFirstOrThrow()
  if (tag !== null) await claimTag(tx, scope, existing.id, tag)
  return { linkId: existing.id, created: false }
}

const claimTag = (tx: Tx, scope: VaultScope, linkId: string, externalTag: Uint8Array) =>
  tx
    .updateTable('links')
    .set({ externalTag })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', linkId)
    .where('externalTag', 'is', null)
    .execute()

/**
 * Removes links and returns how many existed. Their rows stay under the new sequence number, without label and idempotency key, so
 * that every index learns of the removal. A few hundred at most in one transaction.
 */
export async function removeLinks(
  tx: Tx,
  scope: VaultScope,
  { seq, at }: WriteTime,
  linkIds: readonly string[],
): Promise<number> {
  if (linkIds.length === 0) return 0
  const { numUpdatedRows } = await tx
    .updateTable('links')
    .set({ seq, removedAt: at, label: null, externalTag: null })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', 'in', linkIds)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Finds a link by its id and optionally its ends, by its ends and relation, or by its idempotency key. */
export type LinkChoice =
  | Triple
  | ({ linkId: string } & { [Field in keyof Triple]?: Triple[Field] | undefined })
  | { externalWriteId: string }

export async function findLink(db: Reader, scope: VaultScope, which: LinkChoice): Promise<StoredLink | undefined> {
  const row = await linksIn(db, scope)
    .selectAll()
    .where(({ and }) => and(columnsOf(scope, which)))
    .executeTakeFirst()
  return row && openLink(scope, row)
}

/** The id of a removed link. */
export async function findRemovedLinkId(db: Reader, scope: VaultScope, which: LinkChoice): Promise<string | undefined> {
  const row = await rowsIn(db, scope)
    .select('id')
    .where('removedAt', 'is not', null)
    .where(({ and }) => and(columnsOf(scope, which)))
    .executeTakeFirst()
  return row?.id
}

function columnsOf(scope: VaultScope, which: LinkChoice) {
  if ('externalWriteId' in which) return { externalTag: externalTag(scope, which.externalWriteId) }
  const { sourceId, targetId, relationType } = which
  return {
    ...('linkId' in which && { id: which.linkId }),
    ...(sourceId !== undefined && { sourceId }),
    ...(targetId !== undefined && { targetId }),
    ...(relationType !== undefined && { relationType }),
  }
}

/** The links that leave any of these nodes, oldest first. */
export async function listLinksFrom(
  db: Reader,
  scope: VaultScope,
  sourceIds: readonly string[],
): Promise<StoredLink[]> {
  if (sourceIds.length === 0) return []
  const rows = await linksIn(db, scope).selectAll().where('sourceId', 'in', sourceIds).orderBy('id').execute()
  return rows.map((row) => openLink(scope, row))
}

export type LinkCounts = { out: number; in: number }

/** How many links leave and reach each of these nodes; zeros for nodes without links. */
export async function countLinks(
  db: Reader,
  scope: VaultScope,
  nodeIds: readonly string[],
): Promise<Map<string, LinkCounts>> {
  const counts = new Map(nodeIds.map((id) => [id, { out: 0, in: 0 }]))
  if (nodeIds.length === 0) return counts
  for (const [end, side] of [
    ['sourceId', 'out'],
    ['targetId', 'in'],
  ] as const) {
    const rows = await linksIn(db, scope)
      .select((row) => [`${end} as nodeId`, row.fn.countAll<number>().as('count')])
      .where(end, 'in', nodeIds)
      .groupBy(end)
      .execute()
    for (const { nodeId, count } of rows) (counts.get(nodeId) ?? { [side]: 0 })[side] = count
  }
  return counts
}

const rowsIn = (db: Reader, scope: VaultScope) =>
  db.selectFrom('links').where('userId', '=', scope.userId).where('vaultId', '=', scope.id)

/** Links that are not removed. */
export const linksIn = (db: Reader, scope: VaultScope) => rowsIn(db, scope).where('removedAt', 'is', null)

export const openLink = (scope: VaultScope, row: LinksTable): StoredLink => ({
  linkId: row.id,
  sourceType: row.sourceType as NodeType,
  sourceId: row.sourceId,
  targetType: row.targetType as NodeType,
  targetId: row.targetId,
  relationType: row.relationType as RelationType,
  label:
    row.label === null ? undefined : openText(scope.keys, 'content', labelAddress(scope, row.id), asSealed(row.label)),
  origin: row.origin as NewLink['origin'],
  createdAt: row.createdAt,
})

const externalTag = ({ keys }: VaultScope, externalWriteId: string): Buffer =>
  exactTag(tagKeys(keys).exact, 'link externalWriteId', externalWriteId)

const labelAddress = ({ id, userId }: VaultScope, linkId: string): CellAddress => ({
  userId,
  scopeId: id,
  table: 'links',
  rowId: linkId,
  column: 'label',
  revision: 1,
})
