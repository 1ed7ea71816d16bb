import type { WrappedVaultKey } from '../auth/keyring.ts'
import { insertScopeKey, joinedKeyColumns, keyColumns } from '../auth/scope-key-store.ts'
import { sql } from 'kysely'
import { CellError, openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import { KeyWrapError, type ScopeKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { prepared, type Param } from '../db/prepared.ts'
import type { SealedSettings } from '../operation/context.ts'
import { refuseVault } from '../vault-index/stored/store.ts'

export interface VaultProfile {
  name: string
  description: string | undefined
}

export interface StoredVault {
  vaultId: string
  /** Its change number. */
  seq: number
  isDefault: boolean
  version: number
  createdAt: number
  updatedAt: number
  profile: VaultProfile
  /** Its keys or its profile can't be opened. Its id then stands for its name. */
  isDamaged?: true
}

/** The kinds of records whose changes webhooks can ask for, as the names of these events begin. */
const watched = ['memory', 'task', 'note']

const vaultKeys = prepared((db, param: Param<{ userId: string; vaultId: string }>) =>
  db
    .selectFrom('vaults as vault')
    .innerJoin('vaultKeys as key', (join) =>
      join.onRef('key.userId', '=', 'vault.userId').onRef('key.scopeId', '=', 'vault.id'),
    )
    .select(['vault.seq', 'vault.settings', 'vault.settingsVersion', ...joinedKeyColumns])
    .select((row) =>
      row
        .exists(
          row
            .selectFrom('webhooks as webhook')
            .select('webhook.id')
            .whereRef('webhook.userId', '=', 'vault.userId')
            .where('webhook.isActive', '=', 1)
            .where((of) => of.or([of('webhook.vaultId', 'is', null), of('webhook.vaultId', '=', param('vaultId'))]))
            .where((of) => of.or(watched.map((kind) => of('webhook.events', 'like', `%${kind}.%`)))),
        )
        .as('isWatched'),
    )
    .where('vault.userId', '=', param('userId'))
    .where('vault.id', '=', param('vaultId'))
    .orderBy('key.generation'),
)

export interface FoundVault {
  seq: number
  keys: WrappedVaultKey[]
  settings: SealedSettings
  isWatched: boolean
}

/** A vault's latest sequence number, its wrapped keys, its settings and whether it is watched, in one query that every call in a vault makes. */
export async function findVaultKeys(db: Reader, userId: string, vaultId: string): Promise<FoundVault | undefined> {
  const rows = await vaultKeys.execute(db, { userId, vaultId })
  const [first] = rows
  if (first === undefined) return undefined
  const settings = { cell: first.settings, version: first.settingsVersion }
  // SQLite has no booleans.
  return { seq: first.seq, keys: rows, settings, isWatched: Boolean(first.isWatched) }
}

const vaultHasKeys = prepared((db, param: Param<{ userId: string; vaultId: string }>) =>
  db
    .selectFrom('vaultKeys')
    .select('generation')
    .where('userId', '=', param('userId'))
    .where('scopeId', '=', param('vaultId'))
    .limit(sql.lit(1)),
)

/** False from the moment on at which the vault's erasure begins. */
export const hasKeys = async (db: Reader, userId: string, vaultId: string): Promise<boolean> =>
  (await vaultHasKeys.execute(db, { userId, vaultId })).length > 0

const takeNextSeq = prepared((db, param: Param<{ userId: string; vaultId: string; generation: number }>) =>
  db
    .updateTable('vaults')
    .set((vault) => ({ seq: vault('seq', '+', 1) }))
    .where('userId', '=', param('userId'))
    .where('id', '=', param('vaultId'))
    .where('minGeneration', '<=', param('generation'))
    .returning('seq'),
)

/**
 * Takes the vault's next sequence number. The row stays locked until the transaction ends, so numbers become visible in the order
 * of their commits, and writes to one vault run one after another. Throws if the keys must not seal any more, as `lockVault` does.
 */
export async function nextSeq(tx: Tx, vault: VaultScope): Promise<number> {
  const { id, userId, keys } = vault
  const [row] = await takeNextSeq.execute(tx, { userId, vaultId: id, generation: keys.current })
  return row === undefined ? refuseVault(tx, vault) : row.seq
}

export interface NewVault {
  userId: string
  vaultId: string
  profile: VaultProfile
  isDefault: boolean
  key: WrappedVaultKey
  at: number
}

export async function insertVault(tx: Tx, keys: ScopeKeys, { key, ...vault }: NewVault): Promise<void> {
  await insertVaultRow(tx, keys, { ...vault, seq: 0 })
  await insertScopeKey(tx, { userId: vault.userId, scopeId: vault.vaultId }, key, vault.at)
}

/** Without its keys. `seq`: no change of the vault has a higher number. */
export async function insertVaultRow(
  tx: Tx,
  keys: ScopeKeys,
  { userId, vaultId, profile, isDefault, seq, at }: Omit<NewVault, 'key'> & { seq: number },
): Promise<void> {
  await tx
    .insertInto('vaults')
    .values({
      id: vaultId,
      userId,
      profile: sealJson(keys, 'content', profileAddress(userId, vaultId, 1), profile),
      seq,
      minGeneration: keys.current,
      isDefault: isDefault ? 1 : 0,
      settingsVersion: 1,
      version: 1,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
}

/** Seals name and description again under the vault's new version. */
export async function updateVault(tx: Tx, keys: ScopeKeys, userId: string, vault: StoredVault): Promise<void> {
  const { vaultId, profile, isDefault, version, updatedAt } = vault
  await tx
    .updateTable('vaults')
    .set({
      profile: sealJson(keys, 'content', profileAddress(userId, vaultId, version), profile),
      isDefault: isDefault ? 1 : 0,
      version,
      updatedAt,
    })
    .where('userId', '=', userId)
    .where('id', '=', vaultId)
    .execute()
}

interface VaultReader {
  /** Unwraps a vault's keys. */
  unlock: (vaultId: string, keys: WrappedVaultKey[]) => ScopeKeys
  /** Told of each vault that can't be opened: one must not keep a person from the others. */
  onDamage: (address: CellAddress) => void
}

/** `only` selects vaults; an empty list finds nothing. */
export async function listVaults(
  db: Reader,
  userId: string,
  only: readonly string[] | undefined,
  { unlock, onDamage }: VaultReader,
): Promise<StoredVault[]> {
  if (only?.length === 0) return []
  const vaults = await db
    .selectFrom('vaults')
    .selectAll()
    .where('userId', '=', userId)
    .$if(only !== undefined, (query) => query.where('id', 'in', only ?? []))
    .orderBy('isDefault', 'desc')
    .orderBy('id')
    .execute()
  const keys = await db
    .selectFrom('vaultKeys')
    .select(['scopeId', ...keyColumns])
    .where('userId', '=', userId)
    .$if(only !== undefined, (query) => query.where('scopeId', 'in', only ?? []))
    .orderBy('generation')
    .execute()
  const byVault = Map.groupBy(keys, ({ scopeId }) => scopeId)
  const without = vaults.filter(({ id }) => !byVault.has(id)).map(({ id }) => id)
  const lost = await findWithLostKeys(db, userId, without)
  return vaults.flatMap((row) => {
    const own = byVault.get(row.id)
    // The vault is being erased; see erase-store.ts.
    if (own === undefined && !lost.has(row.id)) return []
    const { id: vaultId, seq, version, createdAt, updatedAt } = row
    const plain = { vaultId, seq, isDefault: row.isDefault === 1, version, createdAt, updatedAt }
    const address = profileAddress(userId, vaultId, version)
    try {
      if (own === undefined) throw new KeyWrapError('malformed')
      const profile = openJson(unlock(vaultId, own), 'content', address, row.profile) as VaultProfile
      return { ...plain, profile }
    } catch (error) {
      if (!(error instanceof CellError || error instanceof KeyWrapError)) throw error
      onDamage(error instanceof CellError ? address : { ...address, table: 'vaultKeys', column: 'wrappedKey' })
      return { ...plain, profile: { name: vaultId, description: undefined }, isDamaged: true as const }
    }
  })
}

/** Of these vaults, those that have no keys although nobody erased them. One statement, because a vault may be created or erased meanwhile. */
async function findWithLostKeys(db: Reader, userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('vaults as vault')
    .leftJoin('vaultKeys as key', (join) =>
      join.onRef('key.userId', '=', 'vault.userId').onRef('key.scopeId', '=', 'vault.id'),
    )
    .select('vault.id')
    .where('vault.userId', '=', userId)
    .where('vault.id', 'in', ids)
    .where('vault.erasedAt', 'is', null)
    .where('key.scopeId', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const profileAddress = (userId: string, vaultId: string, version: number): CellAddress => ({
  userId,
  scopeId: vaultId,
  table: 'vaults',
  rowId: vaultId,
  column: 'profile',
  revision: version,
})

/** Of all owners, including vaults that are being erased. */
export const listAllVaults = (db: Reader): Promise<{ userId: string; vaultId: string; seq: number }[]> =>
  db.selectFrom('vaults').select(['userId', 'id as vaultId', 'seq']).execute()

/** All vaults of the user, the default first, then the oldest. `withLost`: also those whose keys are lost. */
export async function listVaultIds(
  db: Reader,
  userId: string,
  { withLost = false }: { withLost?: boolean } = {},
): Promise<string[]> {
  const rows = await db
    .selectFrom('vaults as vault')
    .select('vault.id')
    .where('vault.userId', '=', userId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        ...(withLost ? [eb('vault.erasedAt', 'is', null)] : []),
        exists(
          selectFrom('vaultKeys as key')
            .select('key.scopeId')
            .whereRef('key.userId', '=', 'vault.userId')
            .whereRef('key.scopeId', '=', 'vault.id'),
        ),
      ]),
    )
    .orderBy('vault.isDefault', 'desc')
    .orderBy('vault.id')
    .execute()
  return rows.map(({ id }) => id)
}
