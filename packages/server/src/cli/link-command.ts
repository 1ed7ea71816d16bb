import { projectFileName } from '@holdfast/hosts/project-file'
import type { Command } from 'commander'
import { resolve } from 'node:path'
import { readAgentSettings } from './agent-settings.ts'
import { checkVault, makeVault, unchecked } from './check-vault.ts'
import { print, printable, withExamples } from './options.ts'
import { readIfThere, rewriteFile } from './rewrite-file.ts'
import { withJson } from './settings-file.ts'

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
