import { createClient, HoldfastError, type Client, type ClientOptions } from '@holdfast/client'
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
  const client = clientFor({ url, key, vault, timeoutMs, maxRetries: 1 })
  try {
    return await work(client)
  } catch (error) {
    throw explain(error, url)
  }
}

/** Throws a CommandError for an address or a key that no request can be sent with. */
export function clientFor(options: ClientOptions): Client {
  try {
    return createClient(options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // By the name of what is wrong: it does not quote it.
    const message = error.message.replace(/^url:/, 'The address').replace(/^Authorization:/, 'HOLDFAST_KEY')
    throw new CommandError(exitCodes.usage, `${message}.`)
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
  // The message names the fields, too.
  return new CommandError(exitCodeOf(error.status), error.message)
}
