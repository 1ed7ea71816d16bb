import { sql } from 'kysely'
import type { Unwritten, Used } from '../calls/last-used.ts'
import type { VaultScope } from '../crypto/keys.ts'
import { type Database, jsonRows, type Tx } from '../db/dialect.ts'
import { type Param, prepared } from '../db/prepared.ts'
import type { MemoryReadsTable } from '../db/tables/memories.ts'
import { lockVaultRow } from '../vault-index/stored/store.ts'

/**
 * How often memories were read, and when last. A memory gets its row with its first read. Rows are narrow, and their only index is on the
 * key, so a flush changes some bytes of each: 0.11 KB of WAL in PostgreSQL.
 */

/** The places of the fields in a row of `asJson`. */
const place = { userId: 0, vaultId: 1, memoryId: 2, at: 3, count: 4 } as const

/** What the column holds. Without this limit, a count that an import claims would stop the statement for all others. */
const maxCount = 2_147_483_647

const addToKnown = prepared((db, param: Param<{ reads: string }>) => {
  const { from, text, number } = jsonRows(db, param('reads'))
  return db
    .updateTable('memoryReads')
    .from(from)
    .set(({ eb, ref }) => ({
      accessCount: eb
        .case()
        .when('memoryReads.accessCount', '>', sql<number>`${sql.lit(maxCount)} - ${number(place.count)}`)
        .then(sql.lit(maxCount))
        .else(eb('memoryReads.accessCount', '+', number(place.count)))
        .end(),
      lastAccessedAt: eb
        .case()
        .when('memoryReads.lastAccessedAt', '>', number(place.at))
        .then(ref('memoryReads.lastAccessedAt'))
        .else(number(place.at))
        .end(),
    }))
    .where('memoryReads.userId', '=', text(place.userId))
    .where('memoryReads.vaultId', '=', text(place.vaultId))
    .where('memoryReads.memoryId', '=', text(place.memoryId))
    .returning(['memoryReads.userId', 'memoryReads.vaultId', 'memoryReads.memoryId'])
})

/**
 * Adds up reads, batched by `calls/last-used.ts`. They change neither the version of a memory nor the number of its vault. One statement
 * adds to all rows that exist, in all vaults, and needs no vault's lock: if a row is deleted meanwhile, its reads go with it. Only the
 * first reads of memories take the lock of their vault.
 */
export async function addReads(db: Database, used: readonly Used[]): Promise<Unwritten | undefined> {
  const known = await db.write((tx) => addToKnown.execute(tx, { reads: asJson(used) }))
  const isKnown = new Set(known.map((row) => nameOf(row.userId, row.vaultId, row.memoryId)))
  const first = used.filter((each) => !isKnown.has(nameOf(each.userId, each.vaultId, each.id)))
  const left: Used[] = []
  const errors: unknown[] = []
  for (const some of Map.groupBy(first, (each) => nameOf(each.userId, each.vaultId)).values()) {
    // A vault that is locked doesn't hold up the others. If several fail, the database does, and each attempt may wait for it.
    if (errors.length < maxFailures)
      try {
        await addFirst(db, some)
        continue
      } catch (error) {
        errors.push(error)
      }
    left.push(...some)
  }
  return errors.length === 0 ? undefined : { rows: left, error: errors[0] }
}

const maxFailures = 3

const asJson = (used: readonly Used[]) =>
  JSON.stringify(used.map((each) => [each.userId, each.vaultId, each.id, each.at, each.count]))

const nameOf = (...ids: readonly (string | undefined)[]) => ids.join(' ')

const insertFirst = prepared((db, param: Param<{ reads: string; userId: string; vaultId: string }>) => {
  const { from, text, number } = jsonRows(db, param('reads'))
  return db
    .insertInto('memoryReads')
    .columns(['userId', 'vaultId', 'memoryId', 'lastAccessedAt', 'accessCount'])
    .expression((eb) =>
      eb
        .selectFrom('memories')
        .innerJoin(from, (join) => join.on('memories.id', '=', text(place.memoryId)))
        .select(['memories.userId', 'memories.vaultId', 'memories.id'])
        .select([number(place.at).as('at'), number(place.count).as('count')])
        .where('memories.userId', '=', param('userId'))
        .where('memories.vaultId', '=', param('vaultId')),
    )
    .onConflict((conflict) =>
      conflict.columns(['userId', 'vaultId', 'memoryId']).doUpdateSet(({ eb, ref }) => ({
        // Another server may have inserted the row since `addToKnown` looked for it.
        accessCount: eb
          .case()
          .when('memoryReads.accessCount', '>', sql<number>`${sql.lit(maxCount)} - ${ref('excluded.accessCount')}`)
          .then(sql.lit(maxCount))
          .else(eb('memoryReads.accessCount', '+', ref('excluded.accessCount')))
          .end(),
        lastAccessedAt: eb
          .case()
          .when('memoryReads.lastAccessedAt', '>', ref('excluded.lastAccessedAt'))
          .then(ref('memoryReads.lastAccessedAt'))
          .else(ref('excluded.lastAccessedAt'))
          .end(),
      })),
    )
})

/** Under the vault's lock, or a memory that is deleted at the same time would leave its row behind. */
async function addFirst(db: Database, used: readonly Used[]): Promise<void> {
  const [{ userId: owner, vaultId: vault } = {}] = used
  if (owner === undefined || vault === undefined) throw new RangeError('a memory belongs to a vault')
  await db.write(async (tx) => {
    if (await lockVaultRow(tx, owner, vault))
      await insertFirst.execute(tx, { userId: owner, vaultId: vault, reads: asJson(used) })
  }, vault)
}

/** For a memory that was read elsewhere: one that is imported or moved. */
export async function insertReads(tx: Tx, reads: MemoryReadsTable): Promise<void> {
  if (reads.accessCount > 0 || reads.lastAccessedAt !== null) await tx.insertInto('memoryReads').values(reads).execute()
}

export async function deleteReads(tx: Tx, scope: VaultScope, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('memoryReads')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('memoryId', 'in', ids)
    .execute()
}
