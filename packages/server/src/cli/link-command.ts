import { resolve } from 'node:path'
import { HoldfastError } from '@holdfast/client'
import { projectFileName } from '@holdfast/hosts/project-file'
import type { Command } from 'commander'
import { commandLine } from '../core/program.ts'
import { type AgentSettings, clientFor, readAgentSettings } from './agent-client.ts'
import { CommandError, exitCodeOf, exitCodes } from './exit-codes.ts'
import { print, printable, withExamples } from './options.ts'
import { readIfThere, rewriteFile } from './rewrite-file.ts'
import { withJson } from './settings-file.ts'

const checkMs = 3000

export const unchecked = 'Whether there is such a vault was not checked: no server, or no HOLDFAST_KEY.'

/** Whether the vault is known to be there. Throws a CommandError where it is known not to be, or the key is refused. */
export async function checkVault(vault: string, { url, key }: AgentSettings): Promise<boolean> {
  if (key === undefined) return false
  try {
    const [found, ...others] = await findVaults(url, key, vault)
    if (found === undefined)
      throw new CommandError(
        exitCodes.notFound,
        `No vault has the name ${vault}.`,
        `Make it with \`${commandLine} vaults create ${quoted(vault)}\`.`,
      )
    if (others.length > 0)
      throw new CommandError(exitCodes.usage, `Several vaults are called ${vault}.`, 'Give the id of one.')
    return true
  } catch (error) {
    return passOver(error, url)
  }
}

/** Whether it was made: not where there is one of this name or id. Throws a CommandError where it cannot be made. */
async function makeVault(vault: string, { url, key }: AgentSettings): Promise<boolean> {
  if (key === undefined)
    throw new CommandError(
      exitCodes.refused,
      'HOLDFAST_KEY is not set, so no vault can be made.',
      `Make one without a key: \`${commandLine} vaults create ${quoted(vault)}\`.`,
    )
  try {
    if ((await findVaults(url, key, vault)).length > 0) return false
    await clientOf(url, key).vaults.create({ name: vault })
    return true
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error
    const message = error.status === 0 ? `No answer from ${url}, so no vault was made.` : error.message
    throw new CommandError(error.status === 0 ? exitCodes.unavailable : exitCodeOf(error.status), message)
  }
}

const clientOf = (url: string, key: string) => clientFor({ url, key, timeoutMs: checkMs, maxRetries: 0 })

/** Those of this id or, letter for letter, this name. */
async function findVaults(url: string, key: string, vault: string): Promise<string[]> {
  const found: string[] = []
  for await (const { name, vaultId } of clientOf(url, key).vaults.list({ limit: 100 }))
    if (name === vault || vaultId === vault.toLowerCase()) found.push(vaultId)
  return found
}

function passOver(error: unknown, url: string): boolean {
  if (error instanceof HoldfastError && exitCodeOf(error.status) === exitCodes.refused)
    throw new CommandError(
      exitCodes.refused,
      `${url} refuses HOLDFAST_KEY, so the vault was not looked for; nothing was written.`,
      `Make a key with \`${commandLine} keys create --label "…"\`, or unset HOLDFAST_KEY to go on without a look.`,
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
    .description('let the agents of this folder work in a vault (writes .holdfast.json)')
    .option('--create', 'make the vault where there is none of this name')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nThe file holds no key and may be committed. Where HOLDFAST_KEY is refused, it is\nnot written.',
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
        ...(created ? [printable(`The vault ${vault} is made.`)] : []),
        printable(`${path} names the vault ${vault}.`),
        ...(checked ? [] : [unchecked]),
      ])
    })
  withExamples(command, 'link app', 'link app --create')
}
