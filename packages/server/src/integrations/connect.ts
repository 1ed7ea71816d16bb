import {
  type AgentClient,
  agentClients,
  agentsBlock,
  type ConnectTo,
  type Json,
  type JsonObject,
  shownKey,
} from '@holdfast/hosts/clients'
import { z } from 'zod'
import { stringify as printToml } from 'smol-toml'
import { stringify as printYaml } from 'yaml'
import { checkoutFolder, programFile } from '../core/program.ts'
import { operation } from '../operation/operation.ts'

const clientRecord = z.looseObject({
  id: z.string(),
  title: z.string(),
  format: z.enum(['json', 'yaml', 'toml']),
  files: z
    .array(z.looseObject({ scope: z.enum(['project', 'user']), path: z.string() }))
    .describe('Where its settings are: in the project, or in the home folder (`~`), depending on the system.'),
  snippet: z.string().describe(`The settings to add. If they contain \`${shownKey}\`, replace it with the key.`),
  shell: z.string().nullable().describe('A command that does the same.'),
  install: z
    .looseObject({
      link: z.string().describe('Opens the program, which then asks whether to add the server. Never contains a key.'),
      note: z.string().nullable().describe('Where the key comes from, if not as in the settings.'),
    })
    .nullable()
    .describe('Adds the server with one click.'),
  plugin: z
    .string()
    .nullable()
    .describe('A command that installs the plugin, with hooks and skills. Null if this server has none to install.'),
  key: z
    .enum(['environment', 'asked', 'inline'])
    .describe('Where the key comes from: HOLDFAST_KEY, a prompt by the client, or the snippet itself.'),
  notes: z.array(z.string()).describe('Common mistakes.'),
})

export const connect = operation({
  name: 'connect',
  for: { person: 'GET /api/connect' },
  summary: 'Show how to connect each program that agents run in. Never includes a key.',
  effect: 'read',
  input: z.object({
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .describe('URL of this server, as the agent reaches it.'),
    vault: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The vault to work in, by name or id. Default: the integration’s.'),
  }),
  output: z.looseObject({
    clients: z.array(clientRecord),
    agentsMd: z.string().describe("Text for a project's AGENTS.md, so that agents use their memory."),
  }),
  examples: {
    input: { url: 'http://127.0.0.1:8420', vault: 'app' },
    output: {
      clients: [
        {
          id: 'claude-code',
          title: 'Claude Code',
          format: 'json',
          files: [{ scope: 'project', path: '.mcp.json' }],
          snippet: '{ "mcpServers": { "memory": { "type": "http", "url": "http://127.0.0.1:8420/mcp?vault=app" } } }',
          shell: null,
          install: null,
          plugin: null,
          key: 'environment',
          notes: [],
        },
      ],
      agentsMd: '## Memory\nThis project uses the `memory` tools (vault: app).',
    },
  },
  async run({ url, vault }) {
    const to: ConnectTo = { url, vault, key: shownKey, command: [process.execPath, main] }
    return { clients: agentClients.map((client) => describeClient(client, to)), agentsMd: agentsBlock(vault) }
  },
})

// A path on the server's machine: correct if agents run there too.
const main = programFile('main')

const describeClient = (client: AgentClient, to: ConnectTo): z.infer<typeof clientRecord> => ({
  id: client.id,
  title: client.title,
  format: client.format,
  files: Object.entries(client.files).flatMap(([scope, file]) =>
    pathsOf(file).map((path) => ({ scope: scope as 'project' | 'user', path })),
  ),
  snippet: printSnippet(client, client.entry(to)),
  shell: client.shell?.(to) ?? null,
  install: client.install === undefined ? null : { link: client.install.link(to), note: client.install.note ?? null },
  plugin: checkoutFolder === undefined ? null : (client.plugin?.(checkoutFolder) ?? null),
  key: client.key,
  notes: [...client.notes],
})

const pathsOf = (file: NonNullable<AgentClient['files']['user']>) =>
  typeof file === 'string' ? [file] : [...new Set([file.darwin, file.linux, file.win32])]

/** Prints a client's settings with this entry alone, ready to copy. */
export function printSnippet({ format, at, listed }: AgentClient, entry: JsonObject): string {
  const settings = at.reduceRight<Json>((inner, name) => ({ [name]: inner }), entry) as JsonObject
  if (format === 'toml') return printToml(settings).trim()
  if (format === 'yaml') return printYaml(settings, { lineWidth: 0 }).trim()
  return JSON.stringify(listed === undefined ? settings : { ...settings, [listed.at[0]]: [listed.item] }, null, 2)
}
