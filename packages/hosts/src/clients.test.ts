import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { agentsBlock, findAgentClient, mcpUrl } from './clients.ts'

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
