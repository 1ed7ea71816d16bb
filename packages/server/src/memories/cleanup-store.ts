import type { WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader, Tx } from '../db/dialect.ts'
import type { MemoriesTable } from '../db/tables/memories.ts'
import { queueForAll } from './store.ts'

/** The columns that a clean-up filters by. None is sealed. */
export type MemoryFacts = Pick<
  MemoriesTable,
  'id' | 'type' | 'importance' | 'confidence' | 'expiresAt' | 'createdAt' | 'updatedAt'
> & { lastAccessedAt: number | null }

const columns = ['id', 'type', 'importance', 'confidence', 'expiresAt', 'createdAt', 'updatedAt'] as const

/** About 5 ms; other requests run between pages. */
const pageRows = 1_000

/** The memories of a vault that are not archived or superseded, oldest first, in pages, after an id. */
export async function* pagesOfMemories(db: Reader, scope: VaultScope, afterId = ''): AsyncGenerator<MemoryFacts[]> {
  let after = afterId
  while (true) {
    const rows = await current(db, scope).where('id', '>', after).orderBy('id').limit(pageRows).execute()
    const last = rows.at(-1)
    const times = last && (await lastAccesses(db, scope, after, last.id))
    yield rows.map((row) => ({ ...row, lastAccessedAt: times?.get(row.id) ?? null }))
    if (last === undefined || rows.length < pageRows) return
    after = last.id
    await nextTurn()
  }
}

/** Of the memories after an id, up to another. Apart from the page, because PostgreSQL would read all reads of the vault to join them. */
async function lastAccesses(
  db: Reader,
  scope: VaultScope,
  after: string,
  last: string,
): Promise<Map<string, number | null>> {
  const rows = await db
    .selectFrom('memoryReads')
    .select(['memoryId', 'lastAccessedAt'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('memoryId', '>', after)
    .where('memoryId', '<=', last)
    .execute()
  return new Map(rows.map(({ memoryId, lastAccessedAt }) => [memoryId, lastAccessedAt]))
}

/** The memories that are still not archived or superseded, with what shows whether they changed. */
export const findCurrent = (
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
): Promise<{ id: string; updatedAt: number }[]> => current(db, scope).where('id', 'in', ids).orderBy('id').execute()

const current = (db: Reader, scope: VaultScope) =>
  db
    .selectFrom('memories')
    .select(columns)
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('archivedAt', 'is', null)
    .where('supersededById', 'is', null)

/** The ids of open tasks and of memories that others were derived from. */
export async function listNeeded(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const open = await db
    .selectFrom('tasks')
    .innerJoin('memories', (join) =>
      join.onRef('memories.userId', '=', 'tasks.userId').onRef('memories.id', '=', 'tasks.id'),
    )
    .select('tasks.id')
    .where('tasks.userId', '=', scope.userId)
    .where('tasks.id', 'in', ids)
    .where('tasks.status', '!=', 'done')
    .where('memories.type', '=', 'task')
    .execute()
  const links = db
    .selectFrom('links')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('removedAt', 'is', null)
  const derived = await links
    .select('targetId as id')
    .where('targetId', 'in', ids)
    .where('relationType', '=', 'derived_from')
    .execute()
  const sources = await links
    .select('sourceId as id')
    .where('sourceId', 'in', ids)
    .where('relationType', '=', 'source_of')
    .execute()
  return new Set([...open, ...derived, ...sources].map(({ id }) => id))
}

/** Archives memories and their index entries under the vault's change number. Marks those of a person, for the review. */
export async function archiveAll(
  tx: Tx,
  scope: VaultScope,
  { seq, at }: WriteTime,
  { ids, personsIds, byId }: { ids: readonly string[]; personsIds: readonly string[]; byId: string | undefined },
): Promise<void> {
  if (ids.length === 0) return
  if (personsIds.length > 0)
    await tx
      .updateTable('memories')
      .set({ removedById: byId ?? null })
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('id', 'in', personsIds)
      .execute()
  await tx
    .updateTable('memories')
    .set((memory) => ({ archivedAt: at, updatedAt: at, version: memory('version', '+', 1) }))
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', 'in', ids)
    .execute()
  await tx
    .updateTable('indexEntries')
    // As in `archivedFact`: a memory that had expired by then counts only as expired.
    .set((entry) => ({ archived: entry.case().when('expiresAt', '<=', at).then(0).else(1).end(), seq }))
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('itemId', 'in', ids)
    .execute()
  await queueForAll(tx, scope, ids, { change: 'archived', at })
}
