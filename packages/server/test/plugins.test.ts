import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeMachine } from '../src/cli/testing/run-command.ts'
import { useTestApp } from './app.ts'
import { makeAgent, makeUser } from './factories.ts'

/** The plugins as hosts get them: each hook command is run by a shell, with the hosts' input on stdin. */

const root = join(import.meta.dirname, '../../..')
const pluginOf = (name: string) => join(root, 'integrations', name)

interface HookFile {
  hooks: Record<
    string,
    { matcher?: string; hooks: { type: string; command: string; timeout: number; async?: boolean }[] }[]
  >
}

const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
const hooksOf = (plugin: string) => (readJson('integrations', plugin, 'hooks/hooks.json') as HookFile).hooks

interface Finished {
  code: number | null
  stdout: string
  stderr: string
  tookMs: number
}

interface Session {
  plugin: 'claude-code' | 'codex'
  env: Record<string, string>
  folder: string
  sessionId: string
}

async function runHook(session: Session, event: string, input: object = {}): Promise<Finished> {
  const [matcher] = hooksOf(session.plugin)[event] ?? []
  const command = matcher?.hooks[0]?.command ?? ''
  const given = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_'))
  const begin = performance.now()
  const child = spawn(command, {
    shell: true,
    cwd: session.folder,
    env: {
      ...Object.fromEntries(given),
      TMPDIR: session.folder,
      CLAUDE_PLUGIN_ROOT: pluginOf(session.plugin),
      PLUGIN_ROOT: pluginOf(session.plugin),
      ...session.env,
    },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const said = { session_id: session.sessionId, cwd: session.folder, hook_event_name: event, ...input }
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(said))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr, tookMs: performance.now() - begin }
}

async function openSession(plugin: Session['plugin'], env: Record<string, string>): Promise<Session> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-plugin-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { plugin, env, folder, sessionId: randomUUID() }
}

const contextOf = ({ code, stdout, stderr }: Finished, event: string): string => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: Record<string, string> }
  expect(hookSpecificOutput.hookEventName).toBe(event)
  return hookSpecificOutput.additionalContext ?? ''
}

const silent = { code: 0, stdout: '', stderr: '' }

