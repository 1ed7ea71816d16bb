import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeDesk } from './testing/run-command.ts'

const key = `svc_${'k'.repeat(49)}`
// Windows knows no such modes.
const ownerOnly = process.platform === 'win32' ? 0o666 : 0o600

describe('connect', () => {
  it('prints what to put where, for the vault of the project, without the key', async () => {
    const desk = await makeDesk({ HOLDFAST_KEY: key, HOLDFAST_URL: 'http://127.0.0.1:9000' })
    await desk.run(['link', 'app'])
    const { code, stdout, stderr } = await desk.run(['connect', 'zed'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('settings.json')
    expect(stdout).toContain('"url": "http://127.0.0.1:9000/mcp?vault=app"')
    expect(stdout).toContain('Bearer svc_...')
    expect(stdout).not.toContain(key)
    expect(await readdir(desk.folder)).toEqual(['.holdfast.json'])
  })

  it('writes it once, keeps what was there and a copy, and takes it out again', async () => {
    const desk = await makeDesk()
    const write = ['connect', 'cursor', '--vault', 'app', '--write', '--agents-md']
    const dry = await desk.run([...write, '--dry-run'])
    expect(dry.stdout).toContain('+     "memory": {')
    expect(await readdir(desk.folder)).toEqual([])
    await desk.run(write)
    const path = join(desk.folder, '.cursor/mcp.json')
    const written = await readFile(path, 'utf8')
    expect(written).toContain('Bearer ${env:HOLDFAST_KEY}')
    expect(await readFile(join(desk.folder, 'AGENTS.md'), 'utf8')).toContain('(vault: "app")')
    const again = await desk.run(write)
    expect(again.stdout.match(/is up to date/g)).toHaveLength(2)
    expect(await readdir(join(desk.folder, '.cursor'))).toEqual(['mcp.json'])
    await writeFile(path, `// mine\n${written}`)
    const { stdout } = await desk.run(['disconnect', 'cursor', '--agents-md', '--json'])
    const { files } = JSON.parse(stdout) as { files: { path: string; copy: string }[] }
    expect(await readFile(path, 'utf8')).toMatch(/^\/\/ mine\n\{\n {2}"mcpServers": \{\s*\}\n\}\n$/)
    expect(await readFile(files[0]?.copy ?? '', 'utf8')).toBe(`// mine\n${written}`)
    expect((await readdir(desk.folder)).toSorted()).toEqual(['.cursor'])
    await desk.run(write)
    await writeFile(path, written)
    expect((await desk.run(['disconnect', 'cursor', '--agents-md'])).stdout).not.toContain('Export')
    expect(await readdir(join(desk.folder, '.cursor'))).toEqual([])
  })

  it('puts no key where the home folder cannot be told', async () => {
    const desk = await makeDesk({ HOLDFAST_KEY: key })
    for (const home of ['', 'here'])
      expect(await desk.run(['connect', 'copilot-cli', '--write'], { HOME: home, USERPROFILE: home })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('home folder'),
      })
    expect(await readdir(desk.folder)).toEqual([])
  })

  it('puts a key into a file of the home folder alone, which nobody else can read, and shows it nowhere', async () => {
    const desk = await makeDesk()
    const args = ['connect', 'copilot-cli', '--write']
    expect(await desk.run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('HOLDFAST_KEY is not set') })
    const { code, stdout, stderr } = await desk.run(args, { HOLDFAST_KEY: key })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain(key)
    const path = join(desk.home, '.copilot/mcp-config.json')
    expect(await readFile(path, 'utf8')).toContain(`Bearer ${key}`)
    expect((await stat(path)).mode & 0o777).toBe(ownerOnly)
    const dry = await desk.run([...args, '--dry-run', '--url', 'http://127.0.0.1:9001'], { HOLDFAST_KEY: key })
    expect(dry.stdout).toContain('9001')
    expect(dry.stdout).not.toContain(key)
    expect(await desk.run(['connect', 'copilot-cli', '--project', '--write'], { HOLDFAST_KEY: key })).toMatchObject({
      code: 2,
    })
  })

  it('says in its exit code and in words what it cannot do, and changes nothing then', async () => {
    const desk = await makeDesk()
    expect(await desk.run(['connect', 'emacs'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('claude-code, cursor'),
    })
    await writeFile(join(desk.folder, '.mcp.json'), '{ broken')
    expect(await desk.run(['connect', 'claude-code', '--write'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not valid JSON'),
    })
    expect(await readFile(join(desk.folder, '.mcp.json'), 'utf8')).toBe('{ broken')
    expect(await desk.run(['connect', 'cursor', '--url', 'ftp://x'])).toMatchObject({ code: 2 })
    const { stdout } = await desk.run(['connect', '--json'])
    expect((JSON.parse(stdout) as { clients: unknown[] }).clients.length).toBeGreaterThan(11)
  })

  it('shows nothing that is not ours, and keeps the copy where it is not committed', async () => {
    const desk = await makeDesk({ HOLDFAST_KEY: key })
    const path = join(desk.folder, '.mcp.json')
    const before = '{ "mcpServers": { "files": { "env": { "TOKEN": "s3cr3t" } } } }'
    await writeFile(path, before)
    const dry = await desk.run(['connect', 'claude-code', '--dry-run', '--json'])
    const written = await desk.run(['connect', 'claude-code', '--write', '--json'])
    for (const { stdout, stderr } of [dry, written]) {
      expect(stdout + stderr).not.toMatch(/s3cr3t|TOKEN/)
      expect(stdout).toContain('/mcp')
    }
    expect(await readdir(desk.folder)).toEqual(['.mcp.json'])
    const { files } = JSON.parse(written.stdout) as { files: { copy: string }[] }
    const copy = files[0]?.copy ?? ''
    expect(await readFile(copy, 'utf8')).toBe(before)
    expect(relative(desk.folder, copy)).toMatch(/^\.\./)
    expect((await stat(copy)).mode & 0o777).toBe(ownerOnly)
  })

  it('leaves files that a project links to elsewhere, that are read-only, and that are not UTF-8', async () => {
    const desk = await makeDesk()
    const outside = join(desk.home, 'outside.json')
    await writeFile(outside, '{}')
    const path = join(desk.folder, '.mcp.json')
    const refused = async (reason: string) =>
      expect(await desk.run(['connect', 'claude-code', '--write'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(reason),
      })
    await symlink(outside, path)
    await refused('leads out of the project')
    await rm(outside)
    await refused('is a broken link')
    await rm(path)
    await writeFile(path, Buffer.from([0x7b, 0xff, 0x7d]))
    await refused('is not UTF-8')
    await writeFile(path, '{}')
    await chmod(path, 0o444)
    await refused('read-only')
    expect(await readFile(path, 'utf8')).toBe('{}')
    await mkdir(join(desk.home, 'dir'))
    await symlink(join(desk.home, 'dir'), join(desk.folder, '.cursor'))
    expect(await desk.run(['connect', 'cursor', '--write'])).toMatchObject({ code: 1 })
    expect(await readdir(join(desk.home, 'dir'))).toEqual([])
  })

  it('draws nothing on the terminal that others ask for', async () => {
    const desk = await makeDesk()
    const odd = 'a\u009b2J\u202e'
    const printed = await desk.run(['connect', 'claude-desktop', '--vault', odd, '--agents-md'])
    const refused = await desk.run(['connect', `${odd}\u001b[2J`])
    expect([printed.code, refused.code]).toEqual([0, 2])
    const text = Object.values(printed).join('') + Object.values(refused).join('')
    expect(text).toContain('\ufffd')
    for (const sign of ['\u009b', '\u202e', '\u001b']) expect(text).not.toContain(sign)
  })
})

describe('link', () => {
  it('ends with 3 and writes nothing where the key is refused', async () => {
    const server = createServer((_asked, answer) =>
      answer.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no","code":"unauthorized"}'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const desk = await makeDesk({ HOLDFAST_KEY: key, HOLDFAST_URL: url })
    expect(await desk.run(['link', 'app'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('refuses HOLDFAST_KEY'),
    })
    expect(await readdir(desk.folder)).toEqual([])
  })
})
