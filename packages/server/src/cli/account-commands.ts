import type { Command } from 'commander'
import { addedUser, createUser } from '../machine/create-user.ts'
import { listUsers, userList } from '../accounts/list-users.ts'
import { updateUser } from '../accounts/update-user.ts'
import { deleteUser } from '../machine/delete-user.ts'
import { getSetup, setUp, setUpRecord } from '../machine/set-up.ts'
import { resetRecord, resetSignIn } from '../sign-in/reset-sign-in.ts'
import { commandLineHere } from '../core/program.ts'
import { alreadySetUp } from '../core/errors.ts'
import { quoteForShell } from '../core/quote-for-shell.ts'
import { StoreError } from '../db/store-error.ts'
import { ask, readPassword } from './ask-password.ts'
import { withCaller, type Target } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { findUserId, getUser } from './find-by-name.ts'
import { listAll } from './key-commands.ts'
import {
  presetOption,
  print,
  printable,
  sameInstance,
  table,
  targetOf,
  withCommonOptions,
  withExamples,
  type CommonOptions,
} from './options.ts'

interface PersonOptions extends CommonOptions {
  email: string
  passwordStdin?: true
  endEverything?: true
}

interface SetupOptions extends PersonOptions {
  vault?: string
  label?: string
  preset: string
}

export function addSetupCommand(program: Command): void {
  const command = program
    .command('setup')
    .description('create the owner, a vault and a first agent key; once per instance')
    .requiredOption('--email <address>', 'email address of the owner')
    .option('--password-stdin', 'read the password from stdin instead of asking for it')
    .option('--vault <name>', 'name of the first vault (default: Main)')
    .option('--label <text>', 'name of the first agent (default: First agent)')
    .addOption(presetOption('what the first agent may do').default('read_write'))
  withCommonOptions(command).action(async (options: SetupOptions) => {
    const { email, vault: vaultName, label, preset } = options
    const target = targetOf(options, { mayCreate: true })
    await refuseSecondSetup(target)
    const password = await readPassword(options.passwordStdin === true)
    const result = await withCaller(target, ({ call }) => call(setUp, { email, password, vaultName, label, preset }))
    const { agentKey, dashboardToken } = readAnswer(setUpRecord, result)
    print(options, result, [
      'Holdfast is set up. These are shown only once:',
      '',
      ...table([
        ['Agent key', agentKey],
        ['Dashboard token', dashboardToken],
      ]),
      '',
      'Give the agent key to your agent as HOLDFAST_KEY. The dashboard token is for scripts that continue',
      'the setup as you, for one hour. To sign in to the dashboard, use your email and password.',
    ])
  })
  withExamples(command, 'setup --email you@example.org')
}

/** Checks before asking for a password. The check doesn't create a store that isn't there yet. */
async function refuseSecondSetup(target: Target): Promise<void> {
  const needed = await withCaller({ ...target, mayCreate: false }, async ({ call }) => {
    const answer = await call(getSetup, {})
    return answer.needed !== false
  }).catch((error: unknown) => {
    if (isMissing(error)) return true
    throw error
  })
  if (!needed) throw new CommandError(exitCodes.refused, alreadySetUp().message)
}

const isMissing = (error: unknown) =>
  (error instanceof CommandError && error.exitCode === exitCodes.notFound) ||
  (error instanceof StoreError && error.kind === 'missing')

export function addUserCommands(program: Command): void {
  const users = program.command('users').description('the people who have an account here')
  const add = users
    .command('add')
    .description('add a person, with their own keys and vault')
    .requiredOption('--email <address>', 'email address')
    .option('--password-stdin', 'read the password from stdin instead of asking for it')
  withCommonOptions(add).action(async (options: PersonOptions) => {
    const target = targetOf(options, { mayCreate: false })
    const password = await readPassword(options.passwordStdin === true)
    const result = await withCaller(target, ({ call }) => call(createUser, { email: options.email, password }))
    print(options, result, [
      `Added ${options.email}. This token is for a script that continues the setup, and is valid for one hour:`,
      '',
      ...table([['Dashboard token', readAnswer(addedUser, result).dashboardToken]]),
      '',
      `To create a key for an agent: ${commandLineHere} keys create --email ${quoteForShell(options.email)} --label "Laptop"${sameInstance(options)}`,
    ])
  })
  withExamples(add, 'users add --email grace@example.org')
  addUserListCommand(users)
  addResetCommands(users)
  addDisableCommands(users)
  addDeleteCommand(users)
}

