import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleBackup, refuseOthers } from './backup.ts'

export const deleteBackup = operation({
  name: 'delete-backup',
  for: { person: 'DELETE /api/backups' },
  summary: 'Delete a backup file permanently. Owner only.',
  effect: 'destructive',
  changes: ['settings'],
  errors: ['conflict'],
  about: ({ id }) => refs('backup', id),
  input: z.object({ id: z.uuid().describe('The backup.') }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: { input: { id: exampleBackup.id }, output: { id: exampleBackup.id, deleted: true } },
  async run({ id }, ctx) {
    refuseOthers(ctx)
    await ctx.backups.remove(id.toLowerCase())
    return { id, deleted: true } as const
  },
})