async function writeTranscript({ folder }: Session, turns: [role: string, text: string][]): Promise<string> {
  const path = join(folder, 'transcript.jsonl')
  const lines = turns.map(([role, text]) => ({
    uuid: randomUUID(),
    message: { role, content: [{ type: 'text', text }] },
  }))
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

const events = (plugin: Session['plugin']) => Object.keys(hooksOf(plugin))

describe('the files of the plugins', () => {
  it('are what each host reads, and have the server’s version', () => {
    const { version } = readJson('packages/server/package.json') as { version: string }
    const claude = readJson('integrations/claude-code/.claude-plugin/plugin.json') as Record<string, unknown>
    const codex = readJson('integrations/codex/.codex-plugin/plugin.json') as Record<string, unknown>
    expect([claude, codex]).toMatchObject([
      { name: 'holdfast', version, userConfig: { url: { type: 'string' }, api_key: { sensitive: true } } },
      { name: 'holdfast', version, skills: './skills/', mcpServers: './.mcp.json' },
    ])
    const market = readJson('.claude-plugin/marketplace.json') as { plugins: { source: string }[] }
    expect(market.plugins.map(({ source }) => join(root, source))).toEqual([pluginOf('claude-code')])
    const other = readJson('.agents/plugins/marketplace.json') as { plugins: { source: { path: string } }[] }
    expect(other.plugins.map(({ source }) => join(root, source.path))).toEqual([pluginOf('codex')])
  })

  it('contain no key, and name one MCP server', () => {
    expect(readJson('integrations/claude-code/.mcp.json')).toMatchObject({
      mcpServers: { memory: { type: 'http', url: '${user_config.url}/mcp', alwaysLoad: true } },
    })
    expect(readJson('integrations/codex/.mcp.json')).toMatchObject({
      mcpServers: { memory: { url: 'http://127.0.0.1:8420/mcp', bearer_token_env_var: 'HOLDFAST_KEY' } },
    })
    const files = globSync('integrations/*/**/*', { cwd: root }).filter((path) => /\.(json|md)$/.test(path))
    expect(files.length).toBeGreaterThanOrEqual(10)
    for (const path of files) expect(readFileSync(join(root, path), 'utf8')).not.toMatch(/svc_\w{10}/)
  })

  it.each(['claude-code', 'codex'] as const)(
    'of %s have hooks that only name commands, each with a time limit',
    (plugin) => {
      for (const [event, matchers] of Object.entries(hooksOf(plugin)))
        for (const { hooks } of matchers)
          for (const { type, command, timeout } of hooks) {
            expect([event, type]).toEqual([event, 'command'])
            // A shell would run the content of a setting.
            expect(command).not.toContain('user_config')
            expect(timeout).toBeLessThanOrEqual(15)
          }
      expect(hooksOf(plugin).SessionStart?.[0]?.matcher).toContain('compact')
      expect(hooksOf(plugin).SessionStart?.[0]?.matcher).not.toContain('resume')
    },
  )

  it('have the same skills, each with a name and when to use it', () => {
    const skills = globSync('*/SKILL.md', { cwd: join(pluginOf('claude-code'), 'skills') }).toSorted()
    expect(skills.map((path) => path.split('/')[0])).toEqual([
      'memory-checkpoint',
      'memory-recall',
      'memory-setup',
      'memory-status',
    ])
    for (const path of skills) {
      const [text, other] = ['claude-code', 'codex'].map((plugin) =>
        readFileSync(join(pluginOf(plugin), 'skills', path), 'utf8'),
      )
      expect(other).toBe(text)
      expect(text).toMatch(new RegExp(`^---\nname: ${path.split('/')[0]}\ndescription: .{40,250}Use .*\n---\n`))
      expect(text?.split('\n').length).toBeLessThan(30)
    }
  })
})

describe.each(['claude-code', 'codex'] as const)('the hooks of %s', (plugin) => {
  const app = useTestApp()
  let key = ''
  let env: Record<string, string> = {}
  beforeAll(async () => {
    key = await makeAgent(app(), await makeUser(app()), { label: 'Desk' })
    const url = await app().app.listen()
    env =
      plugin === 'claude-code'
        ? { CLAUDE_PLUGIN_OPTION_URL: url, CLAUDE_PLUGIN_OPTION_API_KEY: key }
        : { HOLDFAST_URL: url, HOLDFAST_KEY: key }
  })
  const write = (content: string, more: object = {}) => app().call('write-memory', { content, ...more }, { key })

  it('pass on what the agent should know, once, and nothing in a resumed session', async () => {
    await write('Water the beds before nine.', { memoryType: 'constraint', importance: 5 })
    for (let at = 0; at < 40; at++) await write(`Bed ${at} ${'has heavy soil and wants sand '.repeat(20)}`)
    const session = await openSession(plugin, env)
    const told = contextOf(await runHook(session, 'SessionStart', { source: 'startup' }), 'SessionStart')
    expect(told).toMatch(/^<(holdfast-recall-\w+) vault="[^"]+">\n[^]+\n<\/\1>$/)
    expect(told).toContain('Water the beds before nine.')
    expect(told.length).toBeLessThanOrEqual(9000)
    expect(await runHook(session, 'SessionStart', { source: 'resume' })).toMatchObject(silent)
    // Already in the agent's context; only new content is added.
    const prompt = { prompt: 'When do I water the beds, before nine or after?' }
    const first = await runHook(session, 'UserPromptSubmit', prompt)
    expect(first.stdout).not.toContain('Water the beds before nine.')
    await write('The pump of the well sticks when it is cold.')
    const ask = { prompt: 'Why does the pump of the well not start?' }
    const found = contextOf(await runHook(session, 'UserPromptSubmit', ask), 'UserPromptSubmit')
    expect(found).toContain('The pump of the well sticks when it is cold.')
    expect(found.length).toBeLessThanOrEqual(1200)
    expect((await runHook(session, 'UserPromptSubmit', ask)).stdout).not.toContain('sticks')
    expect(await runHook(session, 'UserPromptSubmit', { prompt: 'the pump?' })).toMatchObject(silent)
  })

  it('record turns without secrets, each once, and summarize the session before it is compacted', async () => {
    const session = await openSession(plugin, env)
    const rule = `Please always prune the ${plugin} pear in March.`
    const transcript_path = await writeTranscript(session, [
      ['user', `${rule} The password is violets-under-stone.`],
      [
        'assistant',
        `${'I looked at the pear. '.repeat(20)}We decided to prune the ${plugin} pear rather than fell it.`,
      ],
    ])
    for (let time = 0; time < 2; time++)
      expect(await runHook(session, 'Stop', { transcript_path, stop_hook_active: false })).toMatchObject(silent)
    const search = async (query: string) => {
      const { body } = await app().call('search-memories', { query }, { key })
      return (body.memories as { content: string; agentId: string; agentRunId: string; memoryType: string }[]).filter(
        ({ agentRunId }) => agentRunId === session.sessionId,
      )
    }
    const remembered = await search(`prune the ${plugin} pear in March`)
    expect(remembered.map(({ content }) => content).join('\n')).toMatch(
      new RegExp(`always prune the ${plugin} pear in March`, 'i'),
    )
    expect(remembered[0]?.agentId).toBe('Desk')
    expect(await runHook(session, 'PreCompact', { transcript_path, trigger: 'auto' })).toMatchObject(silent)
    const sums = await search(`Session about the ${plugin} pear`)
    const summary = sums.find(({ memoryType }) => memoryType === 'episodic')
    expect(summary?.content).toContain(`We decided to prune the ${plugin} pear rather than fell it.`)
    const all = await app().call('search-memories', { query: 'password violets stone', topK: 50 }, { key })
    expect(all.text).not.toContain('violets')
    const after = contextOf(await runHook(session, 'SessionStart', { source: 'compact' }), 'SessionStart')
    expect(after).toContain(`Asked: Please always prune the ${plugin} pear`)
    expect(after).not.toContain('## Facts')
    expect(after.length).toBeLessThanOrEqual(2000)
  })

  it('add only one line for the agent if the service is down, or never responds', async () => {
    const mute = createServer(() => {})
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void mute.close())
    const address = mute.address()
    const port = typeof address === 'object' ? address?.port : 0
    for (const url of ['http://127.0.0.1:9', `http://127.0.0.1:${port}`]) {
      const session = await openSession(plugin, { HOLDFAST_URL: url, HOLDFAST_KEY: key })
      const transcript_path = await writeTranscript(session, [
        ['user', 'x'.repeat(30)],
        ['assistant', 'y'.repeat(300)],
      ])
      const lines: string[] = []
      for (const event of events(plugin).filter((name) => name !== 'PreCompact' || url.endsWith(':9'))) {
        const input = { source: 'startup', prompt: 'When do the tomatoes get water?', transcript_path }
        const { code, stdout, stderr, tookMs } = await runHook(session, event, input)
        expect({ event, code, stdout }).toEqual({ event, code: 0, stdout: '' })
        expect(tookMs).toBeLessThan(7000)
        lines.push(stderr)
      }
      expect(lines.join('')).toMatch(/^Holdfast: .+\. This session continues without memory\.\n$/)
    }
  })

  it('print and send nothing if they are turned off', async () => {
    let calls = 0
    const counter = createServer((socket) => (calls++, socket.destroy()))
    await new Promise<void>((resolve) => counter.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void counter.close())
    const address = counter.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const off = await openSession(plugin, { HOLDFAST_URL: url, HOLDFAST_KEY: key, HOLDFAST_HOOKS: '0' })
    const inProject = await openSession(plugin, { HOLDFAST_URL: url, HOLDFAST_KEY: key })
    await writeFile(join(inProject.folder, '.holdfast.json'), '{ "hooks": false }')
    const prompt = 'When do the tomatoes get water?'
    for (const session of [off, inProject])
      for (const event of events(plugin))
        expect(await runHook(session, event, { source: 'startup', prompt })).toMatchObject(silent)
    expect(calls).toBe(0)
    const one = await openSession(plugin, env)
    await writeFile(join(one.folder, '.holdfast.json'), '{ "hooks": { "prompt": 0 } }')
    expect(await runHook(one, 'UserPromptSubmit', { prompt: 'Water the beds before nine, or after?' })).toMatchObject(
      silent,
    )
    expect((await runHook(one, 'SessionStart', { source: 'clear' })).stdout).not.toBe('')
  })

  it('use the vault that the project names, and tell the agent to', async () => {
    const user = await makeUser(app())
    const admin = await makeAgent(app(), user)
    await app().call('create-vault', { name: 'orchard' }, { key: admin })
    const session = await openSession(plugin, {
      ...env,
      CLAUDE_PLUGIN_OPTION_API_KEY: '',
      HOLDFAST_KEY: admin,
      HOLDFAST_URL: env.HOLDFAST_URL ?? env.CLAUDE_PLUGIN_OPTION_URL ?? '',
    })
    mkdirSync(join(session.folder, 'deep/er'), { recursive: true })
    await writeFile(join(session.folder, '.holdfast.json'), '{ "vault": "orchard" }')
    const told = contextOf(
      await runHook(session, 'SessionStart', { source: 'startup', cwd: join(session.folder, 'deep/er') }),
      'SessionStart',
    )
    expect(told).toMatch(/^Pass this vault to the memory tools: "orchard"\.\n<holdfast-recall-\w+ vault="orchard">/)
  })

  it('store no user text in the temporary folder, and other data only for their user', async () => {
    const session = await openSession(plugin, env)
    await runHook(session, 'SessionStart', { source: 'startup' })
    await runHook(session, 'UserPromptSubmit', { prompt: 'Does the zinnia grow beside the well?' })
    const [path = ''] = globSync('holdfast-hooks-*/*.json', { cwd: session.folder })
    expect(readFileSync(join(session.folder, path), 'utf8')).not.toMatch(/zinnia|beds|svc_/)
    // Windows has no such file modes.
    const mode = process.platform === 'win32' ? 0o666 : 0o600
    expect((await stat(join(session.folder, path))).mode & 0o777).toBe(mode)
  })

  it('survive invalid input', async () => {
    const session = await openSession(plugin, env)
    for (const event of events(plugin)) {
      const odd = { session_id: '../../x', transcript_path: 7, prompt: null, source: [] }
      expect(await runHook(session, event, odd)).toMatchObject({ code: 0, stderr: '' })
    }
    expect(globSync('holdfast-hooks-*/*', { cwd: session.folder })).toEqual([])
  })
})

