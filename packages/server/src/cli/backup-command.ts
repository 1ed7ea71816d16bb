import { existsSync, statSync } from 'node:fs'
import { copyFile, link, lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { z } from 'zod'
import { postgresSentence, type backupRecord } from '../backups/backup.ts'
import { readBackupEnd, unfinished } from '../backups/backup-file.ts'
import { keepMoved, syncFolder } from '../backups/backup-folder.ts'
import { createBackup } from '../backups/create-backup.ts'
import { backupList, listBackups } from '../backups/list-backups.ts'
import { proveBackup } from '../backups/prove-backup.ts'
import { loadRootKeys } from '../instance/root-key-source.ts'
import { sourceHelp, withBackupFile } from './backup-source.ts'
import { withCaller, type Caller } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { ageOf } from './human.ts'
import { print, printable, table, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'
import { addDrillCommand } from './backup-drill-command.ts'
import { explainUnusable, megabytes, refusePostgres, showShare } from './restore-command.ts'

type Backup = z.output<typeof backupRecord>
type Listed = NonNullable<z.output<typeof backupList>['backups']>

export function addBackupCommand(program: Command): void {
  const command = program
    .command('backup')
    .description('back up the whole store to one file, even while the server runs')
    // See program.ts.
    .enablePositionalOptions()
    .argument('[target]', 'a file, or a folder (default: HOLDFAST_BACKUP_DIR)')
    .addHelpText(
      'after',
      `
The file is encrypted like the store. It does not contain the root key: keep a
copy of the key in another place, because anyone with both can read everything.
With PostgreSQL, use pg_dump; this command prints how.`,
    )
  withCommonOptions(command).action(backUp)
  withExamples(command, 'backup', 'backup /mnt/disk/holdfast.backup', 'backup verify /mnt/disk/holdfast.backup')
  addListCommand(command)
  addVerifyCommand(command)
  addDrillCommand(command)
}

async function backUp(target: string | undefined, options: CommonOptions): Promise<void> {
  const source = targetOf(options, { mayCreate: false })
  refusePostgres(source)
  const wanted = target === undefined ? undefined : await fileFor(target)
  await withCaller(source, async (caller) => {
    const { folder } = await readList(caller)
    if (wanted !== undefined && source.url !== undefined && !existsSync(folder))
      throw new CommandError(
        exitCodes.usage,
        `The server at ${source.url} keeps its backups on another machine, in ${folder}.`,
        'Run the command without a target, then copy the file from there.',
      )
    const made = await make(caller, options.json === true)
    const file = wanted === undefined ? made.file : await moveTo(made.file, wanted(basename(made.file)))
    if (wanted !== undefined) await keepMoved(folder, (await readBackupEnd(file)).manifest.instanceId, file)
    print(options, { backup: { ...made, file } }, [
      printable(`${file}: ${megabytes(made.bytes)}, checked`),
      'It does not contain the root key: keep a copy of the key in another place.',
    ])
  })
}

/** Checks the target before the backup is made. The final move fails if a file of this name appears meanwhile. */
async function fileFor(target: string): Promise<(name: string) => string> {
  const path = resolve(target)
  const stats = await lstat(path).catch(() => undefined)
  if (stats === undefined && existsSync(dirname(path))) return () => path
  if (stats !== undefined && statSync(path).isDirectory()) return (name) => join(path, name)
  throw stats === undefined
    ? new CommandError(exitCodes.usage, `Folder ${dirname(path)} does not exist.`, 'Create it first.')
    : new CommandError(exitCodes.usage, `${target} already exists.`, 'Choose another name, or give a folder.')
}

const pollMs = 150

async function make(caller: Caller, isQuiet: boolean): Promise<Backup> {
  const { running } = readAnswer(createBackup.output, await caller.call(createBackup, {})) as {
    running: { id: string }
  }
  const progress = showShare(isQuiet)
  try {
    for (;;) {
      const found = await readList(caller)
      if (found.running?.id !== running.id) return findMade(found, running.id)
      progress.step(stepLabels[found.running.step], found.running)
      await sleep(pollMs)
    }
  } finally {
    progress.end()
  }
}

const stepLabels = { copying: 'Copied', checking: 'Checked', uploading: 'Uploaded' } as const

function findMade({ items, copies, lastFailure }: Listed, id: string): Backup {
  const made = items.find((one) => one.id === id)
  const reason = lastFailure?.reason
  if (made === undefined) throw new CommandError(exitCodes.failure, `The backup failed: ${reason ?? 'it was deleted'}.`)
  if (copies !== null && reason !== undefined)
    throw new CommandError(exitCodes.failure, `The backup is in ${made.file}, but ${reason}.`)
  return made
}

async function readList({ call }: Caller): Promise<Listed> {
  const { backups } = readAnswer(backupList, await call(listBackups, {}))
  if (backups === null) throw new CommandError(exitCodes.refused, 'Only the owner of the server can back it up.')
  if (backups.command !== null) throw new CommandError(exitCodes.usage, postgresSentence)
  return backups
}

/** Links the file if both paths are on one disk, otherwise copies it. Never overwrites anything. */
async function moveTo(from: string, to: string): Promise<string> {
  try {
    await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      await copyTo(from, to)
    })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new CommandError(exitCodes.failure, `Cannot write ${to} (${code}).`, `The backup is in ${from}.`)
  }
  await syncFolder(dirname(to))
  await rm(from)
  return to
}

