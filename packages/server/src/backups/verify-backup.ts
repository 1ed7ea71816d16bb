import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { backupRecord, describeBackup, exampleBackup, refuseOthers } from './backup.ts'

export const verifyBackup = operation({
  name: 'verify-backup',
  for: { person: 'POST /api/backups/verify' },
  summary:
    'Check a whole backup: that it is complete and unchanged, that this version knows its schema, and that the root key opens it. Owner only.',
  effect: 'write',
  changes: ['settings'],
  about: ({ id }) => refs('backup', id),
  input: z.object({ id: z.uuid().describe('The backup.') }),
  output: z.looseObject({ backup: backupRecord }),
  examples: { input: { id: exampleBackup.id }, output: { backup: exampleBackup } },
  async run({ id }, ctx) {
    refuseOthers(ctx)
    return { backup: describeBackup(await ctx.backups.verify(id.toLowerCase())) }
  },
})
