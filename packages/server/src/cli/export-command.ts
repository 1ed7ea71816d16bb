import { createWriteStream, existsSync } from 'node:fs'
import { lstat, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Option, type Command } from 'commander'
import { commandLineHere, version } from '../core/program.ts'
import { newId } from '../core/ids.ts'
import { sealUnderPassphrase } from '../crypto/passphrase-box.ts'
import { writeServerMemory } from '@holdfast/transfer/write-server-memory'
import { streamArchive } from '../transfer/stream-archive.ts'
import { ask, readLine } from './ask-password.ts'
import { withCaller, type Caller } from './caller.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { print, printable, targetOf, withCommonOptions, type CommonOptions } from './options.ts'
import { countOf, findTarget, recordsOf, showProgress, type TransferTarget } from './transfer-target.ts'

interface ExportFlags extends CommonOptions {
  out: string
  vault?: string
  email?: string
  format: 'holdfast' | 'server-memory'
  encrypt?: true
  passphraseStdin?: true
}

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .description('write everything in a vault to a file')
    .requiredOption('--out <file>', 'the file to write')
    .option(
      '--vault <vault>',
      'name or id of the vault (default: the vault in\n.holdfast.json, or else the default vault)',
    )
    .option('--email <email>', 'user who owns the vault (default: the owner)')
    .addOption(
      new Option(
        '--format <format>',
        'a zip file of everything, or only memories as\nJSON lines for the MCP reference server',
      )
        .choices(['holdfast', 'server-memory'])
        .default('holdfast'),
    )
    .option('--encrypt', 'encrypt it with a passphrase')
    .option('--passphrase-stdin', 'read the passphrase from stdin')
    .addHelpText(
      'after',
      `
Without --encrypt the file is plain text: anyone who has it can read everything.

Example:
  ${commandLineHere} export --vault Work --out work.zip --encrypt`,
    )
  withCommonOptions(command).action(exportTo)
}

async function exportTo(flags: ExportFlags): Promise<void> {
  await refuseExisting(flags.out)
  const passphrase = flags.encrypt === true ? await newPassphrase(flags) : undefined
  await withCaller(targetOf(flags, { mayCreate: false }), async (caller) => {
    const target = await findTarget(caller, flags)
    const counts = await writeFileOf(caller, target, flags, passphrase)
    const { vault, otherVaults } = target
    print(flags, { file: flags.out, vaultId: vault.vaultId, isEncrypted: passphrase !== undefined, counts }, [
      `${flags.out}: ${countsText(counts)}`,
      ...(passphrase === undefined
        ? ['The file is plain text. Keep it where only you can read it, or use --encrypt.']
        : []),
      ...(otherVaults > 0 && flags.vault === undefined
        ? [printable(`It contains only the vault ${vault.name}. There ${are(otherVaults)}; choose with --vault NAME.`)]
        : []),
    ])
  })
}

const are = (count: number) => (count === 1 ? 'is 1 other vault' : `are ${count} other vaults`)

/** Also of a folder that isn't there, before anything is read. */
async function refuseExisting(out: string): Promise<void> {
  if ((await lstat(out).catch(() => undefined)) !== undefined)
    throw new CommandError(exitCodes.usage, `${out} already exists.`, 'Choose another name with --out.')
  if (!existsSync(dirname(out)))
    throw new CommandError(exitCodes.usage, `Folder ${dirname(out)} does not exist.`, 'Create it first.')
}

const countsText = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => countOf(kind, count))
    .join(', ') || 'the vault is empty'

const minPassphraseChars = 12

async function newPassphrase({ passphraseStdin }: ExportFlags): Promise<string> {
  const first =
    passphraseStdin === true || !process.stdin.isTTY ? await readLine('passphrase') : await ask('Passphrase: ')
  if (first.length < minPassphraseChars)
    throw new CommandError(
      exitCodes.usage,
      `The passphrase must have at least ${minPassphraseChars} characters, because anyone with the file can try guesses without limit.`,
    )
  if (passphraseStdin !== true && process.stdin.isTTY && (await ask('Repeat it: ')) !== first)
    throw new CommandError(exitCodes.usage, 'The passphrases do not match.')
  return first
}

/** Writes under a temporary name until the file is complete. The name is random, so an attacker can't have put a link there. */
async function writeFileOf(
  caller: Caller,
  target: TransferTarget,
  { out, format, json }: ExportFlags,
  passphrase: string | undefined,
): Promise<Record<string, number>> {
  const progress = showProgress('Exported', json === true)
  const options = {
    vault: { vaultId: target.vault.vaultId, name: target.vault.name, description: target.vault.description },
    version,
    exportedAt: new Date().toISOString(),
    records: (kind: Parameters<typeof recordsOf>[2]) => recordsOf(caller, target, kind),
    onProgress: progress.step,
  }
  const { bytes, counts } = format === 'holdfast' ? streamArchive(options) : writeServerMemory(options)
  const part = `${out}.${newId()}.part`
  try {
    const sealed = passphrase === undefined ? bytes : sealUnderPassphrase(passphrase, bytes)
    await pipeline(
      Readable.from(sealed, { objectMode: false }),
      createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
    )
    const counted = await counts
    await refuseExisting(out)
    await rename(part, out)
    return counted
  } catch (error) {
    await rm(part, { force: true })
    const { syscall, code = '' } = error as NodeJS.ErrnoException
    if (syscall === undefined || !(error instanceof Error)) throw error
    throw new CommandError(exitCodes.failure, `Cannot write ${out} (${code}).`)
  } finally {
    progress.end()
  }
}
