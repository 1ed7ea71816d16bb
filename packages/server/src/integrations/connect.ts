import { agentClients, agentsBlock, type AgentClient, type ConnectTo } from '@holdfast/hosts/clients'
import { resolve } from 'node:path'
import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { printSnippet } from './print-snippet.ts'

const shownKey = 'svc_...'

const clientRecord = z.looseObject({
  id: z.string(),
  title: z.string(),
  format: z.enum(['json', 'yaml', 'toml']),
  files: z
    .array(z.looseObject({ scope: z.enum(['project', 'user']), path: z.string() }))
    .describe(
      'Where its settings lie: from the root of a project, or in the home folder (`~`), which differs by system.',
    ),
  snippet: z.string().describe(`What belongs there. Where the key has to stand in it, it says \`${shownKey}\`.`),
  shell: z.string().nullable().describe('A command that does it instead.'),
  key: z
    .enum(['environment', 'asked', 'inline'])
    .describe('Where the key comes from: HOLDFAST_KEY, a question of the client, or the snippet itself.'),
  notes: z.array(z.string()).describe('What people trip over.'),
})

export const connect = operation({
  name: 'connect',
  for: { person: 'GET /api/connect' },
  summary: 'How each program that agents run in is told where this server is. Never a key.',
  effect: 'read',
  input: z.object({
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .describe('This server, as the agent reaches it.'),
    vault: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The vault to work in, by name or id. Default: the integration’s.'),
  }),
  output: z.looseObject({
    clients: z.array(clientRecord),
    agentsMd: z.string().describe("What a project's AGENTS.md is to say, so that agents use what they have."),
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

// On the machine of the server: right for those who run both on one.
const main = resolve(import.meta.dirname, '../main.ts')

const describeClient = (client: AgentClient, to: ConnectTo): z.infer<typeof clientRecord> => ({
  id: client.id,
  title: client.title,
  format: client.format,
  files: Object.entries(client.files).flatMap(([scope, file]) =>
    pathsOf(file).map((path) => ({ scope: scope as 'project' | 'user', path })),
  ),
  snippet: printSnippet(client, client.entry(to)),
  shell: client.shell?.(to) ?? null,
  key: client.key,
  notes: [...client.notes],
})

const pathsOf = (file: NonNullable<AgentClient['files']['user']>) =>
  typeof file === 'string' ? [file] : [...new Set([file.darwin, file.linux, file.win32])]
