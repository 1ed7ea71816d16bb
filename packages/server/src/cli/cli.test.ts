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

  it('makes, lists and revokes keys, for the owner or for a person by e-mail', async () => {
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
      { label: 'First agent', state: 'valid', preset: 'admin', vaults: null },
    ])
    expect(listedHers.keys).toMatchObject([{ id: hers.keyId, label: 'Hers' }])
    expect((await holdfast(place, ['keys', 'revoke', String(hers.keyId)])).code).toBe(4)
    expect((await holdfast(place, ['keys', 'list'])).stdout).toMatch(
      /…\w{4} {2}revoked {2}never used {2}read_only in Main alone {2}Desk\n/,
    )
  })

  it('lets in again who has lost password or second factor', async () => {
    const place = await makePlace()
    const { userId } = await setUp(place)
    const person = ['--email', 'ada@example.org']
    const reset = await json(place, ['users', 'reset-password', ...person, '--password-stdin'], password)
    expect(reset).toEqual({ userId, endedSessions: 0 })
    expect((await holdfast(place, ['users', 'reset-factor', ...person])).stdout).toBe(
      'ada@example.org has no second factor, as before. Passkeys removed: 0. Sessions that ended: 0.\n',
    )
    const nobody = await holdfast(place, ['users', 'reset-factor', '--email', 'nobody@example.org'])
    expect(nobody).toMatchObject({ code: 4, stderr: 'User not found\n' })
  })

  it('tells whether there are embeddings', async () => {
    const place = await makePlace()
    await setUp(place)
    expect((await holdfast(place, ['status'])).stdout).toMatch(/Embeddings +static\S+, \d+ of \d+ records done\n/)
    const without = { ...place, env: { ...place.env, HOLDFAST_EMBEDDINGS: 'none' } }
    expect((await holdfast(without, ['status'])).stdout).toMatch(/Embeddings +none configured/)
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
