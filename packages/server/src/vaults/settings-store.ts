import { openJson, sealJson, type CellAddress, type Sealed } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { isWithin, type OwnerRange } from '../db/owner-range.ts'
import type { SealedSettings } from '../operation/context.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { withDefaults, type SettingsOverrides, type VaultSettings } from './settings.ts'

/** Opens and seals a vault's settings. */

export interface SettingsScope extends VaultScope {
  settings: SealedSettings
}

/** The settings in effect. Opened by each call that needs them, which takes about 10 µs; most operations don't. */
export const openSettings = (vault: SettingsScope): VaultSettings => withDefaults(openOverrides(vault))

export const openOverrides = ({ id, userId, keys, settings }: SettingsScope): SettingsOverrides =>
  settings.cell === null
    ? {}
    : (openJson(keys, 'content', address(userId, id, settings.version), settings.cell) as SettingsOverrides)

/** The current settings. The row stays locked until the transaction ends. */
export async function lockSettings(tx: Tx, vault: SettingsScope): Promise<SealedSettings> {
  await lockVault(tx, vault)
  const row = await tx
    .selectFrom('vaults')
    .select(['settings', 'settingsVersion'])
    .where('userId', '=', vault.userId)
    .where('id', '=', vault.id)
    .executeTakeFirstOrThrow()
  return { cell: row.settings, version: row.settingsVersion }
}

export async function storeSettings(
  tx: Tx,
  { id, userId, keys }: SettingsScope,
  overrides: SettingsOverrides,
  version: number,
): Promise<Sealed> {
  const settings = sealJson(keys, 'content', address(userId, id, version), overrides)
  await tx
    .updateTable('vaults')
    .set({ settings, settingsVersion: version })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
  return settings
}

/** The vaults whose settings aren't all defaults, by owner. */
export const listVaultsWithSettings = (
  db: Reader,
  owners: OwnerRange,
): Promise<{ userId: string; vaultId: string }[]> =>
  db
    .selectFrom('vaults')
    .select(['userId', 'id as vaultId'])
    .where(isWithin('userId', owners))
    .where('settings', 'is not', null)
    .orderBy('userId')
    .execute()

const address = (userId: string, vaultId: string, version: number): CellAddress => ({
  userId,
  scopeId: vaultId,
  table: 'vaults',
  rowId: vaultId,
  column: 'settings',
  revision: version,
})
