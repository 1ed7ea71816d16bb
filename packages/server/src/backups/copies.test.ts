import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDashboardApp, type DashboardApp, type SetUp } from '../../test/dashboard-app.ts'
import { createLog } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { createBackups } from './create-backups.ts'
import { deleteObject, downloadObject, listObjects, readRemoteEnd } from './s3/objects.ts'
import { S3Problem } from './s3/client.ts'
import { abandonUpload, uploadFile } from './s3/upload.ts'
import { startS3 } from './testing/s3-server.ts'

const { signal } = new AbortController()
const megabyte = 1024 ** 2

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-copies-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function makeFile(bytes: number) {
  const file = join(makeFolder(), 'file')
  const content = randomBytes(bytes)
  writeFileSync(file, content)
  return { file, content, stateFile: `${file}.upload`, key: 'ours/one', signal, onProgress: () => {} }
}

describe('files in S3', () => {
  it('are uploaded whole or in parts, listed, read back and deleted', async () => {
    const s3 = await startS3()
    const to = join(makeFolder(), 'back')
    for (const [key, bytes] of [
      ['ours/small', 1_000],
      ['ours/large', 40 * megabyte],
    ] as const) {
      const made = makeFile(bytes)
      await uploadFile(s3.settings, { ...made, key })
      expect(await listObjects(s3.settings, 'ours/', signal)).toEqual([{ key, bytes }])
      await downloadObject(s3.settings, { key, bytes }, { to: `${to}-${bytes}`, signal, onProgress: () => {} })
      expect(readFileSync(`${to}-${bytes}`).equals(made.content)).toBe(true)
      await deleteObject(s3.settings, key, signal)
      expect(await listObjects(s3.settings, '', signal)).toEqual([])
    }
    expect(s3.seen.filter((one) => one.includes('partNumber'))).toHaveLength(3)
  })

  it('are not visible before they are complete, and a later upload continues', async () => {
    const s3 = await startS3()
    const made = makeFile(40 * megabyte)
    s3.fail = ({ url = '' }, response) => {
      if (!url.includes('partNumber=3')) return false
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return true
    }
    await expect(uploadFile(s3.settings, made)).rejects.toThrow('S3 denied access')
    expect(await listObjects(s3.settings, '', signal)).toEqual([])
    s3.fail = () => false
    s3.seen.length = 0
    await uploadFile(s3.settings, made)
    expect(s3.seen.map((one) => /partNumber=\d|^POST/.exec(one)?.[0])).toEqual(['partNumber=3', 'POST'])
    const to = join(makeFolder(), 'back')
    await downloadObject(s3.settings, { key: made.key, bytes: 40 * megabyte }, { ...made, to })
    expect(readFileSync(to).equals(made.content)).toBe(true)
  })

  it('are uploaded from the start if S3 has forgotten the parts, and parts can be given up', async () => {
    const s3 = await startS3()
    const made = makeFile(20 * megabyte)
    writeFileSync(made.stateFile, JSON.stringify({ uploadId: 'forgotten', partBytes: 16 * megabyte, etags: ['"a"'] }))
    s3.fail = ({ url = '' }, response) => {
      if (!url.includes('forgotten')) return false
      response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>')
      return true
    }
    await uploadFile(s3.settings, made)
    expect(await listObjects(s3.settings, '', signal)).toEqual([{ key: made.key, bytes: 20 * megabyte }])
    s3.fail = (request, response) => {
      if (request.method !== 'DELETE') return false
      response.writeHead(204).end()
      return true
    }
    expect(s3.seen.filter((one) => /^DELETE .*forgotten/.test(one))).toHaveLength(1)
    await abandonUpload(s3.settings, made.key, made.stateFile, signal)
    expect(s3.seen.at(-1)).toMatch(/^DELETE .*uploadId=[0-9a-f]{32}$/)
  })

  it('survive answers of 503 and broken connections', async () => {
    const s3 = await startS3()
    const made = makeFile(20 * megabyte)
    let requests = 0
    s3.fail = (_, response) => {
      requests++
      if (requests % 2 === 0) return false
      if (requests % 4 === 1) response.writeHead(503).end()
      else response.destroy()
      return true
    }
    await uploadFile(s3.settings, made)
    const to = join(makeFolder(), 'back')
    s3.fail = ({ headers }, response) => {
      if (headers.range !== `bytes=0-${20 * megabyte - 1}`) return false
      response.writeHead(206, { 'content-length': String(20 * megabyte) })
      response.write(made.content.subarray(0, 5 * megabyte), () => response.destroy())
      return true
    }
    await downloadObject(s3.settings, { key: made.key, bytes: 20 * megabyte }, { ...made, to })
    expect(readFileSync(to).equals(made.content)).toBe(true)
    expect(s3.seen.at(-1)).toMatch(/^GET/)
  })

  it('are given up if the answers stay too short, and never read beyond what was asked for', async () => {
    const s3 = await startS3()
    const bytes = 3 * megabyte
    const object = { key: 'ours/one', bytes }
    const to = join(makeFolder(), 'back')
    const download = (name: string) =>
      downloadObject(s3.settings, object, { to: to + name, signal, onProgress: () => {} })
    s3.fail = (_, response) => {
      response.writeHead(206).end()
      return true
    }
    await expect(download('short')).rejects.toThrow('too few bytes')
    expect(s3.seen).toHaveLength(5)
    // A server that ignores ranges, and never ends by itself.
    let isClosed = false
    s3.fail = (_, response) => {
      isClosed = false
      response.on('close', () => (isClosed = true))
      response.writeHead(200).write(Buffer.alloc(bytes + 10))
      return true
    }
    await download('whole')
    expect(statSync(`${to}whole`).size).toBe(bytes)
    await expect.poll(() => isClosed).toBe(true)
    await expect(readRemoteEnd(s3.settings, object, signal)).rejects.toMatchObject({ code: 'NoRange' })
    await expect.poll(() => isClosed).toBe(true)
  })

  it('are refused with the reason, which contains no secret', async () => {
    const s3 = await startS3()
    const secret = 'nobody-may-see-this'
    const problem = async (settings: object) => {
      const error: unknown = await listObjects({ ...s3.settings, ...settings }, '', signal).catch((one: unknown) => one)
      if (!(error instanceof S3Problem)) throw error
      expect(JSON.stringify(error) + error.stack).not.toContain(secret)
      return error.message
    }
    expect(await problem({ secret })).toContain('HOLDFAST_BACKUP_S3_SECRET is wrong')
    expect(await problem({ keyId: 'nobody', secret })).toContain('HOLDFAST_BACKUP_S3_KEY_ID')
    expect(await problem({ bucket: 'nowhere' })).toContain('the bucket doesn’t exist')
    s3.fail = (_, response) => {
      response.writeHead(301, { location: `http://127.0.0.1:1/?${secret}` }).end()
      return true
    }
    expect(await problem({})).toMatch(/sent a redirect: check HOLDFAST_BACKUP_S3_ENDPOINT/)
  })
})

