import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { changeSettings } from '../vaults/change-settings.ts'
import { maxRetentionDays } from '../vaults/settings.ts'

export const updateTrashSettings = operation({
  name: 'update-trash-settings',
  for: { person: 'PATCH /api/trash' },
  vault: 'required',
  summary: 'Set how long a vault keeps archived memories and tasks before they are deleted for good.',
  effect: 'write',
  changes: ['settings'],
  input: z.object({
    ...ownVault,
    archivedDays: z
      .int()
      .min(1)
      .max(maxRetentionDays)
      .nullable()
      .optional()
      .describe(
        'Days from the moment of archiving; what is older is deleted for good within hours. null: kept for ever. Left out it stays.',
      ),
  }),
  output: z.looseObject({ archivedDays: z.int().nullable() }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', archivedDays: 90 },
    output: { archivedDays: 90 },
  },
  async run({ archivedDays }, { db, vault }) {
    const { settings } = await db.write((tx) =>
      changeSettings(tx, vault, archivedDays === undefined ? {} : { retention: { archivedDays } }),
    )
    return { archivedDays: settings.retention.archivedDays }
  },
})
