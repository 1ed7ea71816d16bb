import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { makeAgent, makeUser } from '../../test/factories.ts'
import { ageOf, wrap } from './human.ts'
import { makeMachine } from './testing/run-command.ts'

describe('the commands about content', () => {
  const app = useTestApp()
  let env: Record<string, string> = {}
  beforeAll(async () => {
    const key = await makeAgent(app(), await makeUser(app()))
    env = { HOLDFAST_URL: await app().app.listen(), HOLDFAST_KEY: key }
  })

  it('store, find and show a memory, in plain text of 80 columns without a terminal', async () => {
    const machine = await makeMachine(env)
    const text = `Tomatoes get water before nine.\n\tNot at noon. ${'Never in the evening either. '.repeat(20)}`
    const made = await machine.run(
      ['remember', '--type', 'preference', '--importance', '4', '--entity', 'tomatoes'],
      {},
      text,
    )
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Stored: [0-9a-f-]{36}\n$/) })
    const id = made.stdout.slice('Stored: '.length).trim()
    const again = await machine.run(['remember', '--type', 'preference'], {}, text)
    expect(again.stdout).toBe(`Already known: ${id}\n`)
    const found = await machine.run(['search', 'when', 'do', 'tomatoes', 'get', 'water', '--limit', '1'])
    expect(found.stdout).toMatch(/^ 1 {2}Tomatoes get water before nine\./)
    expect(found.stdout).toMatch(/preference · importance 4 · (now|\d+ s ago)/)
    expect(Math.max(...found.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(found.stdout).not.toContain('\u001B')
    const shown = await machine.run(['recall', id])
    expect(shown.stdout).toContain('\n  Not at noon.')
    expect(shown.stdout).toContain('about tomatoes')
    const asJson = JSON.parse((await machine.run(['search', 'tomatoes', '--json'])).stdout) as { memories: unknown[] }
    expect(asJson.memories.length).toBeGreaterThan(0)
  })

  it('use color if the terminal supports it', async () => {
    const machine = await makeMachine({ ...env, FORCE_COLOR: '1' })
    await machine.run(['remember', 'The well has a pump.'])
    expect((await machine.run(['search', 'pump'])).stdout).toContain('\u001B[2m')
  })

  it('print no control sequences from a memory', async () => {
    const machine = await makeMachine(env)
    await machine.run(['remember', 'Escape \u001B[31mred\u001B[0m tulips'])
    expect((await machine.run(['search', 'tulips'])).stdout).not.toContain('\u001B')
  })

  it('list tasks and notes, and show what an agent gets', async () => {
    const machine = await makeMachine(env)
    const call = (name: string, body: object) => app().call(name, body, { key: env.HOLDFAST_KEY ?? '' })
    await call('create-task', { title: 'Mend the hose', status: 'in_progress', priority: 4 })
    await call('create-note', { title: 'Watering plan', content: 'By beds.', folderPath: 'garden' })
    const { stdout } = await machine.run(['tasks'])
    expect(stdout).toMatch(/^in_progress p4 Mend the hose\n {15}(now|\d+ s ago) · [0-9a-f-]{36}\n$/)
    expect((await machine.run(['tasks', '--status', 'done'])).stdout).toBe('No tasks.\n')
    const notes = (await machine.run(['notes', '--folder', 'garden'])).stdout
    expect(notes).toMatch(/^Watering plan\n {2}(now|\d+ s ago) · /)
    const id = /[0-9a-f-]{36}/.exec(notes)?.[0] ?? ''
    for (const given of [id, `n:${id}`, id.toUpperCase()])
      expect((await machine.run(['recall', given])).stdout).toMatch(
        /^Watering plan\n\nBy beds\.\n\nby "Test agent" · (now|\d+ s ago)\n$/,
      )
    expect((await machine.run(['notes', 'watering'])).stdout).toContain('Watering plan')
    expect((await machine.run(['context', '--mode', 'planning'])).stdout).toMatch(
      /- \[task \S+, in_progress, priority 4, today, by .*\] Mend the hose/,
    )
  })

  it('use the vault of the project, which `link` sets', async () => {
    const machine = await makeMachine(env)
    await app().call('create-vault', { name: 'orchard' }, { key: env.HOLDFAST_KEY ?? '' })
    expect(await machine.run(['link', 'nowhere'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('vaults create nowhere'),
    })
    expect(await machine.run(['connect', 'cursor', '--vault', 'nowhere', '--write'])).toMatchObject({ code: 4 })
    expect(await machine.run(['connect', 'cursor', '--vault', 'orchard', '--write'])).toMatchObject({ code: 0 })
    const created = await machine.run(['link', 'cellar', '--create'])
    expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining('Created the vault cellar.\n') })
    expect((await machine.run(['link', 'cellar', '--create'])).stdout).not.toContain('Created')
    expect((await machine.run(['link', 'orchard'])).stdout).toMatch(/names the vault orchard\.\n$/)
    await machine.run(['remember', 'The quince is ripe in October.'])
    expect((await machine.run(['search', 'quince'])).stdout).toContain('The quince is ripe')
    const elsewhere = await makeMachine(env)
    expect((await elsewhere.run(['search', 'quince'])).stdout).not.toContain('ripe')
    await writeFile(join(machine.folder, '.holdfast.json'), '{')
    expect(await machine.run(['search', 'quince'])).toMatchObject({ code: 1 })
    await writeFile(join(machine.folder, '.holdfast.json'), JSON.stringify({ url: env.HOLDFAST_URL }))
    expect(await machine.run(['search', 'quince'])).toMatchObject({ code: 0 })
    const unsaid = await machine.run(['search', 'quince'], { HOLDFAST_URL: '' })
    expect([unsaid.code, unsaid.stderr]).toEqual([1, expect.stringMatching(/names a server other than .*HOLDFAST_URL/)])
  })

  it('find the server by its data folder or its port, without HOLDFAST_URL', async () => {
    const { HOLDFAST_KEY = '', HOLDFAST_URL: url = '' } = env
    const machine = await makeMachine({ HOLDFAST_KEY })
    await writeFile(join(machine.folder, 'server.json'), JSON.stringify({ url, token: 'hfo_x' }))
    const settings = [
      { HOLDFAST_DATA_DIR: machine.folder, HOLDFAST_PORT: '9' },
      { HOLDFAST_PORT: new URL(url).port },
      { HOLDFAST_DATA_DIR: join(machine.folder, 'none'), HOLDFAST_PORT: new URL(url).port },
      { HOLDFAST_DATA_DIR: machine.folder, HOLDFAST_PORT: 'x' },
    ]
    for (const setting of settings) expect(await machine.run(['tasks'], setting)).toMatchObject({ code: 0, stderr: '' })
    const wrong = await machine.run(['search', 'x'], { HOLDFAST_PORT: '9' })
    expect([wrong.code, wrong.stderr]).toEqual([
      5,
      expect.stringMatching(/^No answer from http:\/\/127\.0\.0\.1:9\.\n.*HOLDFAST_URL/),
    ])
  })

  it('cut a long text between two words', async () => {
    const machine = await makeMachine(env)
    await machine.run(['remember', `Quinces ${'abcdefghijklmnopqr '.repeat(40)}`])
    const lines = (await machine.run(['search', 'quinces', '--limit', '1'])).stdout.split('\n')
    expect(lines.find((line) => line.endsWith('…'))).toMatch(/ abcdefghijklmnopqr …$/)
  })

  it('print nothing that a server sends in place of ids and dates, and say what they cannot read', async () => {
    let answer: unknown
    const server = createServer((_asked, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const machine = await makeMachine({ HOLDFAST_KEY: `svc_${'k'.repeat(49)}`, HOLDFAST_URL: url })
    const odd = '\u001B[2J\u202E'
    answer = { created: true, memoryId: odd, idempotent: false }
    expect(await machine.run(['remember', 'x'])).toMatchObject({ code: 0, stdout: 'Stored: \uFFFD[2J\uFFFD\n' })
    const writers = { agentId: odd, source: { integrationId: 'x', trust: 'agent_authored' }, changedBy: null }
    answer = { notes: [{ noteId: odd, title: odd, updatedAt: '2026-11-21T09:00:00.000Z', ...writers }], total: 1 }
    expect((await machine.run(['notes'])).stdout).not.toContain('\u001B')
    answer = { notes: [{ noteId: 'x', title: 'x', updatedAt: odd, ...writers }], total: 1 }
    const commands = [['notes'], ['search', 'x'], ['remember', 'x'], ['tasks'], ['context']]
    for (const args of commands) {
      if (args[0] !== 'notes') answer = null
      const { code, stdout, stderr } = await machine.run(args)
      expect([args, code, stdout]).toEqual([args, 1, ''])
      expect(stderr).toMatch(
        /^(This command line .* cannot read the server's answer.*\nUse .*|The answer is not JSON)\n$/,
      )
    }
  })

  it('report what went wrong in their exit code', async () => {
    const machine = await makeMachine(env)
    const cases: [args: string[], env: Record<string, string>, code: number, stderr: RegExp][] = [
      [['search', 'x'], { HOLDFAST_KEY: '' }, 3, /HOLDFAST_KEY is not set[^]*keys create/],
      [['search', 'x'], { HOLDFAST_KEY: `svc_${'k'.repeat(49)}` }, 3, /refuses HOLDFAST_KEY[^]*keys create/],
      [['search', 'x'], { HOLDFAST_URL: 'http://127.0.0.1:9' }, 5, /doctor/],
      [['search'], {}, 2, /words/],
      [['search', 'x', '--limit', '0'], {}, 2, /1 to 50/],
      [['remember', '--importance', '9', 'x'], {}, 2, /1 to 5/],
      [['remember'], {}, 2, /No text/],
      [['recall', '0198c5f0-0000-7000-8000-000000000101'], {}, 4, /No memory or note/],
      [['recall', 'x'], {}, 2, /^x is not an id of a memory or note/],
      [['remember', ''], {}, 2, /No text/],
      [['search', 'x'], { HOLDFAST_KEY: 'svc_a\nb' }, 2, /^HOLDFAST_KEY must be printable ASCII\.\n$/],
      [['mcp'], { HOLDFAST_KEY: 'svc_a\nb' }, 2, /^HOLDFAST_KEY must be printable ASCII\.\n$/],
      [['tasks', '--url', 'http://u:p@127.0.0.1:9'], {}, 2, /^The address must not contain a user or password/],
      [['search', 'x', '--vault', 'nowhere'], {}, 4, /nowhere/],
    ]
    for (const [args, more, code, stderr] of cases)
      expect(await machine.run(args, more)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(stderr) })
  })
})

it('show ages in words', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const ages = [
    '2026-11-21T11:59:58Z',
    '2026-11-21T11:59:30Z',
    '2026-11-21T11:55:00Z',
    '2026-11-20T12:00:00Z',
    '2026-09-01T12:00:00Z',
    '2020-11-21T12:00:00Z',
    '2026-11-24T12:00:01Z',
  ]
  expect(ages.map((iso) => ageOf(iso, now))).toEqual([
    'now',
    '30 s ago',
    '5 min ago',
    '1 d ago',
    '2 mo ago',
    '6 y ago',
    'in 3 d',
  ])
})

it('wrap between words, and don’t split what is longer than a line', () => {
  const path = `/${'long'.repeat(30)}`
  expect(wrap(`see ${path} for more`, '  ', '- ')).toEqual(['- see', `  ${path}`, '  for more'])
  expect(wrap('')).toEqual([''])
})
