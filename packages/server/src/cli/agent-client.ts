import { type Client, type ClientOptions, createClient, defaultUrl, HoldfastError } from '@holdfast/client'
import * as projectFile from '@holdfast/hosts/project-file'
import type { Command } from 'commander'
import { findRunningServer } from '../auth/operator-token.ts'
import { readAgent } from '../config.ts'
import { commandLineHere } from '../core/program.ts'
import { CommandError, exitCodes, refusedCall } from './exit-codes.ts'

/** Finds the project file of a folder. Throws a CommandError if the file is invalid. */
export const findProjectFile = (folder: string): projectFile.ProjectFile | undefined =>
  orCommandError(() => projectFile.findProjectFile(folder))

/** Returns the project's server, if it may name it. Throws a CommandError otherwise. */
const getServerUrl = (project: projectFile.ProjectFile | undefined): string | undefined =>
  orCommandError(() => projectFile.getServerUrl(project))

function orCommandError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof projectFile.ProjectFileError)) throw error
    throw new CommandError(exitCodes.failure, error.message)
  }
}

/** The settings of a command that calls the server as an agent. */
export interface AgentSettings {
  /** Without a trailing slash. */
  url: string
  key: string | undefined
  /** Name or id. If undefined, the integration's primary vault is used. */
  vault: string | undefined
}

/** Flags override the environment, which overrides `.holdfast.json`. Throws a CommandError. */
export function readAgentSettings(flags: { url?: string; vault?: string }): AgentSettings {
  const { url, key, ...local } = readAgent()
  const project = findProjectFile(process.cwd())
  const address = flags.url ?? url ?? findLocalUrl(local) ?? getServerUrl(project) ?? defaultUrl
  if (URL.parse(address)?.protocol.match(/^https?:$/) == null)
    throw new CommandError(exitCodes.usage, `${address} is not an HTTP URL.`)
  return { url: address.replace(/\/+$/, ''), key, vault: flags.vault ?? project?.vault }
}

/**
 * The server on the data folder that the environment names, or else on its port. Doesn't look into a folder that isn't named there: the
 * author of the project in the current folder must not choose where the key goes.
 */
function findLocalUrl({ dataDir, port }: Pick<ReturnType<typeof readAgent>, 'dataDir' | 'port'>): string | undefined {
  const running = dataDir === undefined ? undefined : findRunningServer(dataDir)
  return running?.url ?? (port === 0 ? undefined : `http://127.0.0.1:${port}`)
}

/** Options of every command that calls the server as an agent. */
export interface AgentOptions {
  url?: string
  vault?: string
  json?: true
}

export const withAgentOptions = (command: Command): Command =>
  command
    .option('--vault <name or id>', 'vault to use (default: the one in .holdfast.json)')
    .option('--url <url>', 'the server (default: HOLDFAST_URL, http://127.0.0.1:8420)')
    .option('--json', 'print the result as JSON')

const timeoutMs = 15_000
const newKey = `Create an agent key with \`${commandLineHere} keys create --label "Terminal"\`, then set HOLDFAST_KEY to it.`

/** Calls the server with the agent key. Throws a CommandError whose exit code fits the failure. */
export async function withAgent<T>(options: AgentOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const { url, key, vault } = readAgentSettings(options)
  if (key === undefined) throw new CommandError(exitCodes.refused, 'HOLDFAST_KEY is not set.', newKey)
  const client = clientFor({ url, key, vault, timeoutMs, maxRetries: 1 })
  try {
    return await work(client)
  } catch (error) {
    throw explain(error, url)
  }
}

/** Throws a CommandError if the URL or the key can't be used in a request. */
export function clientFor(options: ClientOptions): Client {
  try {
    return createClient(options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The library's message starts with the name of the bad value and doesn't quote the value.
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
      `Start it with \`${commandLineHere} serve\`. If it has another address, set HOLDFAST_URL. To find the cause: \`${commandLineHere} doctor\`.`,
    )
  if (error.status === 401)
    return new CommandError(
      exitCodes.refused,
      `${url} refuses HOLDFAST_KEY: it is unknown, expired or revoked.`,
      newKey,
    )
  // The server speaks to agents.
  return refusedCall(error.status, error.message.replace('Call list-vaults', `See \`${commandLineHere} vaults list\``))
}
