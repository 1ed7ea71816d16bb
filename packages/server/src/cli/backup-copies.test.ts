import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startS3 } from '../backups/testing/s3-server.ts'
import { holdfast, json, makePlace, setUp } from './testing/run-holdfast.ts'

describe('backups that leave the machine', { timeout: 300_000 }, () => {
  async function placeWithS3() {
    const s3 = await startS3()
    const place = await makePlace()
    const env = {
      ...place.env,
      HOLDFAST_BACKUP_S3: 's3://backups/ours/',
      HOLDFAST_BACKUP_S3_ENDPOINT: s3.settings.endpoint,
      HOLDFAST_BACKUP_S3_KEY_ID: s3.settings.keyId,
      HOLDFAST_BACKUP_S3_SECRET: s3.settings.secret,
    }
    return { s3, place: { ...place, env } }
  }

  it('are listed, verified, tried and restored from there, also on a new machine that has only the root key', async () => {
    const { place } = await placeWithS3()
    await setUp(place)
    await json(place, ['backup'])
    const folder = join(place.dataDir, 'backups')
    const [name = ''] = readdirSync(folder)
    const listed = await holdfast(place, ['backup', 'list'])
    expect(listed.stdout).toMatch(/manual {2}(now|\d+ s ago) {2}also in S3/)
    const machine = { ...place, env: { ...place.env, HOLDFAST_DATA_DIR: join(dirname(place.dataDir), 'new') } }
    expect((await holdfast(machine, ['backup', 'verify', `s3:${name}`])).code).toBe(0)
    expect(await json(machine, ['backup', 'drill', 's3:latest'])).toMatchObject({ problems: [], file: 's3:latest' })
    await json(machine, ['restore', 's3:latest'])
    expect(await json(machine, ['status'])).toMatchObject({ users: 1 })
    const missing = await holdfast(machine, ['restore', 's3:other', '--force'])
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining(`There are: ${name}`)])
    // A backup that is moved away from the folder stays in S3.
    await json(place, ['backup', join(dirname(place.dataDir), 'away.backup')])
    const list = await holdfast(place, ['backup', 'list'])
    expect(list.stdout).toMatch(
      /In S3 \(s3:\/\/backups\/ours\/[0-9a-f-]{36}\/\): 1 of the above, and\n {2}0\.8 MB {2}manual/,
    )
  })

  it('say where the file is if the copy fails, and keep it', async () => {
    const { place, s3 } = await placeWithS3()
    await setUp(place)
    s3.fail = (_, response) => {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return true
    }
    const away = join(dirname(place.dataDir), 'away.backup')
    const { code, stderr } = await holdfast(place, ['backup', away])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/The backup is in .*\.backup, but the copy to S3 failed/)])
    const names = readdirSync(join(place.dataDir, 'backups'))
    expect(names.filter((name) => name.endsWith('.backup'))).toHaveLength(1)
    const fetched = await holdfast(place, ['restore', 's3:latest'])
    expect([fetched.code, fetched.stderr]).toEqual([5, expect.stringContaining('S3 denied access')])
    for (const name of names)
      expect(readFileSync(join(place.dataDir, 'backups', name)).includes(place.env.HOLDFAST_BACKUP_S3_SECRET)).toBe(
        false,
      )
  })

  it('need all settings', async () => {
    const { place } = await placeWithS3()
    const check = async (env: Record<string, string>) =>
      (await holdfast({ ...place, env: { ...place.env, ...env } }, ['status'])).stderr
    expect(await check({ HOLDFAST_BACKUP_S3_SECRET: '' })).toContain('HOLDFAST_BACKUP_S3_SECRET is missing')
    expect(await check({ HOLDFAST_BACKUP_S3: '' })).toContain(
      'HOLDFAST_BACKUP_S3_KEY_ID is set, but HOLDFAST_BACKUP_S3 is not',
    )
    expect(await check({ HOLDFAST_BACKUP_S3: 's3://key:secret@backups' })).toContain('must be s3://bucket')
    for (const prefix of ['..', '.', 'ours/../other', 'ours/./'])
      expect(await check({ HOLDFAST_BACKUP_S3: `s3://backups/${prefix}` })).toContain('no . or .. alone')
    expect(await check({ HOLDFAST_DATABASE_URL: 'postgres://localhost/x' })).toContain(
      'works only with the embedded store',
    )
    const none = await holdfast(await makePlace(), ['restore', 's3:latest'])
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('HOLDFAST_BACKUP_S3 is not set')])
  })
})
