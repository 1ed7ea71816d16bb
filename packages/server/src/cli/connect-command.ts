import { defaultUrl } from '@holdfast/client'
import {
  agentClients,
  agentsBlock,
  findAgentClient,
  shownKey,
  type AgentClient,
  type ConnectTo,
  type JsonObject,
  type Scope,
} from '@holdfast/hosts/clients'
import { Option, type Command } from 'commander'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { checkoutFolder, commandLineHere, programFile } from '../core/program.ts'
import { readAgentSettings } from './agent-client.ts'
import { agentsBlockIn, withAgentsBlock } from './agents-block.ts'
import { checkVault, unchecked } from './link-command.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { diffLines, readIfThere, removeFile, rewriteFile } from './rewrite-file.ts'
import { print, printable, printableLines, table, withExamples } from './options.ts'
import { ownFieldsOf, snippetOf, withEntry, withoutEntry } from './settings-file.ts'

interface ConnectOptions {
  url?: string
  vault?: string
  user?: true
  project?: true
  write?: true
  dryRun?: true
  agentsMd?: true
  json?: true
}

const main = programFile('main')

export function addConnectCommands(program: Command): void {
  const connect = program
    .command('connect [client]')
    .description("connect an agent's program: print its settings, or write them")
    .option('--url <url>', `the server (default: HOLDFAST_URL, ${defaultUrl})`)
    .option('--vault <name or id>', 'vault to use (default: the one in .holdfast.json)')
    .option('--write', 'write the settings; keep everything else in the file')
  withPlace(connect)
    .addHelpText(
      'after',
      `
Clients:
${agentClients.map(({ id, title }) => `  ${id.padEnd(15)} ${title}`).join('\n')}`,
    )
    .action((id: string | undefined, options: ConnectOptions) => {
      if (id === undefined) return listClients(options)
      return connectClient(clientOf(id), options)
    })
  withExamples(connect, 'connect claude-code', 'connect cursor --vault app --write --agents-md')
  const disconnect = program
    .command('disconnect <client>')
    .description("remove Holdfast from the settings of an agent's program")
  withPlace(disconnect).action((id: string, options: ConnectOptions) => disconnectClient(clientOf(id), options))
  withExamples(disconnect, 'disconnect cursor')
}

const withPlace = (command: Command) =>
  command
    .addOption(new Option('--project', "use the project's file (default if the client has one)").conflicts('user'))
    .option('--user', 'use the file in your home folder')
    .option('--dry-run', 'show the changes without making them')
    .option('--agents-md', 'also the lines in AGENTS.md that tell agents to use it')
    .option('--json', 'print the result as JSON')

function clientOf(id: string): AgentClient {
  const client = findAgentClient(id)
  if (client !== undefined) return client
  const known = agentClients.map((other) => other.id).join(', ')
  throw new CommandError(exitCodes.usage, `Unknown client ${id}.`, `Known clients: ${known}.`)
}

function listClients(options: ConnectOptions): void {
  const clients = agentClients.map(({ id, title, key, files }) => ({ id, title, key, scopes: Object.keys(files) }))
  print(options, { clients }, table(clients.map(({ id, title }) => [id, title])))
}

interface Place {
  scope: Scope
  path: string
}

function placeOf(client: AgentClient, { user, project }: ConnectOptions): Place | undefined {
  const wanted: Scope | undefined = user === true ? 'user' : project === true ? 'project' : undefined
  const scope = wanted ?? (client.files.project === undefined ? 'user' : 'project')
  const given = client.files[scope]
  if (given === undefined) {
    if (wanted === undefined) return undefined
    throw new CommandError(exitCodes.usage, `This command cannot write such a file for ${client.title}.`)
  }
  const path = typeof given === 'string' ? given : given[platformName()]
  return { scope, path: path.startsWith('~/') ? join(home(), path.slice(2)) : resolve(path) }
}

/** Refuses a relative home folder: settings meant for it would end up in the project. */
function home(): string {
  const folder = homedir()
  if (isAbsolute(folder)) return folder
  throw new CommandError(
    exitCodes.refused,
    'Your home folder is unknown: HOME is empty or not an absolute path.',
    'Set HOME, then try again.',
  )
}

