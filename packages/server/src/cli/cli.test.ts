import { existsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holdfast, json, makePlace, password, setUp } from './testing/run-holdfast.ts'

describe('the command line without a server', () => {
  it('sets up, once', async () => {
    const place = await makePlace()
    const made = await setUp(place)
    expect(made).toEqual({
      userId: expect.any(String),
      vaultId: expect.any(String),
      integrationId: expect.any(String),
      agentKey: expect.stringMatching(/^svc_\w{49}$/),
      dashboardToken: expect.stringMatching(/^hfd_\w{49}$/),
    })
    const again = await holdfast(place, ['setup', '--email', 'eve@example.org', '--password-stdin'], password)
    expect(again).toEqual({ code: 3, stdout: '', stderr: 'Holdfast is already set up\n' })
    expect(await json(place, ['status'])).toMatchObject({ isSetUp: true, users: 1, vaults: 1, dataDir: place.dataDir })
  })

  it('creates, lists and revokes keys, for the owner or for a person by email', async () => {
    const place = await makePlace()
    const { vaultId } = await setUp(place)
    const grace = await json(place, ['users', 'add', '--email', 'grace@example.org', '--password-stdin'], password)
    const mine = await json(place, ['keys', 'create', '--label', 'Desk', '--preset', 'read_only', '--vault', 'Main'])
    expect(mine).toMatchObject({ label: 'Desk', preset: 'read_only', vaultId })
    const hers = await json(place, ['keys', 'create', '--label', 'Hers', '--email', 'Grace@example.org'])
    expect(hers).toMatchObject({ vaultId: grace.vaultId, preset: 'read_write' })
    expect(await json(place, ['keys', 'revoke', String(mine.keyId)])).toEqual({ id: mine.keyId, deleted: true })
    const [listed, listedHers] = [
      await json(place, ['keys', 'list']),
      await json(place, ['keys', 'list', '--email', 'grace@example.org']),
    ]
    expect(listed.keys).toMatchObject([
      { id: mine.keyId, label: 'Desk', state: 'revoked', preset: 'read_only', vaults: [{ vaultId, name: 'Main' }] },
      { label: 'First agent', state: 'valid', preset: 'read_write', vaults: null },
    ])
    expect(listedHers.keys).toMatchObject([{ id: hers.keyId, label: 'Hers' }])
    expect((await holdfast(place, ['keys', 'revoke', String(hers.keyId)])).code).toBe(4)
    expect((await holdfast(place, ['keys', 'list'])).stdout).toMatch(
      /…\w{4} {2}revoked {2}never used {2}read_only in Main only {2}Desk\n/,
    )
  })

  it('disables, enables and deletes a person', async () => {
    const place = await makePlace()
    await setUp(place)
    const grace = ['--email', 'grace@example.org']
    const { userId: graceId } = await json(place, ['users', 'add', ...grace, '--password-stdin'], password)
    expect(await json(place, ['users', 'disable', ...grace])).toMatchObject({
      user: { disabledAt: expect.any(String) },
    })
    expect(await json(place, ['users', 'list'])).toMatchObject({
      users: [
        { email: 'ada@example.org', isOwner: true },
        { userId: graceId, disabledAt: expect.any(String) },
      ],
    })
    expect((await holdfast(place, ['users', 'list'])).stdout).toMatch(
      /^  ada@example\.org    owner  active\n  grace@example\.org  disabled 20\S+\n$/,
    )
    expect((await holdfast(place, ['users', 'disable', ...grace])).stdout).toMatch(
      /^grace@example\.org has been disabled since 20\S+\. To undo this: /,
    )
    expect(await json(place, ['users', 'enable', ...grace])).toMatchObject({ user: { disabledAt: null } })
    for (const command of ['disable', 'enable'])
      expect(await holdfast(place, ['users', command, '--email', 'ada@example.org'])).toMatchObject({
        code: 3,
        stderr: "ada@example.org is the owner of this server, who can't be disabled or enabled.\n",
      })
    const owner = ['--email', 'ada@example.org', '--confirm', 'ada@example.org']
    expect(await holdfast(place, ['users', 'remove', ...owner])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("The owner of this server can't be deleted."),
    })
    const deleting = ['users', 'remove', ...grace, '--confirm', 'grace@example.org']
    expect(await json(place, deleting)).toEqual({ userId: graceId, deleted: true })
    expect((await holdfast(place, ['users', 'enable', ...grace])).code).toBe(4)
  })

  it('restores access after a lost password or second factor', async () => {
    const place = await makePlace()
    const { userId } = await setUp(place)
    const person = ['--email', 'ada@example.org']
    const reset = await json(place, ['users', 'reset-password', ...person, '--password-stdin'], password)
    const kept = { removedFactor: false, removedPasskeys: 0 }
    expect(reset).toEqual({ userId, endedSessions: 0, revokedTokens: 0, ...kept })
    const everything = ['users', 'reset-password', ...person, '--password-stdin', '--end-everything']
    expect(await json(place, everything, password)).toEqual({
      userId,
      endedSessions: 0,
      revokedTokens: 1,
      ...kept,
    })
    expect((await holdfast(place, ['users', 'reset-factor', ...person])).stdout).toBe(
      'ada@example.org had no second factor. Passkeys removed: 0. Sessions ended: 0.\n',
    )
    const nobody = await holdfast(place, ['users', 'reset-factor', '--email', 'nobody@example.org'])
    expect(nobody).toMatchObject({ code: 4, stderr: expect.stringMatching(/^No user nobody@example\.org\.\n/) })
  })

  it('says whether embeddings are configured', async () => {
    const place = await makePlace()
    await setUp(place)
    expect((await holdfast(place, ['status'])).stdout).toMatch(/Embeddings +static\S+, \d+ of \d+ records embedded\n/)
    const without = { ...place, env: { ...place.env, HOLDFAST_EMBEDDINGS: 'none' } }
    expect((await holdfast(without, ['status'])).stdout).toMatch(/Embeddings +not configured/)
  })

  it('explains itself within 80 columns', async () => {
    const place = await makePlace()
    for (const args of [
      [],
      ['serve'],
      ['setup'],
      ['users', 'add'],
      ['users', 'reset-password'],
      ['users', 'reset-factor'],
      ['keys', 'create'],
      ['keys', 'revoke'],
      ['status'],
    ]) {
      const { code, stdout } = await holdfast(place, [...args, '--help'])
      expect(code).toBe(0)
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    }
  })
})

