import type { Command } from 'commander'
import { BackupProblem, type Manifest, readBackupEnd } from '../backups/backup-file.ts'
import { findNewest, keepDrill } from '../backups/backup-folder.ts'
import { withTemporaryFolder } from '../backups/temporary-folder.ts'
import type { Config } from '../config.ts'
import { commandLineHere } from '../core/program.ts'
import { migrations } from '../db/migrate.ts'
import { copyOwner } from '../instance/root-key-file.ts'
import { readSidecar } from '../instance/instance.ts'
import type { BackupDrill } from '../operation/backups.ts'
import { sourceHelp, withBackupFile } from './backup-source.ts'
import { findRunningCaller } from './caller.ts'
import { describeDrill, labels, toJson } from './drill/describe-drill.ts'
import { drill, type Drilled, type Progress, UnusableStore } from './drill/drill.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { print, sameInstance, targetOf, withExamples, type CommonOptions } from './options.ts'
import { explainUnusable, megabytes, showShare } from './restore-command.ts'

export function addDrillCommand(backup: Command): void {
  const command = backup
    .command('drill')
    .argument('[file]', 'the backup (default: the newest one)')
    .description('restore a backup to a temporary folder, and prove that it works')
    .option('--quick', 'do not open every encrypted value')
    .option('--data-dir <folder>', 'data folder (default: HOLDFAST_DATA_DIR, ./data)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
It restores the backup as "restore" does, compares the database with the
backup, opens it as a server does, opens every encrypted value, and searches
for a sample of memories by their own words. If a server runs here, it is
asked for the same memories. The temporary copy is deleted in the end.

The drill needs the root key, and room for the store on the disk of the
backups or of the data folder, or in TMPDIR. It changes nothing, and the
server keeps working. Opening every value takes minutes per gigabyte; with
--quick, the drill leaves that out. The exit code is 1 if anything differs.
${sourceHelp}`,
    )
    .action(runDrill)
  withExamples(command, 'backup drill', 'backup drill --quick', 'backup drill /mnt/disk/holdfast.backup --json')
}

interface DrillOptions extends CommonOptions {
  quick?: true
}

async function runDrill(named: string | undefined, options: DrillOptions): Promise<void> {
  const { config } = targetOf(options, { mayCreate: false })
  refuseDrillOnPostgres(config)
  const source = named ?? (await findNewestBackup(config, options))
  const progress = showShare(options.json === true)
  const onProgress = (doneBytes: number, totalBytes: number) => progress.step('Downloaded', { doneBytes, totalBytes })
  try {
    await withBackupFile(source, { config, onProgress }, (file) =>
      drillFile(file, { source, config, options, progress }),
    )
  } catch (error) {
    throw explainUnusable(source, error)
  } finally {
    progress.end()
  }
}

interface Drilling {
  /** As the command line names the file. */
  source: string
  config: Config
  options: DrillOptions
  progress: ReturnType<typeof showShare>
}

async function drillFile(file: string, { source, config, options, progress }: Drilling): Promise<void> {
  const at = Date.now()
  const { manifest } = await readEnd(file)
  const isQuick = options.quick === true
  const drilled = await drillIn(config, { file, manifest, isQuick }, (one) => showProgress(progress, one)).catch(
    async (error: unknown) => {
      if (error instanceof BackupProblem || error instanceof UnusableStore)
        await record(config, manifest, { at, problem: firstLine(error.message) })
      throw error instanceof UnusableStore ? drillFailed(error.message, options) : error
    },
  )
  progress.end()
  const { problems } = drilled
  await record(config, manifest, { at, problem: problems[0] })
  print(options, toJson({ file: source, at }, drilled), describeDrill({ file: source, at }, drilled))
  refuseProblems(drilled, options)
}

function refuseProblems({ problems }: Drilled, options: CommonOptions): void {
  if (problems.length === 0) return
  const count = `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
  throw drillFailed(`${count} in the restored store.`, options)
}

const drillFailed = (reason: string, options: CommonOptions): CommandError =>
  new CommandError(
    exitCodes.failure,
    `The drill failed: ${reason}`,
    `See whether the store itself has the damage too: ${commandLineHere} check${sameInstance(options)}`,
  )

const firstLine = (text: string) => text.split('\n')[0] ?? text

function refuseDrillOnPostgres({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return
  throw new CommandError(
    exitCodes.usage,
    'This server uses PostgreSQL, whose backups pg_dump makes.',
    'docs/self-hosting.md says how to try one: restore it into an empty database, and run `holdfast check` on that.',
  )
}

async function findNewestBackup({ dataDir, backups: { folder } }: Config, options: CommonOptions): Promise<string> {
  const instanceId = readSidecar(dataDir)
  if (instanceId === undefined)
    throw new CommandError(exitCodes.notFound, `No Holdfast instance in ${dataDir}.`, 'Name the file of the backup.')
  const file = await findNewest(folder, instanceId)
  if (file !== undefined) return file
  throw new CommandError(
    exitCodes.notFound,
    `No backups in ${folder}.`,
    `Create one, or name a file: ${commandLineHere} backup${sameInstance(options)}`,
  )
}

async function drillIn(
  config: Config,
  { file, manifest, isQuick }: { file: string; manifest: Manifest; isQuick: boolean },
  onProgress: (progress: Progress) => void,
): Promise<Drilled> {
  const { dataDir, backups } = config
  // An update of older tables begins with a copy of them.
  const copies = manifest.schema === migrations.at(-1)?.name ? 1 : 2
  const isOwn = readSidecar(dataDir) === manifest.instanceId
  const running = isOwn ? await findRunningCaller(config) : undefined
  return withTemporaryFolder([backups.folder, dataDir], copies * manifest.databaseBytes, (folder) =>
    drill(file, { folder, config, isQuick, running, onProgress }),
  )
}

async function readEnd(file: string) {
  try {
    return await readBackupEnd(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new BackupProblem('File not found.', { cause: error })
  }
}

/** Remembers the result next to the server's backups, where the server and `doctor` find it. */
async function record(
  { dataDir, backups: { folder } }: Config,
  { instanceId, createdAt }: Manifest,
  { at, problem }: Omit<BackupDrill, 'backupAt'>,
): Promise<void> {
  if (readSidecar(dataDir) !== instanceId) return
  try {
    copyOwner(dataDir, await keepDrill(folder, instanceId, { at, backupAt: Date.parse(createdAt), problem }))
  } catch (error) {
    // The result is printed anyway.
    if (!isDiskError(error)) throw error
  }
}

const isDiskError = (error: unknown) => error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined

function showProgress(shown: ReturnType<typeof showShare>, { step, done, total }: Progress): void {
  const unit = step === 'check' ? (count: number) => `${count} rows` : megabytes
  if (total > 0) shown.step(labels[step], { doneBytes: done, totalBytes: total }, unit)
}
