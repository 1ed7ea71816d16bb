import type { Database } from '../db/dialect.ts'
import { driverCode, StoreError } from '../db/store-error.ts'
import { S3Problem } from './s3/client.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  SQLITE_FULL: 'the disk is full',
}

/** Says why a backup failed, for the owner. Drivers' messages are left out, only their codes count. */
export function describeFailure(error: unknown, db: Database, folder: string): string {
  if (error instanceof StoreError) return error.message
  if (error instanceof S3Problem) return `the copy to S3 failed, and is retried: ${error.message}`
  const code = driverCode(error)
  const known = reasons[code] ?? db.explainFailure(error)?.reason
  if (known !== undefined) return known
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST'].includes(code))
    return `${folder} cannot be written (${code})`
  return `an unexpected error${code === '' ? '' : ` (${code})`}; see the log for details`
}
