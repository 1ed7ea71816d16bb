import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { changeSettings } from './change-settings.ts'
import { defaultSettings, settingsPatch, settingsRecord, type SettingsOverrides } from './settings.ts'

export const updateSettings = operation({
  name: 'update-settings',
  for: { agent: { scopes: ['admin'] } },
  vault: 'resolved',
  summary: "Change a vault's settings. What is left out stays; null goes back to the default.",
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
    const { settings: inForce, ...changed } = await db.write((tx) =>
      changeSettings(tx, vault, settings as SettingsOverrides, expectedVersion),
    )
    return { vaultId: vault.id, settings: { ...inForce }, ...changed }
  },
})

const needsModel =
  'this server has no language model; its operator sets HOLDFAST_EXTRACTION_URL and _MODEL. Until then use rules or off.'
