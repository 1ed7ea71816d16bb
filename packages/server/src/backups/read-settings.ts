import { z } from 'zod'

/** The settings of backups, for `config.ts`. */
export const backupVariables = {
  HOLDFAST_BACKUP_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder of the server's backups. Default: `backups` in the data folder."),
  HOLDFAST_BACKUP_EVERY: z.coerce
    .number()
    .int()
    .min(0)
    .max(8_760)
    .default(0)
    .describe('Hours between automatic backups of the embedded store; 0 turns them off.'),
  HOLDFAST_BACKUP_KEEP: z.coerce.number().int().min(1).default(7).describe('How many automatic backups to keep.'),
} as const

/** Reports settings that would have no effect, so nobody relies on backups that are never made. */
export const findBackupProblems = (given: {
  HOLDFAST_DATABASE_URL?: string
  HOLDFAST_BACKUP_EVERY?: string
}): string[] =>
  given.HOLDFAST_DATABASE_URL !== undefined && Number(given.HOLDFAST_BACKUP_EVERY ?? 0) > 0
    ? ['HOLDFAST_BACKUP_EVERY: works only with the embedded store. Schedule pg_dump instead, for example with cron']
    : []
