import { conflict, notFound } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import { lockSettings, openOverrides, openSettings, storeSettings, type SettingsScope } from './settings-store.ts'
import { changedSettings, patchSettings, type SettingsOverrides, type VaultSettings } from './settings.ts'

export interface ChangedSettings {
  settings: VaultSettings
  /** Those whose value is another now. */
  updated: string[]
  version: number
}

/** Changes a vault's settings by a merge patch: what is left out stays, null goes back to the default. */
export async function changeSettings(
  tx: Tx,
  vault: SettingsScope,
  patch: SettingsOverrides,
  expectedVersion?: number,
): Promise<ChangedSettings> {
  const stored = await lockSettings(tx, vault)
  if (stored === undefined) throw notFound('Vault')
  if (expectedVersion !== undefined && expectedVersion !== stored.version)
    throw conflict(`The settings have version ${stored.version}, not ${expectedVersion}; read them again`)
  const before = { ...vault, settings: stored }
  const overrides = openOverrides(before)
  const patched = patchSettings(overrides, patch)
  if (JSON.stringify(patched) === JSON.stringify(overrides))
    return { settings: openSettings(before), updated: [], version: stored.version }
  const version = stored.version + 1
  const cell = await storeSettings(tx, vault, patched, version)
  const settings = openSettings({ ...vault, settings: { cell, version } })
  return { settings, updated: changedSettings(openSettings(before), settings), version }
}
