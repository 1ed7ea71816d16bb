import type { VaultScope } from '../../crypto/keys.ts'
import type { Database, Reader } from '../../db/dialect.ts'

/** The records that wait for vectors. A mark in the index entry is the queue; it is indexed, and rare. */

export const listVaultsMissingVectors = (db: Reader): Promise<{ userId: string; vaultId: string }[]> =>
  db.selectFrom('indexEntries').select(['userId', 'vaultId']).distinct().where('vectorsMissing', '=', 1).execute()

export interface WaitingEntry {
  itemId: string
  kind: string
  /** Of the entry, which whoever changes what search finds of the record raises. */
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

/** Those of the entries that wait for vectors. */
export const listStillWaiting = (db: Reader, scope: VaultScope, itemIds: readonly string[]): Promise<WaitingEntry[]> =>
  waitingIn(db, scope).select(['itemId', 'kind', 'revision']).where('itemId', 'in', itemIds).execute()

/** Whether there are records that search by meaning cannot see yet. */
export async function lacksVectors(db: Reader, scope: VaultScope): Promise<boolean> {
  return (await waitingIn(db, scope).select('itemId').limit(1).executeTakeFirst()) !== undefined
}

/** How many there are of them. */
export async function countMissingVectors(db: Reader, scope: VaultScope): Promise<number> {
  const { total } = await waitingIn(db, scope)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const waitingIn = (db: Reader, { id, userId }: VaultScope) =>
  db.selectFrom('indexEntries').where('userId', '=', userId).where('vaultId', '=', id).where('vectorsMissing', '=', 1)

const lookedAtAtOnce = 500

/**
 * Marks the records of the vault that `model` has not seen yet: those written while another one or none was configured. Reads every
 * entry's row that changed after `afterSeq`, some hundreds at a time (100,000: about 0.3 s), as an index of models would cost each
 * write a page. `isAnew`: those that it has seen as well, as it is another model now under the same name. Returns how many it marked.
 */
export async function markUnseen(
  db: Database,
  { userId, vaultId }: { userId: string; vaultId: string },
  model: string,
  { signal, isAnew = false, afterSeq = 0 }: { signal: AbortSignal; isAnew?: boolean; afterSeq?: number },
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
      .limit(lookedAtAtOnce)
      .execute()
    const unseen = rows.filter(
      ({ vectorModel, vectorsMissing }) => vectorsMissing === 0 && (isAnew || vectorModel !== model),
    )
    count += unseen.length
    if (unseen.length > 0) await mark(db, { userId, vaultId }, isAnew ? undefined : model, unseen)
    const last = rows.at(-1)
    if (last === undefined || rows.length < lookedAtAtOnce) return count
    after = last
  }
  return count
}

async function mark(
  db: Database,
  { userId, vaultId }: { userId: string; vaultId: string },
  /** Whose records are left as they are. */
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
      // Written anew meanwhile, perhaps.
      .where((row) => row.or([row('vectorModel', 'is', null), row('vectorModel', '!=', model ?? '')]))
      .execute(),
  )
}
