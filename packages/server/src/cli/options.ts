import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { commandLineHere, dataDirOption } from '../core/program.ts'
import { quoteForShell } from '../core/quote-for-shell.ts'
import { presets } from '../auth/vault-access.ts'
import { readConfig, readRemote } from '../config.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import type { Target } from './caller.ts'

/** Options of every command that works on an instance. */
export interface CommonOptions {
  json?: true
  dataDir?: string
  url?: string
}

export const withCommonOptions = (command: Command): Command =>
  command
    .option('--data-dir <folder>', 'data folder (default: HOLDFAST_DATA_DIR, ./data)')
    .option('--url <url>', 'server to call (default: HOLDFAST_URL)')
    .option('--json', 'print the result as JSON')

/** Flags override the environment: with --data-dir, HOLDFAST_URL is ignored. */
export function targetOf({ dataDir, url }: CommonOptions, { mayCreate }: { mayCreate: boolean }): Target {
  if (url !== undefined && URL.parse(url)?.protocol.match(/^https?:$/) == null)
    throw new CommandError(exitCodes.usage, `--url ${url} is not an HTTP URL.`)
  const namesDataDir = dataDir !== undefined
  const config = readConfig(undefined, namesDataDir ? { HOLDFAST_DATA_DIR: dataDir } : {})
  const { url: usualUrl, operatorToken } = readRemote()
  return { config, url: url ?? (namesDataDir ? undefined : usualUrl), operatorToken, namesDataDir, mayCreate }
}

/**
 * What the next command needs to work on the same instance: options with a space in front. The variables of this command may have
 * been set for it alone.
 */
export function sameInstance({ dataDir, url }: CommonOptions): string {
  const usual = readRemote()
  const isUsual = dataDir === undefined && url === undefined && usual.url === undefined
  return [
    ...(dataDir === undefined ? [] : [` --data-dir ${quoteForShell(dataDir)}`]),
    ...(isUsual && usual.dataDir !== undefined ? [dataDirOption(resolve(usual.dataDir))] : []),
    ...(url === undefined ? [] : [` --url ${quoteForShell(url)}`]),
  ].join('')
}

export const presetOption = (description: string): Option =>
  new Option('--preset <preset>', description).choices(presets)

/** Adds examples at the end of the command's help. */
export const withExamples = (command: Command, ...calls: readonly [string, ...string[]]): Command =>
  command.addHelpText(
    'after',
    `\n${calls.length === 1 ? 'Example' : 'Examples'}:\n${calls.map((call) => `  ${commandLineHere} ${call}`).join('\n')}`,
  )

/** Prints the whole result as JSON, or the lines for people. */
export function print({ json }: CommonOptions, result: object, lines: readonly string[]): void {
  process.stdout.write(json === true ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`)
}

/** Replaces control and format characters: names from others must not control the terminal. Emoji keep their joiners. */
export const printable = (text: string) =>
  text.replaceAll(
    /(\p{ExtPict}[\ufe0f\p{EMod}]?\u200d)(?=\p{ExtPict})|[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (_, joined?: string) => joined ?? '\ufffd',
  )

/** The same, but keeps line breaks. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n')

/** Labels and values, aligned in two columns. */
export function table(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)
}
