import { open, rm, type FileHandle } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import { z } from 'zod'
import { BoxError } from '../crypto/passphrase-box.ts'
import { commandLineHere } from '../core/program.ts'
import { newId } from '../core/ids.ts'
import { quoteForShell } from '../core/quote-for-shell.ts'
import { importAnswer, importRecords } from '../transfer/import-records.ts'
import { revertAnswer, revertImport } from '../transfer/revert-import.ts'
import { describeNotice } from '@holdfast/transfer/notice'
import { ImportStopped, runImport, type ImportReport } from '@holdfast/transfer/run-import'
import { SourceError, type Source } from '@holdfast/transfer/source'
import { detectReader, readers } from '@holdfast/transfer/sources/readers'
import type { Reader } from '@holdfast/transfer/sources/reading'
import { openSource } from '../transfer/open-source.ts'
import { ask, readLine } from './ask-password.ts'
import { withCaller, type Caller } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { print, printable, sameInstance, targetOf, withCommonOptions, type CommonOptions } from './options.ts'
import { countOf, findTarget, showProgress } from './transfer-target.ts'

interface ImportFlags extends CommonOptions {
  vault?: string
  email?: string
  dryRun?: true
  report?: string
  passphraseStdin?: true
  revert?: string
  as?: string
  asDocument?: true
  importId?: string
}

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .description('import notes and memories from other programs')
    .addArgument(new Argument('[source]', 'format of the source').choices(['auto', ...readers.map(({ name }) => name)]))
    .argument('[path]', 'a folder, a zip file or a file')
    .option(
      '--vault <vault>',
      'name or id of the vault to import into (default: the\nvault in .holdfast.json, or else the default vault)',
    )
    .option('--email <email>', 'import for this user (default: the owner)')
    .option(
      '--as <name>',
      'name of the source, so that a later import recognizes\nits notes (default: the name of the folder or file)',
    )
    .option(
      '--as-document',
      'agents-md: import the file as the document\n`instructions`, not as a memory for each section',
    )
    .option('--dry-run', 'write nothing, show what would be new')
    .option('--import-id <id>', 'id for reverting this import (default: a new one)')
    .option('--report <file>', 'write the report to this file, as JSON')
    .option('--passphrase-stdin', 'read the passphrase of an encrypted export from\nstdin')
    .option('--revert <import-id>', 'undo an import; records changed since are kept')
    .addHelpText(
      'after',
      `
You can run it again at any time: records that exist already are skipped.

Examples:
  ${commandLineHere} import obsidian ~/Notes --dry-run
  ${commandLineHere} import auto memory.jsonl --vault Work
  ${commandLineHere} import --revert 0198c5f0-0000-7000-8000-000000000901`,
    )
  withCommonOptions(command).action((source: string | undefined, path: string | undefined, flags: ImportFlags) => {
    if (flags.revert !== undefined) return revert(flags.revert, flags)
    if (source === undefined || path === undefined)
      throw new CommandError(
        exitCodes.usage,
        'The source or the path is missing.',
        `For example: ${commandLineHere} import auto PATH`,
      )
    return importFrom(source, path, flags)
  })
}

async function importFrom(name: string, path: string, flags: ImportFlags): Promise<void> {
  const importId = importIdOf(flags)
  const source = await openSource(path, () => readPassphrase(flags), flags.as).catch(refuse)
  try {
    const work = (caller: Caller) => run(caller, source, name, { ...flags, importId })
    const report = await withReport(flags, (write) =>
      withCaller(targetOf(flags, { mayCreate: false }), async (caller) => write(await work(caller))).catch(
        async (error: unknown) => {
          if (error instanceof ImportStopped) await write({ ...error.report })
          return refuse(error instanceof ImportStopped ? error.cause : error)
        },
      ),
    )
    print(flags, report, linesOf(report, undoCommand(report, flags)))
    if (Object.values(report.counts).some(({ failed }) => failed > 0))
      throw new CommandError(exitCodes.failure, 'Some records were refused. The report lists them.')
  } finally {
    await source.close()
  }
}

/** Creates the report file before importing, never overwrites one, and deletes it if there is no report. */
async function withReport<T>(
  { report: file }: ImportFlags,
  work: (write: <R extends ImportReport>(report: R) => Promise<R>) => Promise<T>,
): Promise<T> {
  const handle = file === undefined ? undefined : await makeReport(file)
  let isWritten = false
  try {
    return await work(async (report) => {
      await handle?.writeFile(`${JSON.stringify(report, undefined, 2)}\n`)
      isWritten = true
      return report
    })
  } finally {
    await handle?.close()
    if (file !== undefined && !isWritten) await rm(file, { force: true })
  }
}

async function makeReport(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CommandError(exitCodes.usage, `${file} already exists.`, 'Choose another name with --report.')
    throw new CommandError(exitCodes.failure, `Cannot write ${file} (${code}).`)
  }
}

type VaultReport = ImportReport & { vault: { vaultId: string; name: string; isDefault: boolean } }

function importIdOf({ importId = newId() }: ImportFlags): string {
  if (z.uuid().safeParse(importId).success) return importId.toLowerCase()
  throw new CommandError(exitCodes.usage, 'The import id must be a UUID.', 'Omit --import-id to get a new one.')
}

