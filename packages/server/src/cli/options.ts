import type { Command } from 'commander'
import { readConfig, readOperatorToken } from '../config.ts'
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
    .option('--url <url>', 'work through the server at this address')
    .option('--json', 'print the result as JSON')

export function targetOf({ dataDir, url }: CommonOptions, { mayCreate }: { mayCreate: boolean }): Target {
  if (url !== undefined && URL.parse(url)?.protocol.match(/^https?:$/) == null)
    throw new CommandError(exitCodes.usage, `--url ${url} is not an http address.`)
  return {
    config: readConfig(undefined, dataDir === undefined ? {} : { HOLDFAST_DATA_DIR: dataDir }),
    url,
    operatorToken: readOperatorToken(),
    mayCreate,
  }
}

/** The result: whole as JSON, or in the words that people read. */
export function print({ json }: CommonOptions, result: object, lines: readonly string[]): void {
  process.stdout.write(json === true ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`)
}

/** Labels and values, the values in one column. */
export function table(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)
}
