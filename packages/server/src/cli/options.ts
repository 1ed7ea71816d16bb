import { Option, type Command } from 'commander'
import { commandLine } from '../core/program.ts'
import { presets } from '../auth/vault-access.ts'
import { readConfig, readRemote } from '../config.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import type { Target } from './caller.ts'

/** What every command about an instance takes. */
export interface CommonOptions {
  json?: true
  dataDir?: string
  url?: string
}

export const withCommonOptions = (command: Command): Command =>
  command
    .option('--data-dir <folder>', 'data folder (default: HOLDFAST_DATA_DIR, ./data)')
    .option('--url <url>', 'work through this server (default: HOLDFAST_URL)')
    .option('--json', 'print the result as JSON')

/** Flags beat the environment: a data folder that is named here is not passed over for a server that is named there. */
export function targetOf({ dataDir, url }: CommonOptions, { mayCreate }: { mayCreate: boolean }): Target {
  if (url !== undefined && URL.parse(url)?.protocol.match(/^https?:$/) == null)
    throw new CommandError(exitCodes.usage, `--url ${url} is not an http address.`)
  const namesDataDir = dataDir !== undefined
  const config = readConfig(undefined, namesDataDir ? { HOLDFAST_DATA_DIR: dataDir } : {})
  const { url: usualUrl, operatorToken } = readRemote()
  return { config, url: url ?? (namesDataDir ? undefined : usualUrl), operatorToken, namesDataDir, mayCreate }
}

export const presetOption = (description: string): Option =>
  new Option('--preset <preset>', description).choices(presets)

/** One or more ways to call it, at the end of its help. */
export const withExamples = (command: Command, ...calls: readonly [string, ...string[]]): Command =>
  command.addHelpText(
    'after',
    `\n${calls.length === 1 ? 'Example' : 'Examples'}:\n${calls.map((call) => `  ${commandLine} ${call}`).join('\n')}`,
  )

/** The result: whole as JSON, or in the words that people read. */
export function print({ json }: CommonOptions, result: object, lines: readonly string[]): void {
  process.stdout.write(json === true ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`)
}

/** For names that come from others: one that holds escape codes or line breaks must not draw on the terminal. */
export const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')

/** The same for a text of several lines. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n')

/** Labels and values, the values in one column. */
export function table(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)
}
