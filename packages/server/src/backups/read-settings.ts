import { z } from 'zod'
import { endpointUrl, headerText } from '../core/endpoint-settings.ts'
import type { S3Settings } from './s3/client.ts'

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
  HOLDFAST_BACKUP_S3: z
    .string()
    // Names that need no encoding in a URL.
    .regex(
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.{1,2}(\/|$))[\w.-]+)*\/?$/,
      'must be s3://bucket or s3://bucket/prefix, with letters, digits and _ . - in the prefix, but no . or .. alone',
    )
    .optional()
    .describe(
      'Bucket and prefix, as in `s3://bucket/prefix`, to which each manual and automatic backup is copied. Any server with the interface of Amazon S3.',
    ),
  HOLDFAST_BACKUP_S3_ENDPOINT: endpointUrl.optional().describe('URL of that server. Default: Amazon S3 in the region.'),
  HOLDFAST_BACKUP_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a name such as eu-central-1')
    .default('us-east-1')
    .describe('Its region.'),
  HOLDFAST_BACKUP_S3_KEY_ID: headerText.optional().describe('Id of the access key.'),
  HOLDFAST_BACKUP_S3_SECRET: z.string().optional().describe('Secret of the access key.'),
} as const

export interface BackupSettings {
  folder: string
  everyHours: number
  keep: number
  /** Where copies of the backups go. Undefined: nowhere. */
  s3: S3Settings | undefined
}

type Values = z.output<z.ZodObject<typeof backupVariables>>

export const readBackups = (values: Values, folder: string): BackupSettings => ({
  folder,
  everyHours: values.HOLDFAST_BACKUP_EVERY,
  keep: values.HOLDFAST_BACKUP_KEEP,
  s3: readS3(values),
})

function readS3(values: Values): S3Settings | undefined {
  const { HOLDFAST_BACKUP_S3: target, HOLDFAST_BACKUP_S3_REGION: region } = values
  const { HOLDFAST_BACKUP_S3_KEY_ID: keyId, HOLDFAST_BACKUP_S3_SECRET: secret } = values
  if (target === undefined || keyId === undefined || secret === undefined) return undefined
  const [bucket = '', ...folders] = target.slice('s3://'.length).replace(/\/$/, '').split('/')
  return {
    endpoint: values.HOLDFAST_BACKUP_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    prefix: folders.map((name) => `${name}/`).join(''),
    keyId,
    secret,
  }
}

const s3Names = [
  'HOLDFAST_BACKUP_S3_ENDPOINT',
  'HOLDFAST_BACKUP_S3_REGION',
  'HOLDFAST_BACKUP_S3_KEY_ID',
  'HOLDFAST_BACKUP_S3_SECRET',
] as const

type Given = Partial<Record<keyof typeof backupVariables | 'HOLDFAST_DATABASE_URL', string>>

/** Reports settings that would have no effect, so nobody relies on backups that are never made. */
export function findBackupProblems(given: Given): string[] {
  const usesPostgres = given.HOLDFAST_DATABASE_URL !== undefined
  const problems: string[] = []
  if (usesPostgres && Number(given.HOLDFAST_BACKUP_EVERY ?? 0) > 0)
    problems.push(
      'HOLDFAST_BACKUP_EVERY: works only with the embedded store. Schedule pg_dump instead, for example with cron',
    )
  if (given.HOLDFAST_BACKUP_S3 === undefined) {
    for (const name of s3Names)
      if (given[name] !== undefined) problems.push(`${name} is set, but HOLDFAST_BACKUP_S3 is not`)
    return problems
  }
  if (usesPostgres)
    problems.push('HOLDFAST_BACKUP_S3: works only with the embedded store. Upload dumps with other tools')
  for (const name of ['HOLDFAST_BACKUP_S3_KEY_ID', 'HOLDFAST_BACKUP_S3_SECRET'] as const)
    if (given[name] === undefined) problems.push(`${name} is missing: HOLDFAST_BACKUP_S3 needs it`)
  return problems
}