describe('the command line, after an error,', () => {
  it('says in its exit code what went wrong, and on stderr what to do', async () => {
    const place = await makePlace()
    const empty = await holdfast(place, ['status'])
    expect(empty).toMatchObject({ code: 4, stdout: '' })
    expect(empty.stderr).toContain('holdfast setup')
    expect(
      (await holdfast(place, ['users', 'add', '--email', 'a@example.org', '--password-stdin'], password)).code,
    ).toBe(4)
    // There is no terminal for the question; this also shows that nothing is created before the password.
    expect((await holdfast(place, ['setup', '--email', 'a@example.org'])).code).toBe(2)
    expect(existsSync(place.dataDir)).toBe(false)
    await setUp(place)
    expect((await holdfast(place, ['setup', '--email', 'a@example.org'])).code).toBe(3)
    const add = ['users', 'add', '--email', 'grace@example.org']
    const cases: [args: string[], stdin: string, code: number, stderr: string][] = [
      [['keys', 'create'], '', 2, '--label'],
      [['keys', 'make'], '', 2, 'unknown command'],
      [['users', 'reset'], '', 2, 'Did you mean reset-password or reset-factor?'],
      [['users', 'delte'], '', 2, 'Did you mean delete?'],
      [['keys', 'create', '--label', 'x', '--preset', 'root'], '', 2, 'preset'],
      [['keys', 'create', '--label', 'x', '--vault', 'Nowhere'], '', 4, 'No vault Nowhere'],
      [['keys', 'list', '--email', 'nobody@example.org'], '', 4, 'users add'],
      [add, '', 2, '--password-stdin'],
      [[...add, '--password-stdin'], '\n', 2, 'No password'],
      [[...add, '--password-stdin'], 'password\n', 2, 'most common'],
      [['keys', 'revoke', 'x'], '', 2, 'id: must be a UUID'],
      [['help', 'frob', '--json'], '', 2, "unknown command 'frob'"],
      [['help', 'stat'], '', 2, 'Did you mean status?'],
      [['status', '--url', 'ftp://x'], '', 2, '--url'],
      [['status', '--url', 'http://127.0.0.1:1'], '', 3, 'HOLDFAST_OPERATOR_TOKEN'],
    ]
    for (const [args, stdin, code, stderr] of cases) {
      const ended = await holdfast(place, args, stdin)
      expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
      expect(ended.stderr).toContain(stderr)
      expect(ended.stderr).not.toContain('Validation failed')
      expect(ended.stderr).not.toMatch(/\n\s+at /)
    }
    const nobody = { ...place, env: { ...place.env, HOLDFAST_OPERATOR_TOKEN: 'hfo_x' } }
    expect((await holdfast(nobody, ['status', '--url', 'http://127.0.0.1:1'])).code).toBe(5)
  })

  it('prints errors as JSON if asked for JSON', async () => {
    const place = await makePlace()
    const cases: [args: string[], exitCode: number, error: RegExp][] = [
      [['status'], 4, /^No Holdfast instance in /],
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

  it('names invalid settings and a missing root key', async () => {
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

  it('names what is missing on this machine', async () => {
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
      expect(ended.stderr).not.toMatch(/\n\s+at |Internal error/)
    }
  })
})
