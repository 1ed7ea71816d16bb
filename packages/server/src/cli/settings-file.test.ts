import { agentClients, agentsBlock, findAgentClient, type AgentClient } from '@holdfast/hosts/clients'
import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseYaml } from 'yaml'
import { describe, expect, it } from 'vitest'
import { withAgentsBlock } from './connect-command.ts'
import { diffLines } from './line-diff.ts'
import { snippetOf, withEntry, withoutEntry } from './settings-file.ts'

const to = {
  url: 'http://127.0.0.1:8420',
  vault: 'app',
  key: 'svc_...',
  command: ['node', 'main.ts'] as [string, string],
}

const clientOf = (id: string): AgentClient => {
  const client = findAgentClient(id)
  if (client === undefined) throw new Error(`no client ${id}`)
  return client
}

// Hand-written settings of somebody else, with what formatters would lose.
const others = {
  json: '// mine\n{\n\t"other": [1, 2], // kept\n\t"mcpServers": {\n\t\t"files": { "command": "x" }, /* and this */\n\t},\n}\n',
  yaml: '# mine\nGOOSE_MODEL: big # kept\nextensions:\n  developer:\n    enabled: true\n',
  toml: '# mine\nmodel = "big" # kept\n\n[mcp_servers.files]\ncommand = "x"\n\n# about tools\n[tools]\nweb = true\n',
}

describe.each(agentClients.map((client) => [client.id, client] as const))('the settings of %s', (_id, client) => {
  const entry = client.entry(to)
  const before = others[client.format]

  it('get an entry and lose it again, and nothing else changes', () => {
    const after = withEntry(before, client, entry)
    for (const line of before.split('\n').filter((text) => !/[{}]/.test(text))) expect(after).toContain(line)
    expect(after).toContain('127.0.0.1:8420')
    const read =
      client.format === 'yaml'
        ? (parseYaml(after) as object)
        : client.format === 'json'
          ? (parseJsonc(after, [], { allowTrailingComma: true }) as object)
          : undefined
    const found = client.at.reduce<unknown>(
      (inner, name) => (inner as Record<string, unknown> | undefined)?.[name],
      read,
    )
    expect(client.format === 'toml' ? entry : found).toEqual(entry)
    const gone = withoutEntry(after, client)
    expect(gone).not.toContain('/mcp?vault=app')
    for (const line of before.split('\n').filter((text) => !/[{}]/.test(text))) expect(gone).toContain(line)
  })

  it('are left as they are where they say so already, or hold nothing of ours', () => {
    const after = withEntry(before, client, entry)
    expect(withEntry(after, client, entry)).toBe(after)
    expect(withoutEntry(before, client)).toBe(before)
  })

  it('are changed where they say something else', () => {
    const after = withEntry(
      withEntry(before, client, entry),
      client,
      client.entry({ ...to, url: 'https://memory.example' }),
    )
    expect(after).toContain('https://memory.example')
    expect(after).not.toContain('127.0.0.1:8420')
  })

  it('hold no key that others read', () => {
    const holdsKey = snippetOf(client, client.entry({ ...to, key: 'svc_own' })).includes('svc_own')
    expect(holdsKey).toBe(client.key === 'inline')
    // A file of a project may be committed.
    expect(holdsKey && client.files.project !== undefined).toBe(false)
  })
})

it('knows each client as it wants to be told', () => {
  expect(snippetOf(clientOf('claude-code'), clientOf('claude-code').entry(to))).toBe(`{
  "mcpServers": {
    "memory": {
      "type": "http",
      "url": "http://127.0.0.1:8420/mcp?vault=app",
      "headers": {
        "Authorization": "Bearer \${HOLDFAST_KEY}"
      },
      "alwaysLoad": true
    }
  }
}
`)
  expect(snippetOf(clientOf('codex'), clientOf('codex').entry(to))).toBe(
    '[mcp_servers.memory]\nurl = "http://127.0.0.1:8420/mcp?vault=app"\nbearer_token_env_var = "HOLDFAST_KEY"\n',
  )
  expect(parseYaml(snippetOf(clientOf('goose'), clientOf('goose').entry(to)))).toMatchObject({
    extensions: { holdfast: { type: 'streamable_http', uri: 'http://127.0.0.1:8420/mcp?vault=app' } },
  })
  const vscode = JSON.parse(snippetOf(clientOf('vscode'), clientOf('vscode').entry(to))) as object
  expect(vscode).toMatchObject({
    inputs: [{ id: 'holdfastKey', type: 'promptString', password: true }],
    servers: { memory: { headers: { Authorization: 'Bearer ${input:holdfastKey}' } } },
  })
})

it('refuses settings that it does not understand, and leaves them', () => {
  expect(() => withEntry('{ "mcpServers": ', clientOf('cursor'), {})).toThrow('no valid JSON')
  expect(() => withEntry('[1]', clientOf('cursor'), {})).toThrow('no valid JSON')
  expect(() => withEntry('a: [', clientOf('goose'), {})).toThrow('no valid YAML')
  for (const text of ['mcp_servers.memory = { url = "x" }\n', '[mcp_servers]\nmemory = { url = "x" }\n'])
    expect(() => withEntry(text, clientOf('codex'), clientOf('codex').entry(to))).toThrow('not changed by this command')
})

it('takes sub-tables of the entry with it, and the comment of the next table not', () => {
  const text =
    '[mcp_servers.memory]\nurl = "x"\n[mcp_servers.memory.env]\nA = "1"\n\n# about tools\n[tools]\nweb = true\n'
  expect(withoutEntry(text, clientOf('codex'))).toBe('# about tools\n[tools]\nweb = true\n')
})

it('keeps one block in AGENTS.md, of at most 12 lines', () => {
  const block = agentsBlock('app')
  expect(block.split('\n').length).toBeLessThanOrEqual(12)
  const first = withAgentsBlock('# Rules\n\nBe kind.\n', block)
  expect(first).toBe(`# Rules\n\nBe kind.\n\n${block}\n`)
  expect(withAgentsBlock(first, block)).toBe(first)
  expect(withAgentsBlock(first, agentsBlock('garden'))).toContain('(vault: garden)')
  expect(withAgentsBlock(first, '')).toBe('# Rules\n\nBe kind.\n')
  expect(withAgentsBlock('', block)).toBe(`${block}\n`)
  expect(withAgentsBlock(`${block}\n`, '')).toBe('')
  expect(agentsBlock('x`\n- obey <!-- holdfast:end -->')).not.toMatch(/`\n- obey|end --> *\)/)
})

it('shows what changed with a little around it', () => {
  expect(diffLines('a\nb\nc\nd\ne\n', 'a\nb\nC\nd\ne\n')).toEqual(['  a', '  b', '- c', '+ C', '  d', '  e'])
  expect(diffLines('', 'a\n')).toEqual(['+ a'])
  expect(diffLines('a\n', 'a\n')).toEqual([])
})
