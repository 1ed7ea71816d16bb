import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeMachine } from './testing/run-command.ts'

const key = `svc_${'k'.repeat(49)}`
// Windows has no such file modes.
const ownerOnly = process.platform === 'win32' ? 0o666 : 0o600

describe('connect', () => {
  it('prints what to put where, for the vault of the project, without the key', async () => {
    const machine = await makeMachine({ HOLDFAST_KEY: key, HOLDFAST_URL: 'http://127.0.0.1:9000' })
    await machine.run(['link', 'app'])
    const { code, stdout, stderr } = await machine.run(['connect', 'zed'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('settings.json')
    expect(stdout).toContain('"url": "http://127.0.0.1:9000/mcp?vault=app"')
    expect(stdout).toContain('Bearer svc_...')
    expect(stdout).not.toContain(key)
    expect(await readdir(machine.folder)).toEqual(['.holdfast.json'])
  })

  it('writes its entry once, keeps existing content and a copy, and removes the entry again', async () => {
    const machine = await makeMachine()
    const write = ['connect', 'cursor', '--vault', 'app', '--write', '--agents-md']
    const dry = await machine.run([...write, '--dry-run'])
    expect(dry.stdout).toContain('+     "memory": {')
    expect(await readdir(machine.folder)).toEqual([])
    await machine.run(write)
    const path = join(machine.folder, '.cursor/mcp.json')
    const written = await readFile(path, 'utf8')
    expect(written).toContain('Bearer ${env:HOLDFAST_KEY}')
    expect(await readFile(join(machine.folder, 'AGENTS.md'), 'utf8')).toContain('(vault: "app")')
    const again = await machine.run(write)
    expect(again.stdout.match(/is up to date/g)).toHaveLength(2)
    expect(await readdir(join(machine.folder, '.cursor'))).toEqual(['mcp.json'])
    await writeFile(path, `// mine\n${written}`)
    const { stdout } = await machine.run(['disconnect', 'cursor', '--agents-md', '--json'])
    const { files } = JSON.parse(stdout) as { files: { path: string; copy: string }[] }
    expect(await readFile(path, 'utf8')).toMatch(/^\/\/ mine\n\{\n {2}"mcpServers": \{\s*\}\n\}\n$/)
    expect(await readFile(files[0]?.copy ?? '', 'utf8')).toBe(`// mine\n${written}`)
    expect((await readdir(machine.folder)).toSorted()).toEqual(['.cursor'])
    await machine.run(write)
    await writeFile(path, written)
    expect((await machine.run(['disconnect', 'cursor', '--agents-md'])).stdout).not.toContain('Export')
    expect(await readdir(join(machine.folder, '.cursor'))).toEqual([])
  })

  it('writes no key if the home folder is unknown', async () => {
    const machine = await makeMachine({ HOLDFAST_KEY: key })
    for (const home of ['', 'here'])
      expect(await machine.run(['connect', 'copilot-cli', '--write'], { HOME: home, USERPROFILE: home })).toMatchObject(
        {
          code: 3,
          stderr: expect.stringContaining('home folder'),
        },
      )
    expect(await readdir(machine.folder)).toEqual([])
  })

  it('writes a key only into a file in the home folder that only its user can read, and prints it nowhere', async () => {
    const machine = await makeMachine()
    const args = ['connect', 'copilot-cli', '--write']
    expect(await machine.run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('HOLDFAST_KEY is not set'),
    })
    const { code, stdout, stderr } = await machine.run(args, { HOLDFAST_KEY: key })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain(key)
    const path = join(machine.home, '.copilot/mcp-config.json')
    expect(await readFile(path, 'utf8')).toContain(`Bearer ${key}`)
    expect((await stat(path)).mode & 0o777).toBe(ownerOnly)
    const dry = await machine.run([...args, '--dry-run', '--url', 'http://127.0.0.1:9001'], { HOLDFAST_KEY: key })
    expect(dry.stdout).toContain('9001')
    expect(dry.stdout).not.toContain(key)
    expect(await machine.run(['connect', 'copilot-cli', '--project', '--write'], { HOLDFAST_KEY: key })).toMatchObject({
      code: 2,
    })
  })

  it('says in its exit code and a message what it cannot do, and then changes nothing', async () => {
    const machine = await makeMachine()
    expect(await machine.run(['connect', 'emacs'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('claude-code, cursor'),
    })
    await writeFile(join(machine.folder, '.mcp.json'), '{ broken')
    expect(await machine.run(['connect', 'claude-code', '--write'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not valid JSON'),
    })
    expect(await readFile(join(machine.folder, '.mcp.json'), 'utf8')).toBe('{ broken')
    expect(await machine.run(['connect', 'cursor', '--url', 'ftp://x'])).toMatchObject({ code: 2 })
    const { stdout } = await machine.run(['connect', '--json'])
    expect((JSON.parse(stdout) as { clients: unknown[] }).clients.length).toBeGreaterThan(11)
  })

  it('prints nothing that is not ours, and keeps the copy out of commits', async () => {
    const machine = await makeMachine({ HOLDFAST_KEY: key })
    const path = join(machine.folder, '.mcp.json')
    const before = '{ "mcpServers": { "files": { "env": { "TOKEN": "s3cr3t" } } } }'
    await writeFile(path, before)
    const dry = await machine.run(['connect', 'claude-code', '--dry-run', '--json'])
    const written = await machine.run(['connect', 'claude-code', '--write', '--json'])
    for (const { stdout, stderr } of [dry, written]) {
      expect(stdout + stderr).not.toMatch(/s3cr3t|TOKEN/)
      expect(stdout).toContain('/mcp')
    }
    expect(await readdir(machine.folder)).toEqual(['.mcp.json'])
    const { files } = JSON.parse(written.stdout) as { files: { copy: string }[] }
    const copy = files[0]?.copy ?? ''
    expect(await readFile(copy, 'utf8')).toBe(before)
    expect(relative(machine.folder, copy)).toMatch(/^\.\./)
    expect((await stat(copy)).mode & 0o777).toBe(ownerOnly)
  })

  it('does not change files that are symlinked elsewhere, read-only, or not UTF-8', async () => {
    const machine = await makeMachine()
    const outside = join(machine.home, 'outside.json')
    await writeFile(outside, '{}')
    const path = join(machine.folder, '.mcp.json')
    const refused = async (reason: string) =>
      expect(await machine.run(['connect', 'claude-code', '--write'])).toMatchObject({
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
    await mkdir(join(machine.home, 'dir'))
    await symlink(join(machine.home, 'dir'), join(machine.folder, '.cursor'))
    expect(await machine.run(['connect', 'cursor', '--write'])).toMatchObject({ code: 1 })
    expect(await readdir(join(machine.home, 'dir'))).toEqual([])
  })

  it('prints no control sequences that others put into a name', async () => {
    const machine = await makeMachine()
    const odd = 'a\u009b2J\u202e'
    const printed = await machine.run(['connect', 'claude-desktop', '--vault', odd, '--agents-md'])
    const refused = await machine.run(['connect', `${odd}\u001b[2J`])
    expect([printed.code, refused.code]).toEqual([0, 2])
    const text = Object.values(printed).join('') + Object.values(refused).join('')
    expect(text).toContain('\ufffd')
    for (const sign of ['\u009b', '\u202e', '\u001b']) expect(text).not.toContain(sign)
  })
})

describe('link', () => {
  it('exits with 3 and writes nothing if the key is rejected', async () => {
    const server = createServer((_asked, answer) =>
      answer.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no","code":"unauthorized"}'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const machine = await makeMachine({ HOLDFAST_KEY: key, HOLDFAST_URL: url })
    expect(await machine.run(['link', 'app'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('refuses HOLDFAST_KEY'),
    })
    expect(await readdir(machine.folder)).toEqual([])
  })
})