const platformName = () => (process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux')

interface Change {
  path: string
  before: string
  after: string
  /** Our part of both. Other lines of the file may hold secrets and are never shown. */
  own: { before: string; after: string }
  isSecret: boolean
  within: string | undefined
}

async function connectClient(client: AgentClient, options: ConnectOptions): Promise<void> {
  const settings = readAgentSettings(options)
  const { url, key, vault } = settings
  const to = { url, vault, key: shownKey, command: [process.execPath, main] } as const
  const isWriting = options.write === true || options.dryRun === true
  if (!isWriting) return printSnippet(client, to, options)
  const isChecked = vault === undefined || (await checkVault(vault, settings))
  if (client.key === 'inline' && key === undefined && options.dryRun !== true)
    throw new CommandError(
      exitCodes.usage,
      'HOLDFAST_KEY is not set, and this client needs the key in its file.',
      `Set it, or copy the output of \`${commandLineHere} connect ${client.id}\` into the file.`,
    )
  const entry = client.entry({ ...to, key: key ?? shownKey })
  const changes = [settingsChange(client, entry, options, (text) => withEntry(text, client, entry))]
  if (options.agentsMd === true) changes.push(agentsChange(agentsBlock(to.vault)))
  finish(client, changes, options, { key, notes: [...notesOf(client), ...(isChecked ? [] : [unchecked])] })
}

function disconnectClient(client: AgentClient, options: ConnectOptions): void {
  const { url, key, vault } = readAgentSettings(options)
  const entry = client.entry({ url, vault, key: shownKey, command: [process.execPath, main] })
  const changes = [
    settingsChange(client, entry, options, (text) => (text === '' ? '' : withoutEntry(text, client, entry))),
  ]
  if (options.agentsMd === true) changes.push(agentsChange(''))
  finish(client, changes, options, { key, notes: [] })
}

function settingsChange(
  client: AgentClient,
  entry: JsonObject,
  options: ConnectOptions,
  change: (text: string) => string,
): Change {
  const place = placeOf(client, options)
  if (place === undefined)
    throw new CommandError(exitCodes.usage, `This command cannot write the settings of ${client.title}.`)
  const { path, scope } = place
  const before = readIfThere(path)
  const after = inFile(path, () => change(before))
  const [old, now] = [before, after].map((text) => ownFieldsOf(text, client, entry)) as [string, string]
  const within = scope === 'project' ? process.cwd() : undefined
  return { path, before, after, own: { before: old, after: now }, isSecret: client.key === 'inline', within }
}

/** Adds the file's name to errors about it. */
function inFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(error.exitCode, `${path}: ${error.message}`, error.next)
  }
}

function agentsChange(block: string): Change {
  const path = resolve('AGENTS.md')
  const before = readIfThere(path)
  const after = withAgentsBlock(before, block)
  const own = { before: agentsBlockIn(before), after: agentsBlockIn(after) }
  return { path, before, after, own, isSecret: false, within: process.cwd() }
}

function printSnippet(client: AgentClient, to: ConnectTo, options: ConnectOptions): void {
  const snippet = snippetOf(client, client.entry(to)).trimEnd()
  const place = placeOf(client, options)
  const shell = client.shell?.(to)
  const agentsMd = options.agentsMd === true ? agentsBlock(to.vault) : undefined
  const result = {
    client: client.id,
    path: place?.path ?? null,
    snippet,
    key: client.key,
    shell: shell ?? null,
    agentsMd: agentsMd ?? null,
    notes: notesOf(client),
  }
  const lines = [
    `${client.title}: ${place === undefined ? 'in its settings' : place.path}`,
    '',
    snippet,
    '',
    ...(shell === undefined ? [] : ['Or for all your projects:', '', `  ${shell}`, '']),
    ...(agentsMd === undefined ? [] : ['AGENTS.md:', '', agentsMd, '']),
    ...(client.key === 'inline' ? [`Replace ${shownKey} with your agent key.`] : []),
    ...notesOf(client),
  ]
  print(options, result, lines.map(printableLines))
}

const notesOf = ({ notes, plugin }: AgentClient): readonly string[] =>
  plugin === undefined || checkoutFolder === undefined
    ? notes
    : [...notes, `For hooks and skills, install the plugin: ${plugin(checkoutFolder)}`]

/** Writes the changes and prints ours. Keys and other people's settings are never printed. */
function finish(
  client: AgentClient,
  changes: readonly Change[],
  options: ConnectOptions,
  { key, notes }: { key: string | undefined; notes: readonly string[] },
): void {
  const isDry = options.dryRun === true
  const hide = (text: string) =>
    text
      .replaceAll(/svc_\w+/g, shownKey)
      .replaceAll(/Bearer [^\s"'${]+/g, `Bearer ${shownKey}`)
      .replaceAll(key ?? shownKey, shownKey)
  const results = changes.map(({ path, before, after, own, isSecret, within }) => {
    const isChanged = before !== after
    const copy = isChanged && !isDry ? writeOrRemove(path, after, { isSecret, within }) : undefined
    return { path, isChanged, copy: copy ?? null, diff: diffLines(hide(own.before), hide(own.after)) }
  })
  const lines = results.flatMap(({ path, isChanged, copy, diff }) =>
    isChanged
      ? [
          `${isDry ? 'Would change' : 'Changed'} ${path}`,
          ...(copy === null ? [] : [`  previous version: ${copy}`]),
          ...(isDry ? diff : []),
        ]
      : [`${path} is up to date.`],
  )
  print(options, { client: client.id, dryRun: isDry, files: results }, [...lines, ...notes].map(printable))
}

/** Deletes the file if no text is left. */
const writeOrRemove = (path: string, text: string, options: Parameters<typeof rewriteFile>[2]) =>
  text === '' ? removeFile(path, options) : rewriteFile(path, text, options)
