import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { VaultKeysTable, VaultsTable } from '../db/tables/vaults.ts'
import { insertVaultRow } from '../vaults/store.ts'
import type { Found } from './problem.ts'

/** What the numbers of a vault must be, by its rows and its keys. */

export async function compareVaults(db: Reader, scope: VaultScope, rows: readonly VaultsTable[]): Promise<Found[]> {
  const found: Found[] = []
  for (const { id, seq, minGeneration, erasedAt } of rows) {
    const set = (column: 'seq' | 'minGeneration' | 'erasedAt', value: number | null): Found => ({
      table: 'vaults',
      recordId: id,
      column,
      problem: 'different',
      repair: (tx) => setNumber(tx, scope, { [column]: value }),
    })
    // A higher one than of any key would refuse all writes.
    const newest = await findNewestKey(db, scope)
    // It was erased meanwhile.
    if (newest === null) continue
    // Its erasure deletes the keys first.
    if (erasedAt !== null) found.push(set('erasedAt', null))
    if (minGeneration > newest) found.push(set('minGeneration', newest))
    // Indexes take in what has a higher number than they have. A row with a higher one than its vault would hide all changes up to it.
    const highest = await findHighest(db, scope)
    if (highest > seq) found.push(set('seq', highest + 1))
  }
  return found
}

/** As stored now: keys that were opened earlier may have been replaced, and writes under them must stay refused. */
async function findNewestKey(db: Reader, { userId, id }: VaultScope): Promise<number | null> {
  const { newest } = await db
    .selectFrom('vaultKeys')
    .select(({ fn }) => fn.max<number | null>('generation').as('newest'))
    .where('userId', '=', userId)
    .where('scopeId', '=', id)
    .executeTakeFirstOrThrow()
  return newest
}

/** Vaults of which only the keys are left. Their records are back once there is a vault again. */
export async function findLostVaults(db: Reader, scope: VaultScope, rows: readonly VaultKeysTable[]): Promise<Found[]> {
  const { userId, id, keys } = scope
  // Once, however many keys it has.
  const first = Math.min(...keys.generations.keys())
  if (id === userId || !rows.some(({ generation }) => generation === first)) return []
  const vault = db.selectFrom('vaults').select('id').where('userId', '=', userId).where('id', '=', id)
  if ((await vault.executeTakeFirst()) !== undefined) return []
  return [
    {
      table: 'vaults',
      recordId: id,
      problem: 'gone',
      detail: 'its name, its settings and its rules are lost; a repair calls it “Recovered vault”',
      async repair(tx) {
        const seq = (await findHighest(tx, scope)) + 1
        await insertVaultRow(tx, keys, {
          userId,
          vaultId: id,
          profile,
          isDefault: false,
          seq,
          at: rows[0]?.createdAt ?? 0,
        })
      },
    },
  ]
}

const profile = { name: 'Recovered vault', description: undefined }

async function findHighest(db: Reader, scope: VaultScope): Promise<number> {
  let highest = 0
  for (const table of ['indexEntries', 'links', 'indexRemovals'] as const) {
    const last = await db
      .selectFrom(table)
      .select('seq')
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    highest = Math.max(highest, last?.seq ?? 0)
  }
  return highest
}

async function setNumber(
  tx: Tx,
  { userId, id }: VaultScope,
  value: Partial<Pick<VaultsTable, 'seq' | 'minGeneration' | 'erasedAt'>>,
): Promise<void> {
  await tx.updateTable('vaults').set(value).where('userId', '=', userId).where('id', '=', id).execute()
}