describe('holdfast hook', () => {
  const app = useTestApp()

  it('is the same without a plugin, and exits with 0 for any arguments', async () => {
    const key = await makeAgent(app(), await makeUser(app()), { label: 'Desk' })
    const machine = await makeMachine({ HOLDFAST_URL: await app().app.listen(), HOLDFAST_KEY: key })
    const start = await machine.run(['hook', 'session-start'], {}, '{"hook_event_name":"SessionStart"}')
    expect(start).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('"hookEventName":"SessionStart"'),
    })
    const turn = {
      hook_event_name: 'AfterAgent',
      session_id: 'g-1',
      prompt: 'Always mulch the roses.',
      prompt_response: 'Will do.',
    }
    expect(await machine.run(['hook', 'turn'], { TMPDIR: machine.home }, JSON.stringify(turn))).toMatchObject(silent)
    const { body } = await app().call('search-memories', { query: 'mulch the roses' }, { key })
    expect(body.memories).toMatchObject([{ content: expect.stringMatching(/mulch the roses/i), agentId: 'Desk' }])
    const odd = await machine.run(['hook', 'lunch'])
    expect(odd).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('session-start, prompt, turn') })
    expect(await machine.run(['hook', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('HOLDFAST_HOOKS=0'),
    })
  })
})
