import { createClient, HoldfastError, NotFoundError } from '@holdfast/client'
import { projectFileName } from '@holdfast/hosts/project-file'
import type { Command } from 'commander'
import { resolve } from 'node:path'
import { commandLine } from '../core/command-line.ts'
import { readAgentSettings } from './agent-settings.ts'
import { CommandError, exitCodeOf, exitCodes } from './exit-codes.ts'
import { print, printable, withExamples } from './options.ts'
import { readIfThere, rewriteFile } from './rewrite-file.ts'
import { withJson } from './settings-file.ts'

const checkMs = 3000

export function addLinkCommand(program: Command): void {
  const command = program
    .command('link <vault>')
    .description('let the agents of this folder work in a vault (writes .holdfast.json)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nThe file holds no key and may be committed. Where HOLDFAST_KEY is refused, it is\nnot written.',
    )
    .action(async (vault: string, options: { json?: true }) => {
      const checked = await checkVault(vault)
      const path = resolve(projectFileName)
      const before = readIfThere(path)
      const after = withJson(before, ['vault'], vault)
      if (after !== before) rewriteFile(path, after, { keepsCopy: false, within: process.cwd() })
      print(options, { path, vault, checked }, [
        printable(`${path} names the vault ${vault}.`),
        ...(checked ? [] : ['Whether there is such a vault was not checked: no server, or no HOLDFAST_KEY.']),
      ])
    })
  withExamples(command, 'link app')
}

/** Whether the vault is known to be there. Throws a CommandError where it is known not to be, or the key is refused. */
async function checkVault(vault: string): Promise<boolean> {
  const { url, key } = readAgentSettings({})
  if (key === undefined) return false
  try {
    await createClient({ url, key, timeoutMs: checkMs, maxRetries: 0 }).vaultIdOf(vault)
    return true
  } catch (error) {
    if (error instanceof NotFoundError) throw new CommandError(exitCodes.notFound, error.message)
    if (error instanceof HoldfastError && exitCodeOf(error.status) === exitCodes.refused)
      throw new CommandError(
        exitCodes.refused,
        `${url} refuses HOLDFAST_KEY, so the vault was not looked for; nothing was written.`,
        `Make a key with \`${commandLine} keys create --label "…"\`, or unset HOLDFAST_KEY to link without a look.`,
      )
    if (error instanceof HoldfastError) return false
    throw error
  }
}