describe('copies of backups', () => {
  async function start(settings: { everyHours: number; keep: number } = { everyHours: 0, keep: 7 }) {
    const s3 = await startS3()
    const folder = makeFolder()
    const config = { backups: { folder, s3: s3.settings, ...settings } }
    // Otherwise the job uploads by itself.
    const test = await startDashboardApp(undefined, config, { runsJobs: false })
    return { s3, folder, test, owner: await test.setUp() }
  }

  interface Listed {
    items: { id: string }[]
    lastFailure: { reason: string } | null
    copies: { url: string; problem: string | null; items: { id: string; url: string; kind: string | null }[] }
  }
  const listOf = async ({ send }: DashboardApp, { dashboardToken }: SetUp): Promise<Listed> =>
    (await send('GET', '/api/backups', { bearer: dashboardToken })).body['backups'] as unknown as Listed

  async function make(test: DashboardApp): Promise<void> {
    test.app.services.backups.start()
    await expect.poll(() => test.app.services.backups.running(), { timeout: 60_000 }).toBeUndefined()
  }

  /** Those of the same store and folder, with other settings. */
  function startBackups(
    { app: { services }, clock }: DashboardApp,
    s3: Awaited<ReturnType<typeof startS3>>,
    { copyTo = services.db.copyTo, ...settings }: { everyHours: number; keep: number; copyTo?: Database['copyTo'] },
  ) {
    const { db, instance, backups } = services
    return createBackups({
      db: Object.assign(Object.create(db) as Database, { copyTo }),
      instance,
      settings: { folder: backups.folder, s3: s3.settings, ...settings },
      log: createLog('silent', process.stderr),
      now: () => clock.now,
    })
  }

  it('are made after the backup, listed with it, and deleted with it', async () => {
    const { folder, test, owner, s3 } = await start()
    await make(test)
    const listed = await listOf(test, owner)
    const [{ id } = { id: '' }] = listed.items
    const name = readdirSync(folder).find((one) => one.endsWith('.backup'))
    const url = `s3://backups/ours/${test.app.services.instance.id}/`
    expect(listed).toMatchObject({
      lastFailure: null,
      copies: { url, problem: null, items: [{ id, url: `${url}${name}`, kind: 'manual' }] },
    })
    expect(readdirSync(folder)).toEqual([name])
    await test.send('DELETE', `/api/backups?id=${id}`, { bearer: owner.dashboardToken })
    expect(await listObjects(s3.settings, '', signal)).toEqual([])
    expect(await listOf(test, owner)).toMatchObject({ items: [], copies: { items: [] } })
  })

  it('are not deleted while they are made, because the upload would leave them in S3', async () => {
    const { test, owner, s3 } = await start()
    const { backups } = test.app.services
    s3.delay = 1_000
    const { id } = backups.start()
    await expect.poll(() => s3.seen.some((one) => one.startsWith('PUT')), { timeout: 60_000 }).toBe(true)
    const remove = () => test.send('DELETE', `/api/backups?id=${id}`, { bearer: owner.dashboardToken })
    expect((await remove()).status).toBe(409)
    await expect.poll(() => backups.running(), { timeout: 60_000 }).toBeUndefined()
    s3.delay = 0
    expect(await listObjects(s3.settings, '', signal)).toHaveLength(1)
    expect((await remove()).status).toBe(200)
    expect(await listObjects(s3.settings, '', signal)).toEqual([])
    expect((await listOf(test, owner)).items).toEqual([])
  })

  it('that fail are reported like a failed backup, and made once S3 answers again', async () => {
    const { folder, test, owner, s3 } = await start()
    s3.fail = (_, response) => {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return true
    }
    await make(test)
    const reason = 'the copy to S3 failed, and is retried: S3 denied access'
    const failed = await listOf(test, owner)
    expect(failed).toMatchObject({
      items: [{ problem: null }],
      lastFailure: { reason: expect.stringContaining(reason) },
      copies: { problem: expect.stringContaining('S3 denied access'), items: [] },
    })
    const check = async () =>
      (
        (await test.send('GET', '/api/system/check', { bearer: owner.dashboardToken })).body['checks'] as unknown as {
          check: string
          text: string
        }[]
      ).find((one) => one.check === 'backup')
    expect(await check()).toMatchObject({ status: 'failed', text: expect.stringContaining(reason) })
    s3.fail = () => false
    expect(await test.app.services.backups.makeDue(signal)).toBe(false)
    expect(await listOf(test, owner)).toMatchObject({
      lastFailure: null,
      copies: { items: [failed.items[0] && { id: failed.items[0].id }] },
    })
    expect(readdirSync(folder).filter((one) => one.endsWith('.upload'))).toEqual([])
    expect(await check()).toMatchObject({ status: 'ok' })
  })

  it('are not made again if they are there already, such as after a lost answer', async () => {
    const { test, s3, folder } = await start()
    await make(test)
    const name = readdirSync(folder).find((one) => one.endsWith('.backup'))
    const waiting = JSON.stringify({ uploadId: 'ended', partBytes: 16 * megabyte, etags: ['"a"'] })
    writeFileSync(join(folder, `${name}.upload`), waiting)
    s3.seen.length = 0
    await test.app.services.backups.makeDue(signal)
    expect(s3.seen.filter((one) => !one.startsWith('GET'))).toEqual([])
    expect(readdirSync(folder)).toEqual([name])
  })

  it('that succeed leave the failure of a later backup that could not be made', async () => {
    const { test, s3 } = await start()
    s3.fail = (_, response) => {
      response.writeHead(403).end()
      return true
    }
    await make(test)
    test.clock.now += 1_000
    const copyTo = () => Promise.reject(Object.assign(new Error(), { code: 'ENOSPC' }))
    const backups = startBackups(test, s3, { everyHours: 0, keep: 7, copyTo })
    backups.start()
    await expect.poll(() => backups.running()).toBeUndefined()
    const failure = { reason: 'the disk is full' }
    expect(await backups.lastFailure()).toMatchObject(failure)
    s3.fail = () => false
    await backups.makeDue(signal)
    expect(await listObjects(s3.settings, '', signal)).toHaveLength(1)
    expect(await backups.lastFailure()).toMatchObject(failure)
  })

  it('of automatic backups follow the same rule of how many are kept, and manual ones stay', async () => {
    const { test, owner, s3 } = await start({ everyHours: 24, keep: 2 })
    await make(test)
    const { backups } = test.app.services
    for (let day = 0; day <= 3; day++) {
      test.clock.now += 86_400_000
      expect(await backups.makeDue(signal)).toBe(true)
    }
    const { items, copies } = await listOf(test, owner)
    expect(copies.items.map(({ kind }) => kind)).toEqual(['automatic', 'automatic', 'manual'])
    expect(copies.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
    // Nothing is deleted while automatic backups are turned off.
    await startBackups(test, s3, { everyHours: 0, keep: 1 }).makeDue(signal)
    expect(await listObjects(s3.settings, '', signal)).toHaveLength(3)
    // While S3 is away, the local ones don't pile up.
    await s3.stop()
    for (let day = 0; day < 2; day++) {
      test.clock.now += 86_400_000
      await expect(backups.makeDue(AbortSignal.timeout(20_000))).rejects.toThrow(/doesn’t answer|aborted/)
    }
    expect((await listOf(test, owner)).items).toHaveLength(3)
  })

  it('are only made if the settings say so', async () => {
    const test = await startDashboardApp()
    const owner = await test.setUp()
    await make(test)
    const { folder } = test.app.services.backups
    expect(await listOf(test, owner)).toMatchObject({ copies: null })
    expect(readdirSync(folder).filter((one) => one.endsWith('.upload'))).toEqual([])
    expect(existsSync(folder)).toBe(true)
  })
})
