import { resolve } from 'node:path'
import { HoldfastError } from '@holdfast/client'
import { projectFileName } from '@holdfast/hosts/project-file'
import type { Command } from 'commander'
import { commandLineHere } from '../core/program.ts'
import { type AgentSettings, clientFor, readAgentSettings } from './agent-client.ts'
import { CommandError, exitCodeOf, exitCodes } from './exit-codes.ts'
import { print, printable, withExamples } from './options.ts'
import { readIfThere, rewriteFile } from './rewrite-file.ts'
import { withJson } from './settings-file.ts'

const checkMs = 3000

export const unchecked =
  'Could not check whether the vault exists: the server does not answer, or HOLDFAST_KEY is not set.'

/** Returns false if this could not be checked. Throws a CommandError if the vault doesn't exist or the key is refused. */
export async function checkVault(vault: string, { url, key }: AgentSettings): Promise<boolean> {
  if (key === undefined) return false
  try {
    const [found, ...others] = await findVaults(url, key, vault)
    if (found === undefined)
      throw new CommandError(
        exitCodes.notFound,
        `No vault ${vault}.`,
        `Create it with \`${commandLineHere} vaults create ${quoted(vault)}\`.`,
      )
    if (others.length > 0)
      throw new CommandError(exitCodes.usage, `Several vaults have the name ${vault}.`, 'Use an id.')
    return true
  } catch (error) {
    return ignoreOutage(error, url)
  }
}

/** Creates the vault unless one has this name or id, and returns whether it did. Throws a CommandError if it fails. */
async function makeVault(vault: string, { url, key }: AgentSettings): Promise<boolean> {
  if (key === undefined)
    throw new CommandError(
      exitCodes.refused,
      'HOLDFAST_KEY is not set, so the vault cannot be created.',
      `Create it without a key: \`${commandLineHere} vaults create ${quoted(vault)}\`.`,
    )
  try {
    if ((await findVaults(url, key, vault)).length > 0) return false
    await clientOf(url, key).vaults.create({ name: vault })
    return true
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error
    const message = error.status === 0 ? `No answer from ${url}, so the vault was not created.` : error.message
    throw new CommandError(error.status === 0 ? exitCodes.unavailable : exitCodeOf(error.status), message)
  }
}

const clientOf = (url: string, key: string) => clientFor({ url, key, timeoutMs: checkMs, maxRetries: 0 })

/** Ids of the vaults with this id or exactly this name. */
async function findVaults(url: string, key: string, vault: string): Promise<string[]> {
  const found: string[] = []
  for await (const { name, vaultId } of clientOf(url, key).vaults.list({ limit: 100 }))
    if (name === vault || vaultId === vault.toLowerCase()) found.push(vaultId)
  return found
}

function ignoreOutage(error: unknown, url: string): boolean {
  if (error instanceof HoldfastError && exitCodeOf(error.status) === exitCodes.refused)
    throw new CommandError(
      exitCodes.refused,
      `${url} refuses HOLDFAST_KEY, so the vault could not be checked. Nothing was written.`,
      `Create a key with \`${commandLineHere} keys create --label "…"\`, or unset HOLDFAST_KEY to skip the check.`,
    )
  if (error instanceof HoldfastError) return false
  throw error
}

const quoted = (name: string) => (/^[\w.-]+$/.test(name) ? name : `"${name.replaceAll(/["$`\\]/g, '')}"`)

interface LinkOptions {
  create?: true
  json?: true
}

export function addLinkCommand(program: Command): void {
  const command = program
    .command('link <vault>')
    .description('choose the vault for agents in this folder (writes .holdfast.json)')
    .option('--create', 'create the vault if it does not exist')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nThe file contains no key and may be committed. It is not written if the server\nrefuses HOLDFAST_KEY.',
    )
    .action(async (vault: string, options: LinkOptions) => {
      const settings = readAgentSettings({})
      const created = options.create === true && (await makeVault(vault, settings))
      const checked = created || (await checkVault(vault, settings))
      const path = resolve(projectFileName)
      const before = readIfThere(path)
      const after = withJson(before, ['vault'], vault)
      if (after !== before) rewriteFile(path, after, { keepsCopy: false, within: process.cwd() })
      print(options, { path, vault, checked, created }, [
        ...(created ? [printable(`Created the vault ${vault}.`)] : []),
        printable(`${path} now names the vault ${vault}.`),
        ...(checked ? [] : [unchecked]),
      ])
    })
  withExamples(command, 'link app', 'link app --create')
}
