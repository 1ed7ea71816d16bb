import { hookEvents, runHook } from '@holdfast/hosts/hook/run-hook'
import { closestTo } from '@holdfast/mcp/closest'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { ConfigError, readConfig, type VariableName } from '../config.ts'
import { createLog } from '../core/log.ts'
import { version } from '../core/program.ts'
import { StoreError } from '../db/store-error.ts'
import { CommandError, type ExitCode, exitCodes } from './exit-codes.ts'
import { printableLines, withExamples } from './options.ts'

/** Runs a command line and returns its exit code. Errors have been printed on stderr by then. Without a command, it is `serve`. */
export async function run(given: readonly string[]): Promise<ExitCode> {
  const argv = given.length > 2 ? given : [...given, 'serve']
  const isJson = argv.includes('--json')
  stopWithReader()
  try {
    const program = await createProgram(isJson, namedCommand(argv))
    refuseHelpForUnknown(program, argv)
    await program.parseAsync(argv)
    return exitCodes.success
  } catch (error) {
    return report(error, isJson)
  }
}

/** Ends quietly if the reader of a pipe closes it early, as `head` does. */
function stopWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.success)
    throw error
  })
}

/** `isJson`: the caller prints errors. `named`: the command that will run. Default: all commands, as the help needs them. */
export async function createProgram(isJson: boolean, named?: string): Promise<Command> {
  const program = new Command('holdfast')
    .description('Encrypted memory for software agents.')
    .version(version)
    .exitOverride()
    // Without this, a command that has an action and subcommands would take the subcommands' options.
    .enablePositionalOptions()
    .showHelpAfterError('Try --help.')
    .addHelpCommand(new Command('help').argument('[command]').description('show help for a command').helpGroup('Help:'))
    // Every command has options.
    .configureHelp({
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trim(),
    })
    // `report` prints them.
    .configureOutput(isJson ? { writeErr: () => {} } : {})
    .addHelpText(
      'after',
      `
Without a command, it serves. Commands call the running server, or open the data
folder if no server runs.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 not found,
5 unavailable.`,
    )
  const isKnownName = groups.some(([, sources]) => sources.some(({ names }) => names.includes(named ?? '')))
  for (const [title, sources] of groups) {
    program.commandsGroup(title)
    const needed = sources.filter(({ names }) => !isKnownName || names.includes(named ?? ''))
    for (const { load } of needed) (await load())(program)
  }
  for (const command of [program, ...program.commands]) if (command.commands.length > 0) suggestCommands(command)
  return program
}

/** Suggests commands that begin with an unknown name before those that are spelled almost like it: `reset` isn't `delete`. */
function suggestCommands(command: Command): void {
  command.on('command:*', ([unknown = '']: string[]) => refuseUnknown(command, unknown))
}

function refuseUnknown(command: Command, unknown: string): never {
  const names = command.commands.map((known) => known.name())
  const longer = names.filter((name) => unknown !== '' && name.startsWith(unknown))
  const found = longer.length > 0 ? longer : [closestTo(unknown, names)].filter((name) => name !== undefined)
  const suggestion = found.length === 0 ? '' : `\n(Did you mean ${found.join(' or ')}?)`
  command.error(`error: unknown command '${unknown}'${suggestion}`, { code: 'commander.unknownCommand' })
}

/** Commander would print the list of commands as if that were the answer. */
function refuseHelpForUnknown(program: Command, argv: readonly string[]): void {
  const [command, topic] = wordsOf(argv)
  if (command !== 'help' || topic === undefined || topic === 'help') return
  if (!program.commands.some((known) => known.name() === topic)) refuseUnknown(program, topic)
}

const wordsOf = (argv: readonly string[]) => argv.slice(2).filter((word) => !word.startsWith('-'))

const namedCommand = (argv: readonly string[]): string | undefined => wordsOf(argv)[0]

/** Commands that are declared together. A name left out here costs time: then all commands are loaded. */
interface CommandSource {
  names: readonly string[]
  load(): Promise<(program: Command) => void>
}