async function run(
  caller: Caller,
  source: Source,
  name: string,
  { importId, ...flags }: ImportFlags & { importId: string },
): Promise<VaultReport> {
  const { actAs, vault } = await findTarget(caller, flags)
  const found = readers.find((known) => known.name === name) ?? (await detectReader(source).catch(refuse))
  const reader = flags.asDocument === true ? asDocument(found) : found
  const dryRun = flags.dryRun === true
  // Print the id before anything is written, so a killed import can be reverted, too.
  const printId = once(() => {
    if (!dryRun && flags.json !== true) process.stderr.write(`Import ${importId}\n`)
  })
  const progress = showProgress(dryRun ? 'Read' : 'Imported', flags.json === true)
  try {
    const report = await runImport(source, reader, {
      importId,
      dryRun,
      send: async (records) => {
        printId()
        const input = {
          vaultId: vault.vaultId,
          importId,
          origin: { source: reader.name, name: source.name },
          dryRun,
          records: JSON.parse(JSON.stringify(records)) as never,
        }
        return readAnswer(importAnswer, await caller.call(importRecords, input, { actAs }))
      },
      isRefusal: (error) => error instanceof CommandError && error.exitCode === exitCodes.usage,
      isTransient: (error) => error instanceof CommandError && error.exitCode === exitCodes.unavailable,
      onProgress: progress.step,
    })
    return { ...report, vault: { vaultId: vault.vaultId, name: vault.name, isDefault: vault.isDefault } }
  } finally {
    progress.end()
  }
}

function asDocument(reader: Reader): Reader {
  if (reader.readAsDocument !== undefined) return { ...reader, read: reader.readAsDocument }
  throw new CommandError(exitCodes.usage, `--as-document works only with agents-md, and the source is ${reader.name}.`)
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

const readPassphrase = ({ passphraseStdin }: ImportFlags): Promise<string> =>
  passphraseStdin === true || !process.stdin.isTTY ? readLine('passphrase') : ask('Passphrase: ')

function refuse(error: unknown): never {
  if (error instanceof SourceError)
    throw new CommandError(error.isMissing ? exitCodes.notFound : exitCodes.failure, error.message)
  if (error instanceof BoxError) throw new CommandError(exitCodes.failure, `Cannot read the export: ${error.message}.`)
  throw error
}

/** The command that undoes this import, with everything that led to this vault. */
function undoCommand({ importId, vault }: VaultReport, flags: ImportFlags): string {
  const isPlain = /^[\w][\w .-]*$/.test(vault.name)
  const name = isPlain ? vault.name : vault.vaultId
  const options = [
    ...(vault.isDefault ? [] : [` --vault ${quoteForShell(name)}`]),
    ...(flags.email === undefined ? [] : [` --email ${quoteForShell(printable(flags.email))}`]),
  ]
  return `${commandLineHere} import --revert ${importId}${options.join('')}${sameInstance(flags)}`
}

function linesOf(report: VaultReport, undo: string): string[] {
  const { source, vault, dryRun, counts, samples, notices, problems, durationMs } = report
  const hasMade = Object.values(counts).some(({ created, restored }) => created + restored > 0)
  const tallies = Object.entries(counts).map(([kind, { created, restored, existing, left, failed }]) =>
    [
      `  ${countOf(kind, created)}${dryRun ? ' would be new' : ' new'}`,
      ...(restored > 0 ? [`${restored} restored`] : []),
      ...(existing > 0 ? [`${existing} already there`] : []),
      ...(left > 0 ? [`${left} skipped`] : []),
      ...(failed > 0 ? [`${failed} refused`] : []),
    ].join(', '),
  )
  return [
    printable(
      `${dryRun ? 'Nothing was written.' : 'Done'} (${source}, vault ${vault.name}, ${(durationMs / 1000).toFixed(1)} s)`,
    ),
    ...tallies,
    ...(dryRun ? ['For example:', ...samples.map((sample) => `  ${printable(sample)}`)] : []),
    ...notices.map((notice) => printable(describeNotice(notice))),
    ...problems.slice(0, 10).map(({ kind, name, reason }) => `${kind} ${printable(name)}: ${printable(reason)}`),
    ...(problems.length > 10 ? ['The report has all of them (--report FILE).'] : []),
    ...(dryRun || !hasMade ? [] : [`To undo this import: ${undo}`]),
  ]
}

async function revert(importId: string, flags: ImportFlags): Promise<void> {
  const total = {
    importId,
    archived: 0,
    trashed: 0,
    removed: 0,
    left: [] as { kind: string; recordId: string; reason: string }[],
  }
  const { vaultId, name } = await withCaller(targetOf(flags, { mayCreate: false }), async (caller) => {
    const { actAs, vault } = await findTarget(caller, flags)
    for (let remaining = 1; remaining > 0;) {
      const answer = await caller.call(revertImport, { vaultId: vault.vaultId, importId }, { actAs })
      const page = readAnswer(revertAnswer, answer)
      total.archived += page.archived
      total.trashed += page.trashed
      total.removed += page.removed
      total.left.push(...page.left)
      remaining = page.remaining
    }
    return vault
  })
  if (total.archived + total.trashed + total.removed + total.left.length === 0)
    throw new CommandError(
      exitCodes.notFound,
      `The vault ${name} has no records of import ${importId}.`,
      'Give the right vault with --vault.',
    )
  const reasons = Map.groupBy(total.left, ({ kind, reason }) => `${kind}: ${reason}`)
  print(flags, { ...total, vault: { vaultId, name } }, [
    printable(
      `In the vault ${name}: ${countOf('memory', total.archived)} archived, ${countOf('note', total.trashed)} in the trash, ${countOf('link', total.removed)} removed.`,
    ),
    ...[...reasons].map(([reason, records]) => `${records.length} kept (${reason})`),
  ])
}
