import { defaultUrl } from '@holdfast/client'
import {
  agentClients,
  agentsBlock,
  findAgentClient,
  type AgentClient,
  type ConnectTo,
  type Scope,
} from '@holdfast/hosts/clients'
import { Option, type Command } from 'commander'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { readAgent } from '../config.ts'
import { commandLine } from '../core/command-line.ts'
import { readAgentSettings } from './agent-settings.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { diffLines } from './line-diff.ts'
import { print, table, withExamples } from './options.ts'
import { readIfThere, rewriteFile } from './rewrite-file.ts'
import { snippetOf, withEntry, withoutEntry } from './settings-file.ts'

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

// Stands for the key wherever people look.
const shownKey = 'svc_...'
const main = resolve(import.meta.dirname, '../main.ts')

export function addConnectCommands(program: Command): void {
  const connect = program
    .command('connect [client]')
    .description("tell an agent's program where Holdfast is: print the settings, or write them")
    .option('--url <url>', `the server (default: HOLDFAST_URL, ${defaultUrl})`)
    .option('--vault <name or id>', 'vault to work in (default: .holdfast.json, upwards)')
    .option('--write', 'write the settings, beside what else is in the file')
  withPlace(connect)
    .addHelpText(
      'after',
      `
Clients:
${agentClients.map(({ id, title }) => `  ${id.padEnd(15)} ${title}`).join('\n')}`,
    )
    .action((id: string | undefined, options: ConnectOptions) => {
      if (id === undefined) listClients(options)
      else connectClient(clientOf(id), options)
    })
  withExamples(connect, 'connect claude-code', 'connect cursor --vault app --write --agents-md')
  const disconnect = program
    .command('disconnect <client>')
    .description("take Holdfast out of the settings of an agent's program")
  withPlace(disconnect).action((id: string, options: ConnectOptions) => disconnectClient(clientOf(id), options))
  withExamples(disconnect, 'disconnect cursor')
}

const withPlace = (command: Command) =>
  command
    .addOption(new Option('--project', "in the project's own file (default where there is one)").conflicts('user'))
    .option('--user', 'in the file in your home folder')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--agents-md', 'the lines in AGENTS.md that tell agents to use it, too')
    .option('--json', 'print the result as JSON')

function clientOf(id: string): AgentClient {
  const client = findAgentClient(id)
  if (client !== undefined) return client
  const known = agentClients.map((other) => other.id).join(', ')
  throw new CommandError(exitCodes.usage, `There is no client ${id}.`, `Known are ${known}.`)
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
    throw new CommandError(exitCodes.usage, `${client.title} has no file of that kind that this command writes.`)
  }
  const path = typeof given === 'string' ? given : given[platformName()]
  return { scope, path: path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(path) }
}

const platformName = () => (process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux')

interface Change {
  path: string
  before: string
  after: string
  isSecret: boolean
}

function connectClient(client: AgentClient, options: ConnectOptions): void {
  const { url, key, vault } = readAgentSettings(options)
  const to = { url, vault, key: shownKey, command: [process.execPath, main] } as const
  const isWriting = options.write === true || options.dryRun === true
  if (!isWriting) return printSnippet(client, to, options)
  const place = placeOf(client, options)
  if (place === undefined)
    throw new CommandError(exitCodes.usage, `${client.title} has no file that this command writes.`)
  const isSecret = client.key === 'inline'
  if (isSecret && key === undefined && options.dryRun !== true)
    throw new CommandError(
      exitCodes.usage,
      'HOLDFAST_KEY is not set, and this client wants the key in its file.',
      `Set it, or copy what \`${commandLine} connect ${client.id}\` prints.`,
    )
  const before = readIfThere(place.path)
  const after = withEntry(before, client, client.entry({ ...to, key: key ?? shownKey }))
  const changes: Change[] = [{ path: place.path, before, after, isSecret }]
  if (options.agentsMd === true) changes.push(agentsChange((text) => withAgentsBlock(text, agentsBlock(to.vault))))
  finish(client, changes, key, options)
}

function disconnectClient(client: AgentClient, options: ConnectOptions): void {
  const place = placeOf(client, options)
  if (place === undefined)
    throw new CommandError(exitCodes.usage, `${client.title} has no file that this command writes.`)
  const before = readIfThere(place.path)
  const after = before === '' ? '' : withoutEntry(before, client)
  const changes: Change[] = [{ path: place.path, before, after, isSecret: client.key === 'inline' }]
  if (options.agentsMd === true) changes.push(agentsChange((text) => withAgentsBlock(text, '')))
  finish(client, changes, readAgent().key, options)
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
    notes: client.notes,
  }
  print(options, result, [
    `${client.title}: ${place === undefined ? 'where it keeps its settings' : place.path}`,
    '',
    snippet,
    '',
    ...(shell === undefined ? [] : ['Or for all your projects:', '', `  ${shell}`, '']),
    ...(agentsMd === undefined ? [] : ['AGENTS.md:', '', agentsMd, '']),
    ...(client.key === 'inline' ? [`Put your agent key in the place of ${shownKey}.`] : []),
    ...client.notes,
  ])
}

/** Writes what differs, and says it; the key is never shown. */
function finish(
  client: AgentClient,
  changes: readonly Change[],
  key: string | undefined,
  options: ConnectOptions,
): void {
  const isDry = options.dryRun === true
  const hide = (text: string) => text.replaceAll(/svc_\w+/g, shownKey).replaceAll(key ?? shownKey, shownKey)
  const results = changes.map(({ path, before, after, isSecret }) => {
    const isChanged = before !== after
    const copy = isChanged && !isDry ? rewriteFile(path, after, { isSecret }) : undefined
    return { path, isChanged, copy: copy ?? null, diff: diffLines(hide(before), hide(after)) }
  })
  const lines = results.flatMap(({ path, isChanged, copy, diff }) =>
    isChanged
      ? [
          `${isDry ? 'Would change' : 'Changed'} ${path}${copy === null ? '' : `\n  as it was: ${copy}`}`,
          ...(isDry ? diff : []),
        ]
      : [`${path} is as it should be.`],
  )
  print(options, { client: client.id, dryRun: isDry, files: results }, [...lines, ...client.notes])
}

const agentsFence = /\n*<!-- holdfast:begin -->[^]*?<!-- holdfast:end -->\n?/

function agentsChange(change: (text: string) => string): Change {
  const path = resolve('AGENTS.md')
  const before = readIfThere(path)
  return { path, before, after: change(before), isSecret: false }
}

/** With this block in the place of the former one, or at the end. */
export function withAgentsBlock(text: string, block: string): string {
  const rest = agentsFence.test(text) ? text : `${text.trimEnd()}\n\n<!-- holdfast:begin --><!-- holdfast:end -->\n`
  const gap = rest.search(agentsFence) <= 0 ? '' : '\n\n'
  const changed = rest.replace(agentsFence, () => (block === '' ? '\n' : `${gap}${block}\n`))
  return changed.trim() === '' ? '' : changed
}
