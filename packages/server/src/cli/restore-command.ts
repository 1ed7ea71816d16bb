import { postgresSentence } from '../backups/backup.ts'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type BackupEnd, BackupProblem } from '../backups/backup-file.ts'
import { proveBackup } from '../backups/prove-backup.ts'
import { type Config, readConfig } from '../config.ts'
import { commandLine } from '../core/program.ts'
import { driverCode, StoreError } from '../db/dialect.ts'
import { hasSqliteFile } from '../db/sqlite.ts'
import { readSidecar } from '../instance/instance.ts'
import { lockDataDir } from '../instance/lock.ts'
import { loadRootKeys } from '../instance/root-key-source.ts'
import type { Target } from './caller.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { print, printable, withExamples } from './options.ts'
import { replaceStore } from './replace-store.ts'

/** What is said on the way of a backup and back. */

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

interface Share {
  doneBytes: number
  totalBytes: number
}

/** A share that moves on a terminal; nothing where nobody watches. */
export function showShare(isQuiet: boolean): { step(what: string, share: Share): void; end(): void } {
  const isShown = process.stderr.isTTY && !isQuiet
  let shownAt = 0
  return {
    step(what, { doneBytes, totalBytes }) {
      if (!isShown || totalBytes === 0 || Date.now() - shownAt < 100) return
      shownAt = Date.now()
      process.stderr.write(
        `\r${what} ${Math.floor((100 * doneBytes) / totalBytes)} % of ${megabytes(totalBytes)}\u001b[K`,
      )
    },
    end: () => void (isShown && process.stderr.write('\r\u001b[K')),
  }
}

/** Why a file is no way back, as the end of a command. */
export function explainUnusable(file: string, error: unknown): unknown {
  if (!(error instanceof BackupProblem)) return error
  const [message = '', ...next] = error.message.split('\n')
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
    throw new CommandError(exitCodes.usage, postgresSentence, 'docs/self-hosting.md says how to go back to one.')
}

export function addRestoreCommand(program: Command): void {
  const command = program
    .command('restore')
    .argument('<file>', 'the backup')
    .description('put the store of a backup into the data folder')
    .option('--force', 'also where there is a store: it is kept beside the new one')
    .option('--data-dir <folder>', 'data folder (default: HOLDFAST_DATA_DIR, ./data)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Only while no server runs. First all of the backup is read: one that is
damaged, of a newer version or of another root key changes nothing.`,
    )
    .action(restore)
  withExamples(command, 'restore /mnt/disk/holdfast.backup --force')
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { dataDir: named } = options
  const config = readConfig(undefined, named === undefined ? {} : { HOLDFAST_DATA_DIR: named })
  refusePostgres({ config, url: undefined })
  const progress = showShare(options.json === true)
  const backup = resolve(file)
  const { dataDir } = config
  try {
    const end = await prove(backup, config, (doneBytes, totalBytes) =>
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
      print(options, { file, dataDir, manifest: end.manifest, kept: kept ?? null }, describe(file, dataDir, end, kept))
    } finally {
      lock.release()
    }
  } finally {
    progress.end()
  }
}

function prove(
  file: string,
  { rootKey }: Config,
  onProgress: (doneBytes: number, totalBytes: number) => void,
): Promise<BackupEnd> {
  const { signal } = new AbortController()
  return proveBackup(file, { signal, onProgress, keysOf: (instanceId) => loadRootKeys(rootKey, instanceId) }).catch(
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
      `A Holdfast is running on the data folder ${dataDir}. Nothing was changed.`,
      'Stop it first: a store is not exchanged under a server.',
    )
  }
}

function refuseOtherInstance(dataDir: string, { manifest }: BackupEnd): void {
  const id = readSidecar(dataDir)
  if (id !== undefined && id !== manifest.instanceId)
    throw new CommandError(
      exitCodes.refused,
      `The data folder ${dataDir} belongs to instance ${id}, the backup to ${manifest.instanceId}. Nothing was changed.`,
      'Give an empty folder with --data-dir.',
    )
}

function refuseToReplace(dataDir: string): void {
  if (hasSqliteFile(dataDir))
    throw new CommandError(
      exitCodes.refused,
      `There is a store in ${dataDir}. Nothing was changed.`,
      '--force puts the backup in its place, and keeps it beside it as holdfast.db.before-restore-<time>.',
    )
}

function explainDisk(error: unknown, dataDir: string): unknown {
  const code = driverCode(error)
  if (!/^E[A-Z]+$/.test(code)) return error
  const reason = code === 'ENOSPC' ? 'the disk is full' : code
  return new CommandError(
    exitCodes.failure,
    `The store could not be put into ${dataDir} (${reason}).`,
    'What was there is as it was, or kept as holdfast.db.before-restore-<time>. Mend that, and run the same again.',
  )
}

const describe = (file: string, dataDir: string, { manifest }: BackupEnd, kept: string | undefined): string[] => [
  printable(`The store of ${file} is in ${dataDir}, as it was on ${manifest.createdAt}.`),
  ...(kept === undefined ? [] : [`What was there is kept: ${kept}`]),
  '',
  `Start the server: ${commandLine} serve`,
  'What was written or erased after that moment is as it was then: revoke keys',
  'again that were revoked since, and change passwords again.',
]
