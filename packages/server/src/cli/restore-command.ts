import { postgresSentence } from '../backups/backup.ts'
import type { Command } from 'commander'
import { type BackupEnd, BackupProblem } from '../backups/backup-file.ts'
import { proveBackup } from '../backups/prove-backup.ts'
import { type Config, readConfig } from '../config.ts'
import { commandLineHere } from '../core/program.ts'
import { driverCode, StoreError } from '../db/store-error.ts'
import { hasSqliteFile } from '../db/sqlite.ts'
import { readSidecar } from '../instance/instance.ts'
import { lockDataDir } from '../instance/lock.ts'
import { loadRootKeys } from '../instance/root-key-source.ts'
import { sourceHelp, withBackupFile } from './backup-source.ts'
import type { Target } from './caller.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { print, printable, sameInstance, withExamples, type CommonOptions } from './options.ts'
import { replaceStore } from './replace-store.ts'

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

interface Share {
  doneBytes: number
  totalBytes: number
}

/** Shows progress in percent, on a terminal only. */
export function showShare(isQuiet: boolean): {
  step(what: string, share: Share, describeTotal?: (total: number) => string): void
  end(): void
} {
  const isShown = process.stderr.isTTY && !isQuiet
  let shownAt = 0
  return {
    step(what, { doneBytes, totalBytes }, describeTotal = megabytes) {
      if (!isShown || totalBytes === 0 || Date.now() - shownAt < 100) return
      shownAt = Date.now()
      process.stderr.write(
        `\r${what} ${Math.floor((100 * doneBytes) / totalBytes)} % of ${describeTotal(totalBytes)}\u001b[K`,
      )
    },
    end: () => void (isShown && process.stderr.write('\r\u001b[K')),
  }
}

/** Turns a BackupProblem into a CommandError. */
export function explainUnusable(file: string, error: unknown): unknown {
  if (!(error instanceof BackupProblem)) return error
  const [message = '', ...next] = error.message.split('\n')
  if (driverCode(error.cause) === 'ENOENT') return new CommandError(exitCodes.notFound, `File not found: ${file}.`)
  return new CommandError(
    exitCodes.failure,
    `${file} cannot be restored here. ${message}`,
    next.length === 0 ? undefined : next.join('\n'),
  )
}

interface RestoreOptions {
  dataDir?: string
  force?: true
  json?: true
}

export function refusePostgres({ config, url }: Pick<Target, 'config' | 'url'>): void {
  if (url === undefined && config.databaseUrl !== undefined)
    throw new CommandError(exitCodes.usage, postgresSentence, 'To restore one, see docs/self-hosting.md.')
}

export function addRestoreCommand(program: Command): void {
  const command = program
    .command('restore')
    .argument('<file>', 'the backup')
    .description('restore a backup into the data folder')
    .option('--force', 'replace an existing store; it is kept next to the new one')
    .option('--data-dir <folder>', 'data folder (default: HOLDFAST_DATA_DIR, ./data)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Stop the server first. The backup is verified before anything is changed: it
must be intact, not from a newer version, and readable with the root key.
${sourceHelp}`,
    )
    .action(restore)
  withExamples(command, 'restore /mnt/disk/holdfast.backup --force')
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { dataDir: named } = options
  const config = readConfig(undefined, named === undefined ? {} : { HOLDFAST_DATA_DIR: named })
  refusePostgres({ config, url: undefined })
  const progress = showShare(options.json === true)
  const onProgress = (doneBytes: number, totalBytes: number) => progress.step('Downloaded', { doneBytes, totalBytes })
  try {
    await withBackupFile(file, { config, onProgress }, (backup) =>
      restoreFile(backup, { file, config, options, progress }),
    )
  } finally {
    progress.end()
  }
}

interface Restoring {
  /** As the command line names the backup. */
  file: string
  config: Config
  options: RestoreOptions
  progress: ReturnType<typeof showShare>
}

async function restoreFile(backup: string, { file, config, options, progress }: Restoring): Promise<void> {
  const { dataDir } = config
  const end = await prove({ backup, file }, config, (doneBytes, totalBytes) =>
    progress.step('Checked', { doneBytes, totalBytes }),
  )
  const lock = lockFolder(dataDir)
  try {
    refuseOtherInstance(dataDir, end)
    if (options.force !== true) refuseToReplace(dataDir)
    const kept = await replaceStore({
      backup,
      end,
      dataDir,
      now: Date.now(),
      onProgress: (doneBytes, totalBytes) => progress.step('Copied', { doneBytes, totalBytes }),
    }).catch((error: unknown) => {
      throw explainDisk(error, dataDir)
    })
    progress.end()
    print(
      options,
      { file, dataDir, manifest: end.manifest, kept: kept ?? null },
      describe(options, { file, dataDir, kept }, end),
    )
  } finally {
    lock.release()
  }
}

function prove(
  { backup, file }: { backup: string; file: string },
  { rootKey }: Config,
  onProgress: (doneBytes: number, totalBytes: number) => void,
): Promise<BackupEnd> {
  const { signal } = new AbortController()
  return proveBackup(backup, { signal, onProgress, keysOf: (instanceId) => loadRootKeys(rootKey, instanceId) }).catch(
    (error: unknown) => {
      throw explainUnusable(file, error)
    },
  )
}

function lockFolder(dataDir: string): { release(): void } {
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (!(error instanceof StoreError) || !driverCode(error.cause).startsWith('SQLITE_BUSY')) throw error
    throw new CommandError(
      exitCodes.refused,
      `A Holdfast process is using the data folder ${dataDir}. Nothing was changed.`,
      'Stop it, then try again.',
    )
  }
}

function refuseOtherInstance(dataDir: string, { manifest }: BackupEnd): void {
  const id = readSidecar(dataDir)
  if (id !== undefined && id !== manifest.instanceId)
    throw new CommandError(
      exitCodes.refused,
      `The data folder ${dataDir} belongs to instance ${id}, but the backup belongs to ${manifest.instanceId}. Nothing was changed.`,
      'Give an empty folder with --data-dir.',
    )
}

function refuseToReplace(dataDir: string): void {
  if (hasSqliteFile(dataDir))
    throw new CommandError(
      exitCodes.refused,
      `${dataDir} already contains a store. Nothing was changed.`,
      '--force replaces it and keeps the old one as holdfast.db.before-restore-<time>.',
    )
}

function explainDisk(error: unknown, dataDir: string): unknown {
  const code = driverCode(error)
  if (!/^E[A-Z]+$/.test(code)) return error
  const reason = code === 'ENOSPC' ? 'the disk is full' : code
  return new CommandError(
    exitCodes.failure,
    `Cannot write the store to ${dataDir} (${reason}).`,
    'The previous store is unchanged, or kept as holdfast.db.before-restore-<time>. Fix the problem and run the command again.',
  )
}

interface Restored {
  file: string
  dataDir: string
  kept: string | undefined
}

const describe = (options: CommonOptions, { file, dataDir, kept }: Restored, { manifest }: BackupEnd): string[] => [
  printable(`Restored ${file} to ${dataDir}. The store is as it was at ${manifest.createdAt}.`),
  ...(kept === undefined ? [] : [`Previous store: ${kept}`]),
  '',
  `Start the server: ${commandLineHere} serve${sameInstance(options)}`,
  'All later changes are undone, including deletions. If you have revoked keys or',
  'changed passwords since then, do it again.',
]
