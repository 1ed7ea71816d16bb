import { hookEvents, runHook } from '@holdfast/hosts/hook/run-hook'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { ConfigError, readConfig, type VariableName } from '../config.ts'
import { createLog } from '../core/log.ts'
import { version } from '../core/program.ts'
import { StoreError } from '../db/dialect.ts'
import { addSetupCommand, addUserCommands } from './account-commands.ts'
import { addBackupCommand } from './backup-command.ts'
import { addConnectCommands } from './connect-command.ts'
import { addContentCommands } from './content-commands.ts'
import { addDoctorCommand } from './doctor-command.ts'
import { CommandError, type ExitCode, exitCodes } from './exit-codes.ts'
import { addExportCommand } from './export-command.ts'
import { addImportCommand } from './import-command.ts'
import { addKeyCommands } from './key-commands.ts'
import { addLinkCommand } from './link-command.ts'
import { addMcpCommand } from './mcp-command.ts'
import { printableLines, withExamples } from './options.ts'
import { addRestoreCommand } from './restore-command.ts'
import { addRotateKeyCommand } from './rotate-key-command.ts'
import { serve } from './serve.ts'
import { addStatusCommand } from './status-command.ts'
import { addVaultCommands } from './vault-commands.ts'

/** The command line. Resolves with the exit code; what went wrong has then been said on stderr. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  const isJson = argv.includes('--json')
  stopWithReader()
  try {
    await createProgram(isJson).parseAsync(argv)
    return exitCodes.success
  } catch (error) {
    return report(error, isJson)
  }
}

/** Whoever reads a pipe may leave early, as `head` does. */
function stopWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.success)
    throw error
  })
}

/** `isJson`: what went wrong is then said by the caller alone. */
export function createProgram(isJson: boolean): Command {
  const program = new Command('holdfast')
    .description('Encrypted memory for software agents.')
    .version(version)
    .exitOverride()
    // Or a command that has commands of its own, and does something itself, would take their options.
    .enablePositionalOptions()
    .showHelpAfterError('Try --help.')
    .addHelpCommand(
      new Command('help').argument('[command]').description('show the help of a command').helpGroup('Help:'),
    )
    // Every command has options.
    .configureHelp({
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trim(),
    })
    // Said in `report`.
    .configureOutput(isJson ? { writeErr: () => {} } : {})
    .addHelpText(
      'after',
      `
Commands work through the running server, or directly on the data folder where
none runs. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 not found,
5 unavailable.`,
    )
  for (const [title, addCommands] of groups) {
    program.commandsGroup(title)
    for (const add of addCommands) add(program)
  }
  return program
}

const groups: readonly [title: string, addCommands: readonly ((program: Command) => void)[]][] = [
  ['Server:', [addServeCommand, addSetupCommand, addStatusCommand, addDoctorCommand]],
  ['People, vaults and keys:', [addUserCommands, addVaultCommands, addKeyCommands]],
  ['Agents:', [addConnectCommands, addLinkCommand, addMcpCommand, addHookCommand]],
  ['Content, with an agent key:', [addContentCommands]],
  ['Data:', [addImportCommand, addExportCommand, addBackupCommand, addRestoreCommand, addRotateKeyCommand]],
]

interface ServeOptions {
  host?: string
  port?: string
  dataDir?: string
}

function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('run the server until Ctrl-C or SIGTERM')
    .option('--host <address>', 'address to listen on (default: HOLDFAST_HOST, 127.0.0.1)')
    .option('--port <number>', 'port to listen on (default: HOLDFAST_PORT, 8420)', readPort)
    .option('--data-dir <folder>', 'data folder (default: HOLDFAST_DATA_DIR, ./data)')
    .action(({ host, port, dataDir }: ServeOptions) => {
      const flags: [VariableName, string | undefined][] = [
        ['HOLDFAST_HOST', host],
        ['HOLDFAST_PORT', port],
        ['HOLDFAST_DATA_DIR', dataDir],
      ]
      return serve(readConfig(undefined, Object.fromEntries(flags.filter(([, value]) => value !== undefined))))
    })
  withExamples(command, 'serve --data-dir /var/lib/holdfast')
}

/** As text: it takes the place of a variable. */
function readPort(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text
  throw new InvalidArgumentError('Give a number from 0 to 65535.')
}

const storeExitCodes = { away: exitCodes.unavailable, missing: exitCodes.notFound, wrong: exitCodes.failure } as const

interface Ending {
  exitCode: ExitCode
  message: string
  /** What to do about it. */
  next?: string | undefined
}

/** With --json what went wrong is one line of JSON as well, on stderr. */
function report(error: unknown, isJson: boolean): ExitCode {
  const ending = describeEnding(error)
  // Commander has said its own errors already, but as text; asking for help or the version is none.
  if (error instanceof CommanderError && (!isJson || ending.exitCode === exitCodes.success)) return ending.exitCode
  const { exitCode, message, next } = ending
  if (isJson) say(JSON.stringify({ error: message, ...(next !== undefined && { next }), exitCode }))
  else say(printableLines(next === undefined ? message : `${message}\n${next}`))
  if (!isKnown(error)) createLog('error', process.stderr).error('command failed', { error })
  return exitCode
}

const isKnown = (error: unknown) =>
  [CommanderError, CommandError, ConfigError, StoreError].some((known) => error instanceof known)

function describeEnding(error: unknown): Ending {
  if (error instanceof CommanderError) {
    const exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.usage
    return { exitCode, message: error.message.replace(/^error: /, '') }
  }
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message, next: error.next }
  if (error instanceof ConfigError)
    return { exitCode: exitCodes.failure, message: `These settings cannot be used:\n${error.message}` }
  if (error instanceof StoreError) return { exitCode: storeExitCodes[error.kind], message: error.message }
  return {
    exitCode: exitCodes.failure,
    message: 'Something went wrong that should not have; the line below says where.',
  }
}

const say = (text: string) => process.stderr.write(`${text}\n`)

/** For its help, and for events that do not exist: the others are run before any command line is read. */
export function addHookCommand(program: Command): void {
  const command = program
    .command('hook <event>')
    .description('hand an agent its memory at an event of its program, which calls this')
    .addHelpText(
      'after',
      `
Events: ${Object.keys(hookEvents).join(', ')}.
It reads what the program writes on stdin, prints what that expects, and always
ends with 0: memory that is away costs the agent one line on stderr a session.
HOLDFAST_HOOKS=0 or "hooks": false in .holdfast.json switches hooks off.`,
    )
    .action((event: string) => runHook([event], process))
  withExamples(command, 'hook session-start < event.json')
}
