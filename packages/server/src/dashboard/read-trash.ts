import { changeTypes } from '../calls/call.ts'
import { z } from 'zod'
import { countArchivedSince, countPlain } from '../memories/list-store.ts'
import { listOutlines } from '../notes/list-store.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { maxRetentionDays } from '../vaults/settings.ts'

const dayMs = 24 * 3_600_000

export const readTrash = operation({
  name: 'read-trash',
  for: { person: 'GET /api/trash' },
  vault: 'required',
  summary: "Count the records in a vault's trash and archive, and show when they are deleted permanently.",
  effect: 'read',
  outdatedBy: changeTypes,
  input: z.object({
    ...ownVault,
    olderThanDays: z.coerce
      .number()
      .int()
      .min(1)
      .max(maxRetentionDays)
      .optional()
      .describe('Also count, as `due`, the records that were archived more than this many days ago.'),
  }),
  output: z.looseObject({
    trash: z.looseObject({
      memories: z.int().describe('Archived memories, without tasks.'),
      tasks: z.int().describe('Archived tasks.'),
      notes: z.int().describe('In the trash; they stay there until a person deletes them.'),
      archivedDays: z
        .int()
        .nullable()
        .describe('Days after which archived memories and tasks are deleted permanently; null: never.'),
      due: z.int().optional().describe('With `olderThanDays`: how many memories and tasks were archived longer ago.'),
    }),
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001' },
    output: { trash: { memories: 3, tasks: 1, notes: 0, archivedDays: 90 } },
  },
  async run({ olderThanDays }, { db, vault, now }) {
    const counts = (await countPlain(db.read, vault, now())).filter(({ isArchived }) => isArchived === 1)
    const count = (isTask: boolean) =>
      counts.filter(({ type }) => (type === 'task') === isTask).reduce((total, each) => total + each.count, 0)
    const { total: notes } = await listOutlines(db.read, vault, { state: 'trashed' }, { limit: 1, offset: 0 })
    const { archivedDays } = openSettings(vault).retention
    const kept = { memories: count(false), tasks: count(true), notes, archivedDays }
    if (olderThanDays === undefined) return { trash: kept }
    const recent = await countArchivedSince(db.read, vault, now() - olderThanDays * dayMs)
    return { trash: { ...kept, due: kept.memories + kept.tasks - recent } }
  },
})
