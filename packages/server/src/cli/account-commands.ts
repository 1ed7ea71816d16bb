import type { Command } from 'commander'
import { addedUser } from '../accounts/create-user.ts'
import { setUpRecord } from '../accounts/make-owner.ts'
import { presets } from '../auth/presets.ts'
import { readPassword } from './ask-password.ts'
import { withCaller } from './caller.ts'
import { print, table, targetOf, withCommonOptions, type CommonOptions } from './options.ts'

interface PersonOptions extends CommonOptions {
  email: string
  passwordStdin?: true
}

interface SetupOptions extends PersonOptions {
  vault?: string
  label?: string
  preset?: string
}

export function addSetupCommand(program: Command): void {
  const command = program
    .command('setup')
    .description('make the owner, a vault and a first agent key; once per instance')
    .requiredOption('--email <address>', 'e-mail address of the owner')
    .option('--password-stdin', 'read the password from stdin (else it is asked for)')
    .option('--vault <name>', 'name of the first vault (default: Main)')
    .option('--label <text>', 'what the first agent is called (default: First agent)')
    .option('--preset <preset>', `${presets.join(', ')} (default: admin)`)
  withCommonOptions(command).action(async (options: SetupOptions) => {
    const { email, vault: vaultName, label, preset } = options
    const target = targetOf(options, { mayCreate: true })
    const password = await readPassword(options.passwordStdin === true)
    const result = await withCaller(target, ({ call }) =>
      call('operator-setup', { email, password, vaultName, label, preset }),
    )
    const { agentKey, dashboardToken } = setUpRecord.parse(result)
    print(options, result, [
      'Holdfast is set up. These two are shown once; keep them safe:',
      '',
      ...table([
        ['Agent key', agentKey],
        ['Dashboard token', dashboardToken],
      ]),
      '',
      'Give the agent key to your agent as HOLDFAST_KEY.',
    ])
  })
}

export function addUserCommands(program: Command): void {
  const users = program.command('users').description('people with vaults of their own')
  const add = users
    .command('add')
    .description('add a person, with keys and a vault of their own')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password-stdin', 'read the password from stdin (else it is asked for)')
  withCommonOptions(add).action(async (options: PersonOptions) => {
    const target = targetOf(options, { mayCreate: true })
    const password = await readPassword(options.passwordStdin === true)
    const result = await withCaller(target, ({ call }) => call('create-user', { email: options.email, password }))
    print(options, result, [
      `${options.email} is added. The token is shown once; keep it safe:`,
      '',
      ...table([['Dashboard token', addedUser.parse(result).dashboardToken]]),
      '',
      `A key for an agent: holdfast keys create --email ${options.email} --label "Laptop"`,
    ])
  })
}
