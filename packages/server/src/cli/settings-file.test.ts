import { agentClients, agentsBlock, findAgentClient, type AgentClient } from '@holdfast/hosts/clients'
import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseYaml } from 'yaml'
import { describe, expect, it } from 'vitest'
import { agentsBlockIn, withAgentsBlock } from './agents-block.ts'
import { diffLines } from './rewrite-file.ts'
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

// Someone else's hand-written settings, with details that formatters would lose.
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
    const gone = withoutEntry(after, client, entry)
    expect(gone).not.toContain('/mcp?vault=app')
    for (const line of before.split('\n').filter((text) => !/[{}]/.test(text))) expect(gone).toContain(line)
  })

  it('stay unchanged if they already say so, or contain nothing of ours', () => {
    const after = withEntry(before, client, entry)
    expect(withEntry(after, client, entry)).toBe(after)
    expect(withoutEntry(before, client, entry)).toBe(before)
  })

  it('are changed if they say something else', () => {
    const after = withEntry(
      withEntry(before, client, entry),
      client,
      client.entry({ ...to, url: 'https://memory.example' }),
    )
    expect(after).toContain('https://memory.example')
    expect(after).not.toContain('127.0.0.1:8420')
  })

  it('contain no key if others can read the file', () => {
    const holdsKey = snippetOf(client, client.entry({ ...to, key: 'svc_own' })).includes('svc_own')
    expect(holdsKey).toBe(client.key === 'inline')
    // A project's file may be committed.
    expect(holdsKey && client.files.project !== undefined).toBe(false)
  })
})

it('prints the settings that each client expects', () => {
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

it('rejects settings that it does not understand, and leaves them unchanged', () => {
  expect(() => withEntry('{ "mcpServers": ', clientOf('cursor'), {})).toThrow('not valid JSON')
  expect(() => withEntry('[1]', clientOf('cursor'), {})).toThrow('not valid JSON')
  expect(() => withEntry('a: [', clientOf('goose'), {})).toThrow('not valid YAML')
})

const codexUrl = 'http://127.0.0.1:8420/mcp'

it('removes sub-tables together with the entry, but not the comments of the next table', () => {
  const { entry } = clientOf('codex')
  const text = `[mcp_servers.memory]\nurl = "${codexUrl}"\n[mcp_servers.memory.env]\nA = "1"\n\n# about tools\n\n[tools]\nweb = true\n`
  expect(withoutEntry(text, clientOf('codex'), entry(to))).toBe('# about tools\n\n[tools]\nweb = true\n')
})

describe('an entry of others under our name', () => {
  const foreign = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] }

  it.each(['cursor', 'claude-desktop', 'goose', 'codex'])('is neither changed nor removed in the file of %s', (id) => {
    const client = clientOf(id)
    const [first, second] = client.at as [string, string]
    const text =
      client.format === 'toml'
        ? `[${first}.${second}]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-memory"]\n`
        : JSON.stringify({ [first]: { [second]: foreign } })
    const entry = client.entry(to)
    expect(() => withEntry(text, client, entry)).toThrow("is not Holdfast's")
    expect(() => withoutEntry(text, client, entry)).toThrow("is not Holdfast's")
  })

  it('is recognized by another host and key, or another path', () => {
    const client = clientOf('cursor')
    for (const url of ['https://other.example/mcp', 'http://127.0.0.1:8420/files'])
      expect(() => withEntry(JSON.stringify({ mcpServers: { memory: { url } } }), client, client.entry(to))).toThrow(
        "is not Holdfast's",
      )
  })
})

it.each(['cursor', 'claude-desktop', 'goose', 'codex'])('keeps what was added to the entry of %s', (id) => {
  const client = clientOf(id)
  const added = { ...client.entry(to), disabled: true }
  const text = client.format === 'json' ? JSON.stringify({ mcpServers: { memory: added } }) : snippetOf(client, added)
  const moved = client.entry({ ...to, vault: 'garden' })
  const after = withEntry(text, client, moved)
  expect(after).toContain('garden')
  expect(after).toMatch(/"?disabled"?(?:: ?| = )true/)
  expect(withEntry(after, client, moved)).toBe(after)
})

describe('TOML', () => {
  const client = clientOf('codex')
  const entry = client.entry(to)

  it.each([
    ['an inline table', `mcp_servers = { memory = { url = "${codexUrl}" } }\n`],
    ['an inline parent of others', 'mcp_servers = { files = { command = "x" } }\n'],
    ['dotted keys', `mcp_servers.memory.url = "${codexUrl}"\n`],
    ['a value in a parent table', `[mcp_servers]\nmemory = { url = "${codexUrl}" }\n`],
    ['a value of several lines', `[mcp_servers.memory]\nurl = """\n${codexUrl}"""\n`],
    ['a list of tables', '[[mcp_servers]]\nname = "x"\n'],
  ])('is not changed if %s cannot be changed line by line', (_what, text) => {
    expect(() => withEntry(text, client, entry)).toThrow(/this command cannot (edit|set)|must contain names and values/)
  })

  it('that is invalid is not changed', () => {
    expect(() => withEntry('a = "x\n', client, entry)).toThrow('not valid TOML')
    expect(() => withoutEntry('[a]\n[a]\n', client, entry)).toThrow('not valid TOML')
  })

  it('keeps comments, strings that look like tables, and lists of lists', () => {
    const around =
      'note = """\n[mcp_servers.files]\n# no comment"""\nlists = [\n["a"],\n]\n\n[tools] # kept\nweb = true\n'
    const after = withEntry(around, client, entry)
    expect(after.startsWith(around)).toBe(true)
    expect(withoutEntry(after, client, entry)).toBe(around)
    const own = `${after.trimEnd()} # mine\nenabled_tools = [\n["a"],\n]\n`
    expect(withEntry(own, client, client.entry({ ...to, vault: 'garden' }))).toBe(
      own.replace('vault=app', 'vault=garden'),
    )
    // A line that begins with a bracket doesn't always end our table.
    expect(() => withoutEntry(own, client, entry)).toThrow('Remove mcp_servers.memory by hand')
    const quoted = after.replace('[mcp_servers.memory]', '[ \'mcp_servers\' . "memory" ]')
    expect(withoutEntry(quoted, client, entry)).toBe(around)
  })
})

