import { z } from 'zod'
import { forbidden, invalid } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import { backupKinds, type BackupFile, type RunningBackup } from '../operation/backups.ts'
import type { PersonContext } from '../operation/context.ts'

/** How the operations on backups describe one. Only the owner can call them. */

export const backupRecord = z.looseObject({
  id: z.uuid(),
  file: z.string().describe("Its path on the server's machine."),
  bytes: z.int(),
  createdAt: z.iso.datetime(),
  kind: z
    .enum(backupKinds)
    .nullable()
    .describe(
      'Why it was made: someone asked for it, it was due, or the server was about to update its tables. Null if the file is too damaged to read this, as are `version` and `schema`.',
    ),
  version: z
    .string()
    .nullable()
    .describe('The version of Holdfast that created it; for `before-update`, the version that updated the tables.'),
  schema: z.string().nullable().describe('Its last migration.'),
  checkedAt: z.iso
    .datetime()
    .describe('When the whole file was last checked. Each backup is checked when it is created.'),
  problem: z.string().nullable().describe("Why it can't be restored here; null if it can, as of the last check."),
  expiresAt: z.iso
    .datetime()
    .nullable()
    .describe(
      'When the server deletes it, for `before-update`; earlier if a vault is deleted permanently. Null for the others.',
    ),
})

export const runningRecord = z.looseObject({
  id: z.uuid().describe('The id that the backup will have.'),
  kind: z.enum(backupKinds),
  startedAt: z.iso.datetime(),
  step: z.enum(['copying', 'checking', 'uploading']).describe('`uploading`: to S3.'),
  doneBytes: z.int().describe('Bytes processed in this step.'),
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
  expiresAt: backup.expiresAt === undefined ? null : isoTime(backup.expiresAt),
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
  expiresAt: null,
}

/** The commands to run. The database URL contains a password, so it stays in the environment. */
export const postgresCommand = 'pg_dump --format=custom --file=holdfast.dump "$HOLDFAST_DATABASE_URL"'

export const postgresSentence = `This server uses PostgreSQL. Back it up with its own tool: ${postgresCommand}`

/** Throws unless the owner calls, and the store is embedded. */
export function refuseOthers({ actor, backups }: Pick<PersonContext, 'actor' | 'backups'>): void {
  if (!actor.isOwner) throw forbidden('Only the owner of this server can do that')
  if (!backups.isSupported) throw invalid({ '': postgresSentence })
}