function addUserListCommand(users: Command): void {
  const command = users.command('list').description('list the people who have an account here')
  withCommonOptions(command).action(async (options: CommonOptions) => {
    const found = await withCaller(targetOf(options, { mayCreate: false }), ({ call }) =>
      listAll(async (offset) => {
        const { users: rows, hasMore } = readAnswer(userList, await call(listUsers, { limit: 100, offset }))
        return { rows, hasMore }
      }),
    )
    const rows = found.map(({ userId, email, name, isOwner, isDamaged, disabledAt }): [string, string] => [
      isDamaged ? `${userId} (damaged)` : printable(email),
      [
        ...(isOwner ? ['owner'] : []),
        disabledAt === null ? 'active' : `disabled ${disabledAt}`,
        ...(name === null ? [] : [printable(name)]),
      ].join('  '),
    ])
    print(options, { users: found }, rows.length === 0 ? ['No users.'] : table(rows))
  })
  withExamples(command, 'users list --json')
}

/** For people who are locked out. Anyone who can read the data folder may vouch for them. */
function addResetCommands(users: Command): void {
  const password = users
    .command('reset-password')
    .description('set a new password for a person and end their sessions')
    .requiredOption('--email <address>', 'email address')
    .option('--password-stdin', 'read the password from stdin instead of asking for it')
    .option('--end-everything', 'also revoke their dashboard tokens')
  withCommonOptions(password).action(async (options: PersonOptions) => {
    const target = targetOf(options, { mayCreate: false })
    const { email, endEverything: tokens = false } = options
    const given = { email, password: await readPassword(options.passwordStdin === true), tokens }
    const result = await withCaller(target, async ({ call }) => {
      await findUserId(call, email)
      return call(resetSignIn, given)
    })
    const { endedSessions, revokedTokens } = readAnswer(resetRecord, result)
    print(options, result, [
      `Password of ${email} changed. Sessions ended: ${endedSessions}. Tokens revoked: ${revokedTokens}.`,
    ])
  })
  withExamples(password, 'users reset-password --email grace@example.org')
  const factor = users
    .command('reset-factor')
    .description('remove the second factor and passkeys of a person who lost them and end their sessions')
    .requiredOption('--email <address>', 'email address')
  withCommonOptions(factor).action(async (options: PersonOptions) => {
    const target = targetOf(options, { mayCreate: false })
    const result = await withCaller(target, async ({ call }) => {
      await findUserId(call, options.email)
      return call(resetSignIn, { email: options.email, factors: true })
    })
    const { removedFactor, removedPasskeys, endedSessions } = readAnswer(resetRecord, result)
    const what = removedFactor
      ? `Removed the second factor of ${options.email}`
      : `${options.email} had no second factor`
    print(options, result, [`${what}. Passkeys removed: ${removedPasskeys}. Sessions ended: ${endedSessions}.`])
  })
  withExamples(factor, 'users reset-factor --email grace@example.org')
}

function addDisableCommands(users: Command): void {
  const commands = [
    ['disable', true, 'block a person: their sign-ins, tokens and agent keys stop working'],
    ['enable', false, 'unblock a disabled person: their tokens and agent keys work again'],
  ] as const
  for (const [name, disabled, description] of commands) {
    const command = users.command(name).description(description).requiredOption('--email <address>', 'email address')
    withCommonOptions(command).action(async (options: PersonOptions) => {
      const { email } = options
      const { before, result } = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) => {
        const user = await getUser(call, email)
        if (user.isOwner)
          throw new CommandError(
            exitCodes.refused,
            `${email} is the owner of this server, who can't be disabled or enabled.`,
          )
        return { before: user, result: await call(updateUser, { userId: user.userId, disabled }) }
      })
      const undo = `${commandLineHere} users enable --email ${quoteForShell(email)}${sameInstance(options)}`
      print(
        options,
        result,
        disabled
          ? [
              before.disabledAt === null
                ? `Disabled ${email}. Nothing was deleted. To undo this: ${undo}`
                : `${email} has been disabled since ${before.disabledAt}. To undo this: ${undo}`,
            ]
          : [`Enabled ${email}. Their password, tokens and agent keys work again.`],
      )
    })
    withExamples(command, `users ${name} --email grace@example.org`)
  }
}

interface DeleteOptions extends CommonOptions {
  email: string
  confirm?: string
}

function addDeleteCommand(users: Command): void {
  const command = users
    .command('delete')
    .alias('remove')
    .description('permanently delete a person with their vaults, agents and everything they stored')
    .requiredOption('--email <address>', 'email address')
    .option('--confirm <address>', 'the email address again, instead of asking for it')
  withCommonOptions(command).action(async (options: DeleteOptions) => {
    const { email } = options
    const target = targetOf(options, { mayCreate: false })
    const typed = options.confirm ?? (await askForEmail(email))
    const result = await withCaller(target, async ({ call }) =>
      call(deleteUser, { userId: await findUserId(call, email), email: typed }),
    )
    print(options, result, [`Deleted ${email}. Earlier backups still contain their data.`])
  })
  withExamples(command, 'users delete --email grace@example.org')
}

function askForEmail(email: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      exitCodes.usage,
      'A confirmation needs a terminal.',
      'Without one, repeat the email address with --confirm.',
    )
  return ask(`This permanently deletes ${email} and everything they stored. Type the email address to confirm: `)
}