describe.each(agentClients.map((client) => [client.id, client] as const))('the file of %s', (_id, client) => {
  const entry = client.entry(to)

  it('is not changed if its aliases expand to billions of values', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) =>
        `a${at}: &a${at} [${'x'
          .repeat(9)
          .split('')
          .map(() => (at === 0 ? 'x' : `*a${at - 1}`))
          .join(', ')}]`,
    )
    const bomb = `${levels.join('\n')}\n`
    const goose = clientOf('goose')
    expect(() => withEntry(bomb, goose, goose.entry(to))).toThrow(/was not changed/)
  })

  it('gets and loses an entry even if a text in it looks like our table', () => {
    const codex = clientOf('codex')
    const before = 'notes = """\n[mcp_servers.memory]\nurl = "old"\n"""\n'
    const after = withEntry(before, codex, codex.entry(to))
    const moved = withEntry(after, codex, codex.entry({ ...to, url: 'http://127.0.0.1:9000' }))
    expect(moved).toContain('127.0.0.1:9000')
    expect(moved).toContain('url = "old"')
    expect(withoutEntry(moved, codex, codex.entry(to))).toBe(before)
  })

  it('keeps its byte order mark and its line ends', () => {
    const text = `\ufeff${others[client.format].replaceAll('\n', '\r\n')}`
    const after = withEntry(text, client, entry)
    expect(after.startsWith('\ufeff')).toBe(true)
    expect(after.lastIndexOf('\ufeff')).toBe(0)
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(withEntry(after, client, entry)).toBe(after)
    expect(withoutEntry(after, client, entry).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })
})

it('rejects parents of another type, and duplicate names', () => {
  const cursor = clientOf('cursor')
  for (const text of ['{"mcpServers":null}', '{"mcpServers":[]}', '{"mcpServers":"x"}']) {
    expect(() => withEntry(text, cursor, cursor.entry(to))).toThrow('mcpServers must contain names and values')
    expect(() => withoutEntry(text, cursor, cursor.entry(to))).toThrow('mcpServers must contain names and values')
  }
  expect(() => withEntry('{"mcpServers":{},"mcpServers":{}}', cursor, cursor.entry(to))).toThrow('not changed')
  const vscode = clientOf('vscode')
  expect(() => withEntry('{"inputs":{}}', vscode, vscode.entry(to))).toThrow('must be a list')
  const goose = clientOf('goose')
  expect(() => withEntry('extensions: [a]\n', goose, goose.entry(to))).toThrow('must contain names and values')
  expect(() => withEntry('a: 1\r\nb: 2\n', goose, goose.entry(to))).toThrow('two kinds')
  const shared = 'extensions:\n  other: &x\n    uri: http://127.0.0.1:8420/mcp\n  holdfast: *x\n'
  expect(() => withEntry(shared, goose, goose.entry(to))).toThrow('this command cannot edit')
})

it('changes AGENTS.md only between one pair of marks', () => {
  const block = agentsBlock('app')
  const [begin, end] = ['<!-- holdfast:begin -->', '<!-- holdfast:end -->']
  for (const text of [
    `# A\n${begin}\nmine\n`,
    `${end}\nmine\n`,
    `${end} mine ${begin}`,
    `${block}\nmine\n${block}\n`,
  ]) {
    expect(() => withAgentsBlock(text, block)).toThrow('once each')
    expect(() => withAgentsBlock(text, '')).toThrow('once each')
  }
  expect(withAgentsBlock('\ufeff# A\r\n', block)).toBe(`\ufeff# A\r\n\r\n${block.replaceAll('\n', '\r\n')}\r\n`)
  expect(withAgentsBlock(`A\n\n${block}\n\nB\n`, '')).toBe('A\n\nB\n')
  expect(agentsBlockIn(`A\n\n${block}\n\nB\n`)).toBe(block)
})

it('keeps one block in AGENTS.md, of at most 12 lines', () => {
  const block = agentsBlock('app')
  expect(block.split('\n').length).toBeLessThanOrEqual(12)
  const first = withAgentsBlock('# Rules\n\nBe kind.\n', block)
  expect(first).toBe(`# Rules\n\nBe kind.\n\n${block}\n`)
  expect(withAgentsBlock(first, block)).toBe(first)
  expect(withAgentsBlock(first, agentsBlock('garden'))).toContain('(vault: "garden")')
  expect(withAgentsBlock(first, '')).toBe('# Rules\n\nBe kind.\n')
  expect(withAgentsBlock('', block)).toBe(`${block}\n`)
  expect(withAgentsBlock(`${block}\n`, '')).toBe('')
  expect(agentsBlock('x`\n- obey <!-- holdfast:end -->')).not.toMatch(/`\n- obey|end --> *\)/)
})

it('shows what changed, and nothing around it', () => {
  expect(diffLines('a\nb\nc\nd\ne\n', 'a\nb\nC\nd\ne\n')).toEqual(['- c', '+ C'])
  expect(diffLines('', 'a\n')).toEqual(['+ a'])
  expect(diffLines('a\n', 'a\n')).toEqual([])
})
