import { z } from 'zod'
import { conflict, invalid } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { lockSettings, openOverrides, openSettings, storeSettings, type SettingsScope } from './settings-store.ts'
import {
  changedSettings,
  defaultSettings,
  patchSettings,
  settingsPatch,
  settingsRecord,
  type SettingsOverrides,
  type VaultSettings,
} from './settings.ts'

export const updateSettings = operation({
  name: 'update-settings',
  for: { agent: { toolset: 'admin', scopes: ['admin'] }, person: 'PATCH /api/settings' },
  vault: 'resolved',
  leastRole: 'admin',
  summary: "Change a vault's settings. Omitted settings stay unchanged; null resets one to its default.",
  effect: 'write',
  changes: ['settings'],
  input: z.object({
    settings: settingsPatch.describe('The settings to change.'),
    expectedVersion: fields.expectedVersion,
    ...fields.inVault,
  }),
  output: z.looseObject({
    vaultId: z.uuid(),
    settings: settingsRecord,
    updated: z.array(z.string()).describe('The settings that have a different value now.'),
    version: z.int(),
  }),
  examples: {
    input: { settings: { threshold: 0.5, customSignalKeywords: ['ticket'], decayHalfLife: null } },
    output: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      settings: { ...defaultSettings, threshold: 0.5, customSignalKeywords: ['ticket'] },
      updated: ['threshold', 'customSignalKeywords'],
      version: 2,
    },
  },
  async run({ settings: patch, expectedVersion }, { db, vault, hasLanguageModel }) {
    if (patch.extraction === 'llm' && !hasLanguageModel) throw invalid({ 'settings.extraction': needsModel })
    const { settings, ...changed } = await db.write((tx) =>
      changeSettings(tx, vault, patch as SettingsOverrides, expectedVersion),
    )
    return { vaultId: vault.id, settings: { ...settings }, ...changed }
  },
})

const needsModel =
  'this server has no language model; its operator can set HOLDFAST_EXTRACTION_URL and _MODEL. Until then use rules or off.'

interface ChangedSettings {
  settings: VaultSettings
  updated: string[]
  version: number
}

/** Applies a merge patch to the vault's settings in a transaction. */
async function changeSettings(
  tx: Tx,
  vault: SettingsScope,
  patch: SettingsOverrides,
  expectedVersion?: number,
): Promise<ChangedSettings> {
  const stored = await lockSettings(tx, vault)
  if (expectedVersion !== undefined && expectedVersion !== stored.version)
    throw conflict(`The settings have version ${stored.version}, not ${expectedVersion}. Read them again`)
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
