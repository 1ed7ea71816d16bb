import { z } from 'zod'
import { forbidden, invalid } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { BackupFile, RunningBackup } from '../operation/backups.ts'
import type { PersonContext } from '../operation/context.ts'

/** What the operations on backups say of one. All of them are for the owner alone. */

export const backupRecord = z.looseObject({
  id: z.uuid(),
  file: z.string().describe('Where it lies, on the machine of the server.'),
  bytes: z.int(),
  createdAt: z.iso.datetime(),
  kind: z
    .enum(['manual', 'automatic'])
    .nullable()
    .describe('This and the next two are null where the file says nothing of itself any more.'),
  version: z.string().nullable().describe('Of the Holdfast that made it.'),
  schema: z.string().nullable().describe('The last change of the tables that it has.'),
  checkedAt: z.iso.datetime().describe('When all of it was last looked at; each is when it is made.'),
  problem: z.string().nullable().describe('Why it could not be restored here; null where it could, as last seen.'),
})

export const runningRecord = z.looseObject({
  id: z.uuid().describe('Of the backup that it becomes.'),
  kind: z.enum(['manual', 'automatic']),
  startedAt: z.iso.datetime(),
  step: z.enum(['copying', 'checking']),
  doneBytes: z.int().describe('Of this step.'),
  totalBytes: z.int(),
})

export const describeBackup = (backup: BackupFile): z.input<typeof backupRecord> => ({
  id: backup.id,
  file: backup.file,
  bytes: backup.bytes,
  createdAt: isoTime(backup.createdAt),
  kind: backup.kind ?? null,
  version: backup.version ?? null,
  schema: backup.schema ?? null,
  checkedAt: isoTime(backup.checkedAt),
  problem: backup.problem ?? null,
})

export const describeRunning = ({ startedAt, ...rest }: RunningBackup): z.input<typeof runningRecord> => ({
  ...rest,
  startedAt: isoTime(startedAt),
})

export const exampleBackup: z.input<typeof backupRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000b01',
  file: '/var/lib/holdfast/backups/holdfast-20261121T090000Z-0198c5f0-0000-7000-8000-000000000b01.backup',
  bytes: 1_830_912,
  createdAt: '2026-11-21T09:00:00.000Z',
  kind: 'manual',
  version: '0.1.0',
  schema: '0001-initial',
  checkedAt: '2026-11-21T09:00:00.000Z',
  problem: null,
}

/** Both as `pg_dump` and `pg_restore` are called; the address of the database holds a password, and stays in the environment. */
export const postgresCommand = 'pg_dump --format=custom --file=holdfast.dump "$HOLDFAST_DATABASE_URL"'

export const postgresSentence = `The store is PostgreSQL, whose own tool makes its backups: ${postgresCommand}`

/** For what only the owner does, and only with an embedded store. */
export function refuseOthers({ actor, backups }: PersonContext): void {
  if (!actor.isOwner) throw forbidden('Only the owner of this Holdfast may do that')
  if (!backups.isSupported) throw invalid({ '': postgresSentence })
}
