import { z } from 'zod'
import { conflict, invalid, notFound } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { lockSettings, openOverrides, openSettings, storeSettings } from './settings-store.ts'
import {
  changedSettings,
  defaultSettings,
  patchSettings,
  settingsPatch,
  settingsRecord,
  type SettingsOverrides,
} from './settings.ts'

export const updateSettings = operation({
  name: 'update-settings',
  scopes: ['admin'],
  vault: 'resolved',
  summary: "Change a vault's settings. What is left out stays; null goes back to the default.",
  effect: 'write',
  input: z.object({
    settings: settingsPatch.describe('The settings to change.'),
    expectedVersion: fields.expectedVersion,
    ...fields.inVault,
  }),
  output: z.looseObject({
    vaultId: z.uuid(),
    settings: settingsRecord,
    updated: z.array(z.string()).describe('The settings whose value is another now.'),
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
  async run({ settings, expectedVersion }, { db, vault, hasLanguageModel }) {
    if (settings.extraction === 'llm' && !hasLanguageModel) throw invalid({ 'settings.extraction': needsModel })
    return db.write(async (tx) => {
      const stored = await lockSettings(tx, vault)
      if (stored === undefined) throw notFound('Vault')
      if (expectedVersion !== undefined && expectedVersion !== stored.version)
        throw conflict(`The settings have version ${stored.version}, not ${expectedVersion}; read them again`)
      const before = { ...vault, settings: stored }
      const overrides = openOverrides(before)
      const patched = patchSettings(overrides, settings as SettingsOverrides)
      if (JSON.stringify(patched) === JSON.stringify(overrides))
        return { vaultId: vault.id, settings: { ...openSettings(before) }, updated: [], version: stored.version }
      const version = stored.version + 1
      const cell = await storeSettings(tx, vault, patched, version)
      const after = openSettings({ ...vault, settings: { cell, version } })
      return {
        vaultId: vault.id,
        settings: { ...after },
        updated: changedSettings(openSettings(before), after),
        version,
      }
    })
  },
})

const needsModel =
  'this server has no language model; its operator sets HOLDFAST_EXTRACTION_URL and _MODEL. Until then use rules or off.'
