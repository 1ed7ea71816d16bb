import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDesk } from './testing/run-command.ts'

const key = `svc_${'k'.repeat(49)}`
// Windows knows no such modes.
const ownerOnly = process.platform === 'win32' ? 0o666 : 0o600

describe('connect', { timeout: 60_000 }, () => {
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
    expect(await readFile(join(desk.folder, 'AGENTS.md'), 'utf8')).toContain('(vault: app)')
    const again = await desk.run(write)
    expect(again.stdout.match(/is as it should be/g)).toHaveLength(2)
    expect(await readdir(join(desk.folder, '.cursor'))).toEqual(['mcp.json'])
    await writeFile(path, `// mine\n${written}`)
    const { stdout } = await desk.run(['disconnect', 'cursor', '--agents-md', '--json'])
    const { files } = JSON.parse(stdout) as { files: { path: string; copy: string }[] }
    expect(await readFile(path, 'utf8')).toMatch(/^\/\/ mine\n\{\n {2}"mcpServers": \{\s*\}\n\}\n$/)
    expect(await readFile(files[0]?.copy ?? '', 'utf8')).toBe(`// mine\n${written}`)
    expect(await readFile(join(desk.folder, 'AGENTS.md'), 'utf8')).toBe('')
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
      stderr: expect.stringContaining('no valid JSON'),
    })
    expect(await readFile(join(desk.folder, '.mcp.json'), 'utf8')).toBe('{ broken')
    expect(await desk.run(['connect', 'cursor', '--url', 'ftp://x'])).toMatchObject({ code: 2 })
    const { stdout } = await desk.run(['connect', '--json'])
    expect((JSON.parse(stdout) as { clients: unknown[] }).clients.length).toBeGreaterThan(11)
  })
})
