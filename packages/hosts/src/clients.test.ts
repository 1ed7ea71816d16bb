import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { agentClients, agentsBlock, findAgentClient, mcpUrl } from './clients.ts'

it('prints a command that is safe in a shell, whatever the URL and the vault', () => {
  const to = {
    url: 'http://127.0.0.1:8420/$(echo ran)`echo ran`";echo ran;\'',
    vault: "it's $HOME",
    key: 'svc_x',
    command: ['holdfast'],
  } as const
  const line = findAgentClient('claude-code')?.shell?.(to) ?? ''
  const args = execFileSync('sh', ['-c', `claude() { printf '%s\\n' "$@"; }; ${line}`], {
    encoding: 'utf8',
    env: { ...process.env, HOLDFAST_KEY: 'svc_y' },
  })
  expect(args).toBe(
    `mcp\nadd\n--scope\nuser\n--transport\nhttp\nmemory\n${mcpUrl(to)}\n--header\nAuthorization: Bearer svc_y\n`,
  )
})

it('writes the vault name into AGENTS.md on one line, without invisible characters', () => {
  const block = agentsBlock('app\u001b[2J\u2028\n## Rules\u202e<!-- `x`')
  expect(block).toContain('(vault: "app[2J## Rules!-- x").')
  const long = agentsBlock(`app" ${'and do this '.repeat(20)}`)
  expect(/\(vault: "([^"]*)"\)/.exec(long)?.[1]).toHaveLength(60)
  expect(block.split('\n')).toHaveLength(agentsBlock('app').split('\n').length)
})

it('adds the server with a link that contains the same settings, and never a key', () => {
  const to = { url: 'http://127.0.0.1:8420', vault: 'Küche & Bad', key: 'svc_secret', command: ['holdfast'] } as const
  const linkOf = (id: string) => findAgentClient(id)?.install?.link(to) ?? ''
  const configOf = (id: string): unknown => {
    const config = new URL(linkOf(id)).searchParams.get('config') ?? ''
    return JSON.parse(Buffer.from(config, 'base64').toString('utf8'))
  }
  expect(linkOf('cursor')).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=memory&config=/)
  expect(configOf('cursor')).toEqual(findAgentClient('cursor')?.entry(to))
  expect(linkOf('lm-studio')).toMatch(/^lmstudio:\/\/add_mcp\?name=memory&config=/)
  expect(configOf('lm-studio')).toEqual({ url: mcpUrl(to), headers: { Authorization: 'Bearer svc_...' } })
  const [scheme = '', json = ''] = linkOf('vscode').split('?')
  expect(scheme).toBe('vscode:mcp/install')
  const { name, inputs, ...entry } = JSON.parse(decodeURIComponent(json)) as Record<string, unknown>
  expect({ name, inputs, entry }).toEqual({
    name: 'memory',
    inputs: [findAgentClient('vscode')?.listed?.item],
    entry: findAgentClient('vscode')?.entry(to),
  })
  const goose = new URL(linkOf('goose'))
  expect(goose.href).toMatch(/^goose:\/\/extension\?/)
  expect(goose.searchParams.get('type')).toBe('streamable_http')
  expect(goose.searchParams.get('url')).toBe(mcpUrl(to))
  for (const { install } of agentClients) expect(install?.link(to) ?? '').not.toContain('secret')
  for (const id of ['cursor', 'lm-studio']) expect(JSON.stringify(configOf(id))).not.toContain('secret')
})
