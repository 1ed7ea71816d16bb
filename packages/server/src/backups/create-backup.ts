import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeRunning, exampleBackup, refuseOthers, runningRecord } from './backup.ts'

export const createBackup = operation({
  name: 'create-backup',
  for: { person: 'POST /api/backups' },
  summary: 'Start a backup, or return the one in progress. list-backups shows its progress. Owner only.',
  effect: 'write',
  changes: ['settings'],
  errors: ['conflict'],
  input: z.object({}),
  output: z.looseObject({ running: runningRecord }),
  returns: ({ running }) => refs('backup', running.id),
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
    const running = describeRunning(ctx.backups.start())
    ctx.about('backup', running.id)
    return { running }
  },
})