async function copyTo(from: string, to: string): Promise<void> {
  const partial = to + unfinished
  try {
    await copyFile(from, partial)
    const handle = await open(partial, 'r+')
    await handle.chmod(0o600)
    await handle.sync()
    await handle.close()
    if ((await lstat(to).catch(() => undefined)) !== undefined) throw Object.assign(new Error(), { code: 'EEXIST' })
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

function addListCommand(backup: Command): void {
  const command = backup.command('list').description('list the backups of the server, newest first')
  withCommonOptions(command).action(async (options: CommonOptions) => {
    const target = targetOf(options, { mayCreate: false })
    refusePostgres(target)
    const found = await withCaller(target, readList)
    const rows = found.items.map((item): [string, string] => [
      `${megabytes(item.bytes)}  ${describeKind(item)}  ${ageOf(item.createdAt)}${isCopied(found, item) ? '  also in S3' : ''}${item.problem === null ? '' : `  cannot be restored: ${item.problem}`}`,
      printable(item.file),
    ])
    print(options, found, [
      ...(rows.length === 0 ? [`No backups in ${found.folder}.`] : table(rows)),
      ...describeCopies(found),
    ])
  })
  withExamples(command, 'backup list --json')
}

const isCopied = ({ copies }: Listed, { id }: Backup): boolean =>
  copies !== null && copies.items.some((copy) => copy.id === id)

/** Where the copies are: those of listed backups in a line, the others with their names. */
function describeCopies({ copies, items }: Listed): string[] {
  if (copies === null) return []
  const here = new Set(items.map(({ id }) => id))
  const others = copies.items.filter(({ id }) => !here.has(id))
  const rows = others.map(({ url, bytes, kind, createdAt }): [string, string] => [
    `${megabytes(bytes)}  ${kind ?? '?'}  ${createdAt === null ? 'not a whole backup' : ageOf(createdAt)}`,
    printable(url),
  ])
  return [
    '',
    `In S3 (${copies.url}): ${copies.items.length - others.length} of the above${others.length === 0 ? '' : ', and'}`,
    ...(rows.length === 0 ? [] : table(rows)),
    ...(copies.problem === null ? [] : [`S3 could not be listed: ${copies.problem}.`]),
  ]
}

function describeKind({ kind, version, expiresAt }: Backup): string {
  if (kind !== 'before-update') return kind ?? '?'
  return `before the update to ${version}, until ${expiresAt?.slice(0, 10)}`
}

function addVerifyCommand(backup: Command): void {
  const command = backup
    .command('verify')
    .argument('<file>', 'the backup')
    .description('read a whole backup and check that it can be restored here')
    .option('--data-dir <folder>', 'data folder (default: HOLDFAST_DATA_DIR, ./data)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\nIt needs only the file and the root key from this machine’s settings.\n${sourceHelp}`)
    .action(async (file: string, options: CommonOptions) => {
      const { config } = targetOf(options, { mayCreate: false })
      const progress = showShare(options.json === true)
      const show = (what: string) => (doneBytes: number, totalBytes: number) =>
        progress.step(what, { doneBytes, totalBytes })
      const { manifest, sha256 } = await withBackupFile(file, { config, onProgress: show('Downloaded') }, (path) =>
        proveBackup(path, {
          signal: new AbortController().signal,
          onProgress: show('Checked'),
          keysOf: (instanceId) => loadRootKeys(config.rootKey, instanceId),
        }),
      )
        .catch((error: unknown) => {
          throw explainUnusable(file, error)
        })
        .finally(progress.end)
      print(options, { file, manifest, sha256 }, [
        printable(`${file} is intact, and the root key opens it.`),
        ...table([
          ['Created', `${manifest.createdAt}, by Holdfast ${manifest.version}`],
          ['Instance', manifest.instanceId],
          ['Schema', manifest.schema],
          ['SHA-256', sha256],
        ]),
      ])
    })
  withExamples(command, 'backup verify /mnt/disk/holdfast.backup')
}
