import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { openSettings } from './settings-store.ts'
import { defaultSettings, settingsRecord } from './settings.ts'

export const getSettings = operation({
  name: 'get-settings',
  for: { agent: { toolset: 'admin', scopes: ['read'] }, person: 'GET /api/settings' },
  vault: 'resolved',
  summary: "Read a vault's settings in effect.",
  effect: 'read',
  outdatedBy: ['settings'],
  input: z.object({ ...fields.inVault }),
  output: z.looseObject({ vaultId: z.uuid(), settings: settingsRecord, version: z.int() }),
  examples: {
    input: {},
    output: { vaultId: '0198c5f0-0000-7000-8000-000000000001', settings: exampleSettings(), version: 1 },
  },
  run: async (_, { vault }) => ({
    vaultId: vault.id,
    settings: { ...openSettings(vault) },
    version: vault.settings.version,
  }),
})

function exampleSettings(): z.input<typeof settingsRecord> {
  return { ...defaultSettings }
}
