import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { programs, root } from '../../../scripts/checks.ts'
import { useService } from './service.ts'
import { typeCheck } from './type-check.ts'

/**
 * The programs and settings of docs/use, each against a server and a vault of its own. Those in Python are tested by clients/python, with
 * their frameworks.
 */

const pages = join(root, 'docs/use')

interface Block {
  page: string
  language: string
  code: string
  /** What the page says that it prints. */
  output: string | undefined
}

const blocks: Block[] = readdirSync(pages).flatMap((page) =>
  Array.from(
    readFileSync(join(pages, page), 'utf8').matchAll(/```(\w+)\n([^]*?)```\n(?:\n```text\n([^]*?)```)?/g),
    ([, language = '', code = '', output]) => ({ page, language, code, output }),
  ).filter(({ language }) => language !== 'text'),
)

const programsOf = blocks.filter(({ language, output }) => output !== undefined && language !== 'python')
const settings = blocks.filter(({ language }) => ['json', 'toml'].includes(language))

it('each page has a program that says what it prints, or settings', () => {
  const tested = blocks.filter(({ output, language }) => output !== undefined || ['json', 'toml'].includes(language))
  expect(new Set(tested.map(({ page }) => page))).toEqual(
    new Set(readdirSync(pages).filter((page) => page !== 'README.md')),
  )
  const silent = blocks.filter(
    ({ output, language }) => output === undefined && !['sh', 'json', 'toml'].includes(language),
  )
  expect(silent).toEqual([])
})

const hasGo = spawnSync('go', ['version']).status === 0

describe('the programs', () => {
  const service = useService()
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-use-'))
  symlinkSync(programs, join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const commands: Readonly<Record<string, readonly [file: string, command: string, ...args: string[]]>> = {
    ts: ['main.ts', process.execPath, 'main.ts'],
    sh: ['main.sh', 'sh', 'main.sh'],
    go: ['main.go', 'go', 'run', 'main.go'],
  }

  it.for(programsOf)('$page, in $language', { timeout: 600_000 }, async ({ page, language, code, output }, ctx) => {
    if (language === 'go' && !hasGo) ctx.skip('Go is not installed')
    const [file, command, ...args] = commands[language] ?? ['', `no program for ${language}`]
    const place = join(folder, page)
    mkdirSync(place)
    writeFileSync(join(place, file), code)
    const env = {
      ...process.env,
      HOLDFAST_URL: service().url,
      HOLDFAST_KEY: await service().makeKey(),
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
    }
    const { stdout, stderr } = await promisify(execFile)(command, args, { env, cwd: place })
    expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' })
  })

  it('in TypeScript type-check', { timeout: 300_000 }, () => {
    const files = programsOf.filter(({ language }) => language === 'ts')
    const paths = files.map(({ page, code }) => {
      const path = join(folder, `${page}.ts`)
      writeFileSync(path, code)
      return path
    })
    expect(typeCheck(folder, paths, 'node')).toBe('')
  })
})

interface Entry {
  url: string
  headers: Record<string, string>
}

describe('the settings', () => {
  const service = useService()

  /** The server in a client's settings file, with the key where the client would put it. */
  function readEntry({ language, code }: Block, key: string): Entry {
    const codex = /^\[mcp_servers\.memory\]\nurl = "(.*)"\nbearer_token_env_var = "HOLDFAST_KEY"\n$/
    if (language === 'toml') return { url: codex.exec(code)?.[1] ?? '', headers: { Authorization: `Bearer ${key}` } }
    const filled = code.replace(/\$\{(?:HOLDFAST_KEY|env:HOLDFAST_KEY|input:holdfastKey)\}/, key)
    const file = JSON.parse(filled) as Record<'mcpServers' | 'servers', { memory: Entry } | undefined>
    const entry = (file.mcpServers ?? file.servers)?.memory
    if (entry === undefined) throw new Error('There is no server in these settings')
    return entry
  }

  it.each(settings)('$page, in $language, connect a client that writes and searches', async (block) => {
    const { url, headers } = readEntry(block, await service().makeKey())
    const place = new URL(url.replace('http://127.0.0.1:8420', service().url))
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(place, { requestInit: { headers } }))
    await client.callTool({ name: 'write_memory', arguments: { content: 'We deploy on Thursdays.' } })
    const found = await client.callTool({ name: 'search_memories', arguments: { query: 'When do we deploy?' } })
    expect(JSON.stringify(found.content)).toContain('We deploy on Thursdays.')
    await client.close()
  })
})
