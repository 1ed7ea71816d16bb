import { createClient, HoldfastError, type Client } from '@holdfast/client'
import type { Command } from 'commander'
import { commandLine } from '../core/command-line.ts'
import { readAgentSettings } from './agent-settings.ts'
import { CommandError, exitCodeOf, exitCodes } from './exit-codes.ts'

/** What every command takes that speaks for an agent. */
export interface AgentOptions {
  url?: string
  vault?: string
  json?: true
}

export const withAgentOptions = (command: Command): Command =>
  command
    .option('--vault <name or id>', 'vault to work in (default: .holdfast.json, upwards)')
    .option('--url <url>', 'the server (default: HOLDFAST_URL, http://127.0.0.1:8420)')
    .option('--json', 'print the result as JSON')

const timeoutMs = 15_000

/** Calls the service with the agent key. Throws a CommandError with the exit code of what went wrong. */
export async function withAgent<T>(options: AgentOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const { url, key, vault } = readAgentSettings(options)
  if (key === undefined)
    throw new CommandError(
      exitCodes.refused,
      'HOLDFAST_KEY is not set.',
      `Make an agent key with \`${commandLine} keys create --label "Terminal"\`, and export it.`,
    )
  try {
    return await work(createClient({ url, key, vault, timeoutMs, maxRetries: 1 }))
  } catch (error) {
    throw explain(error, url)
  }
}

function explain(error: unknown, url: string): unknown {
  if (!(error instanceof HoldfastError)) return error
  if (error.status === 0)
    return new CommandError(
      exitCodes.unavailable,
      `No answer from ${url}.`,
      `Check that Holdfast runs there: \`${commandLine} doctor\`.`,
    )
  const fields = 'fields' in error ? Object.entries(error.fields as Record<string, string>) : []
  const details = fields.map(([name, problem]) => `${name} ${problem}`).join('; ')
  return new CommandError(exitCodeOf(error.status), details === '' ? error.message : `${error.message}: ${details}`)
}
