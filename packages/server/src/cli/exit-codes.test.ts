import { existsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holdfast, makePlace, password, setUp } from './testing/run-holdfast.ts'

describe('the command line, where something is wrong,', () => {
  it('says in its exit code what went wrong, and on stderr what to do', async () => {
    const place = await makePlace()
    const empty = await holdfast(place, ['status'])
    expect(empty).toMatchObject({ code: 4, stdout: '' })
    expect(empty.stderr).toContain('npm run -s holdfast -- setup')
    expect(
      (await holdfast(place, ['users', 'add', '--email', 'a@example.org', '--password-stdin'], password)).code,
    ).toBe(4)
    // There is no terminal to ask on; that nothing is made before the password shows too.
    expect((await holdfast(place, ['setup', '--email', 'a@example.org'])).code).toBe(2)
    expect(existsSync(place.dataDir)).toBe(false)
    await setUp(place)
    expect((await holdfast(place, ['setup', '--email', 'a@example.org'])).code).toBe(3)
    const add = ['users', 'add', '--email', 'grace@example.org']
    const cases: [args: string[], stdin: string, code: number, stderr: string][] = [
      [['keys', 'create'], '', 2, '--label'],
      [['keys', 'make'], '', 2, 'unknown command'],
      [['keys', 'create', '--label', 'x', '--preset', 'root'], '', 2, 'preset'],
      [['keys', 'create', '--label', 'x', '--vault', 'Nowhere'], '', 4, 'no vault Nowhere'],
      [['keys', 'list', '--email', 'nobody@example.org'], '', 4, 'holdfast -- users add'],
      [add, '', 2, '--password-stdin'],
      [[...add, '--password-stdin'], '\n', 2, 'No password'],
      [[...add, '--password-stdin'], 'password\n', 2, 'most common'],
      [['status', '--url', 'ftp://x'], '', 2, '--url'],
      [['status', '--url', 'http://127.0.0.1:1'], '', 3, 'HOLDFAST_OPERATOR_TOKEN'],
    ]
    for (const [args, stdin, code, stderr] of cases) {
      const ended = await holdfast(place, args, stdin)
      expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
      expect(ended.stderr).toContain(stderr)
      expect(ended.stderr).not.toMatch(/\n\s+at /)
    }
    const nobody = { ...place, env: { ...place.env, HOLDFAST_OPERATOR_TOKEN: 'hfo_x' } }
    expect((await holdfast(nobody, ['status', '--url', 'http://127.0.0.1:1'])).code).toBe(5)
  })

  it('says what went wrong as JSON where it is asked for JSON', async () => {
    const place = await makePlace()
    const cases: [args: string[], exitCode: number, error: RegExp][] = [
      [['status'], 4, /^There is no Holdfast in /],
      [['keys', 'create'], 2, /--label/],
      [['status', '--nope'], 2, /^unknown option/],
    ]
    for (const [args, exitCode, error] of cases) {
      const { code, stdout, stderr } = await holdfast(place, [...args, '--json'])
      expect([args, code, stdout]).toEqual([args, exitCode, ''])
      expect(JSON.parse(stderr)).toMatchObject({ error: expect.stringMatching(error), exitCode })
    }
    expect(JSON.parse((await holdfast(place, ['status', '--json'])).stderr)).toMatchObject({
      next: expect.stringContaining('--data-dir'),
    })
  })

  it('names wrong settings and a missing root key in plain words', async () => {
    const place = await makePlace()
    await setUp(place)
    const wrong = { ...place, env: { ...place.env, HOLDFAST_PROT: '1' } }
    const settings = await holdfast(wrong, ['serve'])
    expect(settings).toMatchObject({ code: 1, stdout: '' })
    expect(settings.stderr).toContain('HOLDFAST_PROT: unknown setting')
    await rm(String(place.env.HOLDFAST_KEY_DIR), { recursive: true })
    const keyless = await holdfast(place, ['status'])
    expect(keyless).toMatchObject({ code: 1, stdout: '' })
    expect(keyless.stderr).toMatch(/^The root key of this data folder is missing/)
    expect(keyless.stderr).not.toMatch(/\n\s+at /)
  })

  it('names in plain words what this machine does not have', async () => {
    const place = await makePlace()
    const notAFolder = `${place.dataDir}-file`
    writeFileSync(notAFolder, '')
    const nowhere = 'postgres://127.0.0.1:1/holdfast'
    const cases: [args: string[], env: Record<string, string>, code: number, stderr: RegExp][] = [
      [['serve', '--host', '192.0.2.1'], {}, 1, /192\.0\.2\.1.*\(EADDRNOTAVAIL\)[^]*--host/],
      [['serve', '--port', 'abc'], {}, 2, /--port/],
      [['serve', '--port', '65536'], {}, 2, /--port/],
      [
        ['serve'],
        { HOLDFAST_KEY_DIR: join(notAFolder, 'keys'), HOLDFAST_DATA_DIR: `${place.dataDir}-2` },
        1,
        /KEY_DIR/,
      ],
      [['status'], { HOLDFAST_DATABASE_URL: nowhere }, 5, /cannot be reached \(ECONNREFUSED\)/],
    ]
    for (const [args, env, code, stderr] of cases) {
      const ended = await holdfast({ ...place, env: { ...place.env, ...env } }, args)
      expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
      expect(ended.stderr).toMatch(stderr)
      expect(ended.stderr).not.toMatch(/\n\s+at |should not have/)
    }
  })
})