// Loading all commands takes longer than most of them run: with only the file of the named one, `holdfast search` takes 0.21 s of
// processor time instead of 0.47 s.
const groups: readonly [title: string, sources: readonly CommandSource[]][] = [
  [
    'Server:',
    [
      { names: ['serve'], load: async () => addServeCommand },
      { names: ['setup'], load: async () => (await import('./account-commands.ts')).addSetupCommand },
      { names: ['status'], load: async () => (await import('./status-command.ts')).addStatusCommand },
      { names: ['doctor'], load: async () => (await import('./doctor-command.ts')).addDoctorCommand },
      { names: ['embeddings'], load: async () => (await import('./embeddings-command.ts')).addEmbeddingCommands },
    ],
  ],
  [
    'People, vaults and keys:',
    [
      { names: ['users'], load: async () => (await import('./account-commands.ts')).addUserCommands },
      { names: ['vaults'], load: async () => (await import('./vault-commands.ts')).addVaultCommands },
      { names: ['keys'], load: async () => (await import('./key-commands.ts')).addKeyCommands },
    ],
  ],
  [
    'Agents:',
    [
      { names: ['connect', 'disconnect'], load: async () => (await import('./connect-command.ts')).addConnectCommands },
      { names: ['link'], load: async () => (await import('./link-command.ts')).addLinkCommand },
      { names: ['mcp'], load: async () => (await import('./mcp-command.ts')).addMcpCommand },
      { names: ['hook'], load: async () => addHookCommand },
    ],
  ],
  [
    'Content, with an agent key:',
    [
      {
        names: ['search', 'remember', 'recall', 'tasks', 'notes', 'context'],
        load: async () => (await import('./content-commands.ts')).addContentCommands,
      },
    ],
  ],
  [
    'Data:',
    [
      { names: ['import'], load: async () => (await import('./import-command.ts')).addImportCommand },
      { names: ['export'], load: async () => (await import('./export-command.ts')).addExportCommand },
      { names: ['backup'], load: async () => (await import('./backup-command.ts')).addBackupCommand },
      { names: ['restore'], load: async () => (await import('./restore-command.ts')).addRestoreCommand },
      { names: ['check'], load: async () => (await import('./check-command.ts')).addCheckCommand },
      { names: ['rotate-keys'], load: async () => (await import('./rotate-keys-command.ts')).addRotateKeysCommand },
    ],
  ],
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
    .action(async ({ host, port, dataDir }: ServeOptions) => {
      const { serve } = await import('./serve.ts')
      const flags: [VariableName, string | undefined][] = [
        ['HOLDFAST_HOST', host],
        ['HOLDFAST_PORT', port],
        ['HOLDFAST_DATA_DIR', dataDir],
      ]
      return serve(readConfig(undefined, Object.fromEntries(flags.filter(([, value]) => value !== undefined))))
    })
  withExamples(command, 'serve --data-dir /var/lib/holdfast')
}

/** Returned as text, because it replaces an environment variable. */
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

/** With --json, prints the error on stderr as one line of JSON. */
function report(error: unknown, isJson: boolean): ExitCode {
  const ending = describeEnding(error)
  // Commander has printed its own errors, as text. Help and version also arrive here, as success.
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
    // Shown as text, the help says so.
    const message = error.code === 'commander.help' ? 'Give one of the commands that --help lists.' : error.message
    return { exitCode, message: message.replace(/^error: /, '') }
  }
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message, next: error.next }
  if (error instanceof ConfigError)
    return { exitCode: exitCodes.failure, message: `Invalid settings:\n${error.message}` }
  if (error instanceof StoreError) return { exitCode: storeExitCodes[error.kind], message: error.message }
  return {
    exitCode: exitCodes.failure,
    message: 'Internal error. The line below has details.',
  }
}

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Needed for help and unknown events. main.ts runs known events before it loads this program. */
function addHookCommand(program: Command): void {
  const command = program
    .command('hook <event>')
    .description('give an agent its memory; called by the agent program on an event')
    .addHelpText(
      'after',
      `
Events: ${Object.keys(hookEvents).join(', ')}.
It reads the event from stdin, prints the answer that the program expects, and
always exits with 0. If the server is unavailable, it prints one line on stderr
per session. HOLDFAST_HOOKS=0 or "hooks": false in .holdfast.json turns hooks
off.`,
    )
    .action((event: string) => runHook([event], process))
  withExamples(command, 'hook session-start < event.json')
}
