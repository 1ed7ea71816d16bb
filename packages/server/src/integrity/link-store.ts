import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { IndexRemovalsTable, LinksTable } from '../db/tables/vault-index.ts'
import { relationTypes } from '../links/relation-types.ts'
import { removeLinks } from '../links/store.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { compareColumns } from './columns-store.ts'
import type { Found } from './problem.ts'

/** What links and removals say about records, compared with the records. */

/** The type of each of these records that exists. */
export async function findNodeTypes(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
): Promise<Map<string, 'memory' | 'note'>> {
  const known = new Map<string, 'memory' | 'note'>()
  if (ids.length === 0) return known
  for (const [table, type] of [
    ['memories', 'memory'],
    ['notes', 'note'],
  ] as const) {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('id', 'in', ids)
      .execute()
    for (const { id } of rows) known.set(id, type)
  }
  return known
}

/** Links whose ends, relations or states can't be. */
export async function compareLinkRows(db: Reader, scope: VaultScope, rows: readonly LinksTable[]): Promise<Found[]> {
  const types = await findNodeTypes(db, scope, [...new Set(rows.flatMap((row) => [row.sourceId, row.targetId]))])
  const found: Found[] = []
  for (const row of rows) {
    const name = { table: 'links', recordId: row.id }
    const place = { table: 'links', key: { id: row.id }, recordId: row.id } as const
    // Removing a link clears its label and its idempotency key.
    const isBack = row.removedAt !== null && (row.label !== null || row.externalTag !== null)
    if (isBack) found.push({ ...name, column: 'removedAt', problem: 'different', repair: bringBack(scope, row.id) })
    if (row.removedAt !== null && !isBack) continue
    const [sourceType, targetType] = [types.get(row.sourceId), types.get(row.targetId)]
    const isKnown = relationTypes.some((type) => type === row.relationType)
    if (sourceType === undefined || targetType === undefined || !isKnown) {
      const detail = 'one of its ends, or its relation, is lost; a repair removes the link'
      const repair: Found['repair'] = async (tx, seq) => {
        await removeLinks(tx, scope, { seq, at: row.createdAt }, [row.id])
      }
      found.push({ ...name, problem: 'surplus', detail, repair })
      continue
    }
    const origin = origins.find((one) => one === row.origin) ?? (row.relationType === 'wiki_link' ? 'wiki' : 'agent')
    found.push(...(await compareColumns(db, scope, place, [row, { sourceType, targetType, origin }])))
  }
  return found
}

/** Under a new change number, because an index may have been told that the link was removed. */
const bringBack =
  ({ userId, id }: VaultScope, linkId: string): NonNullable<Found['repair']> =>
  async (tx, seq) => {
    await tx
      .updateTable('links')
      .set({ seq, removedAt: null })
      .where('userId', '=', userId)
      .where('vaultId', '=', id)
      .where('id', '=', linkId)
      .execute()
  }

const origins = ['agent', 'wiki', 'write', 'dashboard'] as const

/** Records that are there, but that every index is told to forget. */
export async function findWrongRemovals(
  db: Reader,
  scope: VaultScope,
  rows: readonly IndexRemovalsTable[],
): Promise<Found[]> {
  const types = await findNodeTypes(
    db,
    scope,
    rows.map(({ itemId }) => itemId),
  )
  return rows.flatMap(({ itemId, seq: removedAt }) =>
    types.has(itemId)
      ? [
          {
            table: 'indexRemovals',
            recordId: itemId,
            problem: 'surplus',
            async repair(tx: Tx, seq: number) {
              await tx
                .deleteFrom('indexRemovals')
                .where('userId', '=', scope.userId)
                .where('vaultId', '=', scope.id)
                .where('itemId', '=', itemId)
                .where('seq', '=', removedAt)
                .execute()
              // Indexes that have forgotten it learn of it again.
              await updateEntry(tx, scope, seq, { itemId, facts: {} })
            },
          } as const,
        ]
      : [],
  )
}
