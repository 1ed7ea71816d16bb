import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { backupRecord, describeBackup, exampleBackup, refuseOthers } from './backup.ts'

export const verifyBackup = operation({
  name: 'verify-backup',
  for: { person: 'POST /api/backups/verify' },
  summary:
    'Look at all of a backup: whether it is what it was, whole, of a schema known here, and opens with the root key. For the owner alone.',
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
