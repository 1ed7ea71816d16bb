import type { VaultScope } from '../../crypto/keys.ts'
import type { Database, Reader } from '../../db/dialect.ts'

/** The records that wait for vectors. A flag in the index entry is the queue; it has an index and is rarely set. */

export const listVaultsMissingVectors = (db: Reader): Promise<{ userId: string; vaultId: string }[]> =>
  db
    .selectFrom('indexEntries')
    .select(['userId', 'vaultId'])
    .distinct()
    .where('vectorsMissing', '=', ({ lit }) => lit(1))
    .execute()

export interface WaitingEntry {
  itemId: string
  kind: string
  /** Increases with each change of the entry. */
  revision: number
}

export const listMissingVectors = (
  db: Reader,
  scope: VaultScope,
  afterId: string,
  limit: number,
): Promise<WaitingEntry[]> =>
  waitingIn(db, scope)
    .select(['itemId', 'kind', 'revision'])
    .where('itemId', '>', afterId)
    .orderBy('itemId')
    .limit(limit)
    .execute()

/** The given entries that still wait for vectors. */
export const listStillWaiting = (db: Reader, scope: VaultScope, itemIds: readonly string[]): Promise<WaitingEntry[]> =>
  waitingIn(db, scope).select(['itemId', 'kind', 'revision']).where('itemId', 'in', itemIds).execute()

/** Whether there are records that semantic search can't find yet. */
export async function lacksVectors(db: Reader, scope: VaultScope): Promise<boolean> {
  return (await waitingIn(db, scope).select('itemId').limit(1).executeTakeFirst()) !== undefined
}

export async function countMissingVectors(db: Reader, scope: VaultScope): Promise<number> {
  const { total } = await waitingIn(db, scope)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const waitingIn = (db: Reader, { id, userId }: VaultScope) =>
  db
    .selectFrom('indexEntries')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('vectorsMissing', '=', ({ lit }) => lit(1))

const rowsAtOnce = 500

/**
 * Flags the records of the vault without vectors by `model`, written while another or no provider was configured. Reads
 * all entries changed after `afterSeq`, a few hundred at a time (100,000: about 0.3 s), because a database index on
 * models would cost each write a page. `flagsAll` also flags records that have such vectors, for a model that has changed
 * under the same name. Returns the number.
 */
export async function markUnseen(
  db: Database,
  { userId, vaultId }: { userId: string; vaultId: string },
  model: string,
  { signal, flagsAll = false, afterSeq = 0 }: { signal: AbortSignal; flagsAll?: boolean; afterSeq?: number },
): Promise<number> {
  let after = { seq: afterSeq + 1, itemId: '' }
  let count = 0
  while (!signal.aborted) {
    const rows = await db.read
      .selectFrom('indexEntries')
      .select(['seq', 'itemId', 'vectorModel', 'vectorsMissing'])
      .where('userId', '=', userId)
      .where('vaultId', '=', vaultId)
      .where((row) => row(row.refTuple('seq', 'itemId'), '>', row.tuple(after.seq, after.itemId)))
      .orderBy('seq')
      .orderBy('itemId')
      .limit(rowsAtOnce)
      .execute()
    const unseen = rows.filter(
      ({ vectorModel, vectorsMissing }) => vectorsMissing === 0 && (flagsAll || vectorModel !== model),
    )
    count += unseen.length
    if (unseen.length > 0) await mark(db, { userId, vaultId }, flagsAll ? undefined : model, unseen)
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return count
    after = last
  }
  return count
}

async function mark(
  db: Database,
  { userId, vaultId }: { userId: string; vaultId: string },
  /** Skips records with vectors by this model. Undefined flags all. */
  model: string | undefined,
  unseen: readonly { itemId: string }[],
): Promise<void> {
  await db.write((tx) =>
    tx
      .updateTable('indexEntries')
      .set({ vectorsMissing: 1, ...(model === undefined && { vectorModel: null }) })
      .where('userId', '=', userId)
      .where('vaultId', '=', vaultId)
      .where(
        'itemId',
        'in',
        unseen.map(({ itemId }) => itemId),
      )
      // It may have been written again in the meantime.
      .where((row) => row.or([row('vectorModel', 'is', null), row('vectorModel', '!=', model ?? '')]))
      .execute(),
  )
}
