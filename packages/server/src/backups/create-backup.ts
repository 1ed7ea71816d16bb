import { z } from 'zod'
import { dashboardOperation } from '../operation/operation.ts'
import { describeRunning, exampleBackup, refuseOthers, runningRecord } from './backup.ts'

export const createBackup = dashboardOperation({
  name: 'create-backup',
  method: 'POST',
  path: '/api/backups',
  summary:
    'Begin a backup, or be told of the one that is being made; list-backups tells how far it is. For the owner alone.',
  effect: 'write',
  input: z.object({}),
  output: z.looseObject({ running: runningRecord }),
  examples: {
    input: {},
    output: {
      running: {
        id: exampleBackup.id,
        kind: 'manual',
        startedAt: exampleBackup.createdAt,
        step: 'copying',
        doneBytes: 0,
        totalBytes: 0,
      },
    },
  },
  created: () => true,
  async run(_input, ctx) {
    refuseOthers(ctx)
    return { running: describeRunning(ctx.backups.start()) }
  },
})
