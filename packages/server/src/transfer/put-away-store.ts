import type { Reader } from '../db/dialect.ts'
import { findPlaces } from './find-places.ts'
import type { CheckedRecord } from './record.ts'
import type { Importing } from './write-nodes.ts'

/**
 * At most a batch of records. Of those that are here already, the ones that are archived or in the trash here, though they were not where they come
 * from. An import restores nothing, and must not pass over that either.
 */
export async function findPutAway(
  db: Reader,
  ctx: Pick<Importing, 'vault'>,
  records: readonly CheckedRecord[],
): Promise<Set<CheckedRecord>> {
  const shown = records.filter((record) => isShown(record))
  if (shown.length === 0) return new Set()
  const places = await findPlaces(db, ctx, shown, new Map())
  const idOf = (record: CheckedRecord) => places.of(record)?.id ?? ''
  const ids = [...new Set(shown.map(idOf))]
  const rows = await db
    .selectFrom('indexEntries')
    .select('itemId')
    .where('userId', '=', ctx.vault.userId)
    .where('vaultId', '=', ctx.vault.id)
    .where('archived', '=', 1)
    .where('itemId', 'in', ids)
    .execute()
  const putAway = new Set(rows.map(({ itemId }) => itemId))
  return new Set(shown.filter((record) => putAway.has(idOf(record))))
}

const isShown = (record: CheckedRecord): boolean =>
  (record.kind === 'note' && record.trashedAt === undefined) ||
  (record.kind === 'memory' && record.archivedAt === undefined)
