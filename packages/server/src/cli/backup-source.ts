import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSidecar } from '../instance/instance.ts'
import type { Config } from '../config.ts'
import { S3Problem, type S3Settings } from '../backups/s3/client.ts'
import { downloadObject } from '../backups/s3/objects.ts'
import { listRemote, type RemoteBackup } from '../backups/s3/remote.ts'
import { withTemporaryFolder } from '../backups/temporary-folder.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** Where a command reads a backup from: a file, or `s3:<name>` or `s3:latest` for a copy in S3. */

const scheme = 's3:'

export const sourceHelp = `"s3:latest" and "s3:<name>" take the copy in S3, as HOLDFAST_BACKUP_S3 says.`

interface Options {
  config: Config
  onProgress(doneBytes: number, totalBytes: number): void
}

/** Runs `work` with the file. A copy in S3 is downloaded to a temporary folder first. */
export async function withBackupFile<T>(
  named: string,
  { config, onProgress }: Options,
  work: (file: string) => Promise<T>,
): Promise<T> {
  if (!named.startsWith(scheme) || existsSync(named)) return work(resolve(named))
  const s3 = requireS3(config)
  const { signal } = new AbortController()
  try {
    const found = await findCopy(s3, config, named.slice(scheme.length), signal)
    return await withTemporaryFolder([config.backups.folder, config.dataDir], found.bytes, async (folder) => {
      const file = join(folder, found.name)
      await downloadObject(s3, found, { to: file, signal, onProgress })
      return work(file)
    })
  } catch (error) {
    if (!(error instanceof S3Problem)) throw error
    throw new CommandError(
      exitCodes.unavailable,
      `${capitalize(error.message)}.`,
      'Check the settings HOLDFAST_BACKUP_S3 and _S3_….',
    )
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function requireS3({ backups: { s3 } }: Config): S3Settings {
  if (s3 !== undefined) return s3
  throw new CommandError(
    exitCodes.usage,
    'HOLDFAST_BACKUP_S3 is not set, so there are no copies in S3.',
    'Set it and its key as on the server, or name a file.',
  )
}

async function findCopy(s3: S3Settings, { dataDir }: Config, name: string, signal: AbortSignal): Promise<RemoteBackup> {
  // A new machine has no instance yet.
  const all = await listRemote(s3, { instanceId: readSidecar(dataDir), known: new Map(), signal })
  const found = name === 'latest' ? latestOf(all) : all.find((one) => one.name === name)
  if (found !== undefined) return found
  throw new CommandError(
    exitCodes.notFound,
    `No such backup in s3://${s3.bucket}/${s3.prefix}: ${name}.`,
    all.length === 0
      ? 'There are none.'
      : `There are: ${all
          .slice(0, 10)
          .map((one) => one.name)
          .join(', ')}`,
  )
}

function latestOf(all: readonly RemoteBackup[]): RemoteBackup | undefined {
  const whole = all.filter(({ manifest }) => manifest !== undefined)
  const instances = new Set(whole.map(({ manifest }) => manifest?.instanceId))
  if (instances.size > 1)
    throw new CommandError(
      exitCodes.usage,
      `The bucket has backups of ${instances.size} instances: ${[...instances].join(', ')}.`,
      `Name one of the backups: ${[...instances].map((id) => `${scheme}${whole.find(({ manifest }) => manifest?.instanceId === id)?.name}`).join(' or ')}`,
    )
  return whole[0]
}
