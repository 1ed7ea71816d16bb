import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ownerPassword, startDashboardApp, textOf, type DashboardApp, type SetUp } from '../../test/dashboard-app.ts'
import { eachDialect, onPostgres } from '../../test/dialects.ts'
import { createBackups } from './create-backups.ts'
import { keepMoved, readMoved } from './backup-folder.ts'

interface Item {
  id: string
  file: string
  bytes: number
  checkedAt: string
  problem: string | null
  kind: string | null
}
interface Listed {
  folder: string
  items: Item[]
  running: object | null
  lastFailure: { reason: string } | null
}

const listOf = async ({ send }: DashboardApp, { dashboardToken }: SetUp): Promise<Listed> =>
  (await send('GET', '/api/backups', { bearer: dashboardToken })).body['backups'] as unknown as Listed

/** Creates a backup and waits until it is done. */
async function make(test: DashboardApp, owner: SetUp): Promise<Listed> {
  const { status } = await test.send('POST', '/api/backups', { bearer: owner.dashboardToken, body: {} })
  expect(status).toBe(201)
  await expect.poll(async () => (await listOf(test, owner)).running, { timeout: 20_000 }).toBeNull()
  return listOf(test, owner)
}

// Windows has no such file modes.
const ownerOnly = process.platform === 'win32' ? 0o666 : 0o600

describe('backups of the embedded store', () => {
  const start = async () => {
    const test = await startDashboardApp()
    return { test, owner: await test.setUp() }
  }
  const verify = ({ send }: DashboardApp, { dashboardToken }: SetUp, id: string) =>
    send('POST', '/api/backups/verify', { bearer: dashboardToken, body: { id } })

  it.skipIf(process.platform === 'win32')(
    'that were moved to a mount that never answers count as missing',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'holdfast-moved-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const pipe = join(folder, 'pipe')
      execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
      await keepMoved(folder, 'one', pipe)
      const reads = [1, 2, 3].map(() => readMoved(folder, 'one', 10))
      expect(await Promise.all(reads)).toEqual([undefined, undefined, undefined])
      // One reader is all that waits: the first to write lets it go.
      // Not at once: that would block this thread, and the reader may not have opened the pipe yet.
      // It closes the pipe as soon as it sees the size, maybe before the text is written.
      const written = appendFile(pipe, 'not a backup').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error
      })
      const [read] = await Promise.all([readMoved(folder, 'one', 10_000), written])
      expect(read).toBeUndefined()
    },
  )

  it('are created while the server runs, are in its folder for its user only, and are listed with all details', async () => {
    const { test, owner } = await start()
    expect(await listOf(test, owner)).toMatchObject({ items: [], running: null, lastFailure: null, nextAt: null })
    const { items, folder } = await make(test, owner)
    expect(items).toMatchObject([{ kind: 'manual', problem: null, checkedAt: '2026-11-21T09:00:00.000Z' }])
    const [{ file, bytes } = { file: '', bytes: 0 }] = items
    expect(readdirSync(folder)).toEqual([file.slice(folder.length + 1)])
    expect([statSync(file).size, statSync(file).mode & 0o777]).toEqual([bytes, ownerOnly])
    test.clock.now += 3_600_000
    const { body } = await verify(test, owner, textOf((items[0] as unknown as { id: string }).id))
    expect(body['backup']).toMatchObject({ problem: null, checkedAt: '2026-11-21T10:00:00.000Z' })
  })

  it('name the file of the key that opens them, if it was replaced since', async () => {
    const { test, owner } = await start()
    const { items } = await make(test, owner)
    const rotated = await test.send('POST', '/api/system/encryption-keys/rotate', {
      bearer: owner.dashboardToken,
      body: { password: ownerPassword },
    })
    const { body } = await verify(test, owner, items[0]?.id ?? '')
    const { problem } = body['backup'] as unknown as Item
    expect(problem).toContain(`HOLDFAST_ROOT_KEY_FILE=${textOf(rotated.body['formerKeyFile'])}`)
  })

  it('contain no root key, and no more plain text than the database', async () => {
    const { test, owner } = await start()
    const { items } = await make(test, owner)
    const bytes = readFileSync(items[0]?.file ?? '')
    const key = Buffer.from(readFileSync(test.app.services.instance.rootKeyOrigin, 'utf8'), 'base64')
    expect([bytes.includes(key), bytes.includes(key.toString('base64')), bytes.includes(key.toString('hex'))]).toEqual([
      false,
      false,
      false,
    ])
    const manifest = bytes.subarray(bytes.lastIndexOf('{"format"')).toString()
    expect(Object.keys(JSON.parse(manifest.split('\n')[0] ?? '') as object).toSorted()).toEqual(
      ['createdAt', 'databaseBytes', 'format', 'id', 'instanceId', 'kind', 'rows', 'schema', 'version'].toSorted(),
    )
  })

  it('are detected as damaged, and stay marked as such, whatever was changed in them', async () => {
    const { test, owner } = await start()
    const { items } = await make(test, owner)
    const [{ id, file } = { id: '', file: '' }] = items
    const whole = readFileSync(file)
    const problems: unknown[] = []
    for (const damage of [
      () => writeFileSync(file, Buffer.concat([whole.subarray(0, 5000), Buffer.from('x'), whole.subarray(5001)])),
      () => writeFileSync(file, whole.toString('latin1').replace('"kind":"manual"', '"kind":"MANUAL"'), 'latin1'),
      () => writeFileSync(file, whole.toString('latin1').replace('"createdAt":"2026', '"createdAt":"2025'), 'latin1'),
      () => truncateSync(file, whole.length - 4096),
      () => writeFileSync(file, ''),
    ]) {
      writeFileSync(file, whole)
      damage()
      const { status, body } = await verify(test, owner, id)
      expect(status).toBe(200)
      problems.push((body['backup'] as unknown as Item).problem)
      expect((await listOf(test, owner)).items[0]?.problem).toEqual(problems.at(-1))
    }
    expect(problems).toEqual([
      expect.stringContaining('SHA-256'),
      expect.stringContaining('manifest'),
      expect.stringContaining('SHA-256'),
      expect.stringContaining('its end is missing'),
      expect.stringContaining('its end is missing'),
    ])
    const { body } = await test.send('GET', '/api/system/check', { bearer: owner.dashboardToken })
    expect(body['checks']).toContainEqual(expect.objectContaining({ check: 'backup', status: 'failed' }))
    writeFileSync(file, whole)
    expect((await verify(test, owner, id)).body['backup']).toMatchObject({ problem: null })
  })

  it('are deleted only by id, which cannot be a path', async () => {
    const { test, owner } = await start()
    const { items, folder } = await make(test, owner)
    const remove = (id: string) =>
      test.send('DELETE', `/api/backups?id=${encodeURIComponent(id)}`, { bearer: owner.dashboardToken })
    for (const id of ['../holdfast.db', '', '/etc/passwd', `${items[0]?.id}/..`])
      expect((await remove(id)).status).toBe(400)
    expect((await remove('0198c5f0-0000-7000-8000-000000000001')).status).toBe(404)
    await verify(test, owner, items[0]?.id ?? '')
    expect((await remove((items[0]?.id ?? '').toUpperCase())).status).toBe(200)
    expect([readdirSync(folder), (await remove(items[0]?.id ?? '')).status]).toEqual([[], 404])
  })

  it('are created one at a time: another request returns the one in progress', async () => {
    const { test, owner } = await start()
    const ask = () => test.send('POST', '/api/backups', { bearer: owner.dashboardToken, body: {} })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(new Set(answers.map(({ body }) => (body['running'] as unknown as Item).id)).size).toBe(1)
    await expect.poll(async () => (await listOf(test, owner)).items.length, { timeout: 20_000 }).toBe(1)
  })

  it('report why one failed, and leave nothing of it behind', async () => {
    const { test, owner } = await start()
    const { folder } = await listOf(test, owner)
    writeFileSync(folder, 'a file where the folder should be')
    await test.send('POST', '/api/backups', { bearer: owner.dashboardToken, body: {} })
    const { lastFailure } = test.app.services.backups
    await expect
      .poll(async () => (await lastFailure())?.reason, { timeout: 20_000 })
      .toMatch(/cannot be written \(E\w+\)$/)
    expect((await test.send('GET', '/api/backups', { bearer: owner.dashboardToken })).status).toBe(503)
  })

  describe('that fail', () => {
    const interrupted = 'Holdfast stopped before it was finished'

    async function startProcesses() {
      const { test, owner } = await start()
      const { backups, db, instance, log } = test.app.services
      const settings = { folder: backups.folder, everyHours: 0, keep: 7, s3: undefined }
      return {
        test,
        owner,
        marks: () => readdirSync(settings.folder).filter((name) => name.endsWith('.failed')),
        /** The backups of an earlier or later process of this server, in which copying may end in another way. */
        inProcess: (copyTo = db.copyTo) =>
          createBackups({
            db: { ...db, ...(copyTo && { copyTo }) },
            instance,
            settings,
            log,
            now: () => test.clock.now,
          }),
      }
    }

    it('are known after a restart, with the reason, until one succeeds', async () => {
      const { test, inProcess, marks } = await startProcesses()
      const full = inProcess(() => Promise.reject(Object.assign(new Error(), { code: 'ENOSPC' })))
      full.start()
      await expect.poll(() => full.running()).toBeUndefined()
      expect(await inProcess().lastFailure()).toEqual({ at: test.clock.now, reason: 'the disk is full' })
      const stopped = inProcess()
      stopped.start()
      await stopped.stop()
      const next = inProcess()
      expect(await next.lastFailure()).toEqual({ at: test.clock.now, reason: interrupted })
      next.start()
      await expect.poll(() => next.running(), { timeout: 20_000 }).toBeUndefined()
      expect([await next.lastFailure(), await inProcess().lastFailure(), marks()]).toEqual([undefined, undefined, []])
    })

    it('because the process was killed are listed and found by the system check', async () => {
      const { test, owner, inProcess, marks } = await startProcesses()
      // A killed process never hears that its copy ended.
      inProcess(() => new Promise(() => undefined)).start()
      await expect.poll(marks).toHaveLength(1)
      expect((await listOf(test, owner)).lastFailure).toEqual({ at: '2026-11-21T09:00:00.000Z', reason: interrupted })
      const check = async () => (await test.send('GET', '/api/system/check', { bearer: owner.dashboardToken })).body
      const failed = { check: 'backup', status: 'failed', text: `The latest backup failed: ${interrupted}.` }
      expect((await check())['checks']).toContainEqual(expect.objectContaining(failed))
      expect((await make(test, owner)).lastFailure).toBeNull()
      expect((await check())['checks']).toContainEqual(expect.objectContaining({ check: 'backup', status: 'ok' }))
      expect(marks()).toEqual([])
    })
  })

  it('remove what a crash left unfinished, and never list it', async () => {
    const { test, owner } = await start()
    const { folder, items } = await make(test, owner)
    const ofInstance = (id: string) =>
      join(folder, `holdfast-20261121T080000Z-0198c5f0-0000-7000-8000-000000000001.backup.${id}.partial`)
    const left = ofInstance(test.app.services.instance.id)
    // Another server may be creating one in the same folder.
    const others = ofInstance('0198c5f0-0000-7000-8000-00000000abcd')
    writeFileSync(others, 'half')
    writeFileSync(left, 'half')
    writeFileSync(`${left}-journal`, 'half')
    expect((await listOf(test, owner)).items).toEqual(items)
    await make(test, owner)
    expect([left, `${left}-journal`, others].map((file) => existsSync(file))).toEqual([false, false, true])
    expect((await listOf(test, owner)).items).toHaveLength(2)
  })

  it('record who created, viewed and deleted them', async () => {
    const { test, owner } = await start()
    const { items } = await make(test, owner)
    const id = items[0]?.id ?? ''
    await verify(test, owner, id)
    await test.send('DELETE', `/api/backups?id=${id}`, { bearer: owner.dashboardToken })
    await test.app.services.activity.flush()
    const { body } = await test.send('GET', '/api/activity?class=settings', { bearer: owner.dashboardToken })
    const rows = body['activity'] as unknown as { operation: string }[]
    expect(rows.map(({ operation }) => operation).toSorted()).toEqual([
      'create-backup',
      'delete-backup',
      'verify-backup',
    ])
  })

  it('are created when they are due, and the oldest automatic ones are deleted', async () => {
    const { test, owner } = await startEvery({ everyHours: 24, keep: 2 })
    const { backups } = test.app.services
    const signal = new AbortController().signal
    expect(await backups.makeDue(signal)).toBe(true)
    expect(await backups.makeDue(signal)).toBe(false)
    const { id: kept } = backups.start()
    await expect.poll(() => backups.running(), { timeout: 20_000 }).toBeUndefined()
    for (let day = 1; day <= 3; day++) {
      test.clock.now += 86_400_000
      expect(await backups.makeDue(signal)).toBe(true)
    }
    const items = (await listOf(test, owner)).items
    expect(items.map(({ kind }) => kind)).toEqual(['automatic', 'automatic', 'manual'])
    expect(items.at(-1)?.id).toBe(kept)
    expect(await listOf(test, owner)).toMatchObject({ everyHours: 24, keep: 2, nextAt: '2026-11-25T09:00:00.000Z' })
  })

  async function startEvery(settings: { everyHours: number; keep: number }) {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-backups-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    // Otherwise the job creates one by itself.
    const test = await startDashboardApp(
      undefined,
      { backups: { folder, s3: undefined, ...settings } },
      { runsJobs: false },
    )
    return { test, owner: await test.setUp() }
  }
})

eachDialect('backups', (dialect) => {
  it('are only available to the owner', async () => {
    const test = await startDashboardApp(dialect)
    await test.setUp()
    const account = { email: 'grace@example.org', password: 'another long and private sentence' }
    const bearer = textOf((await test.operator('POST', '/api/operator/users', account)).body['dashboardToken'])
    const id = '0198c5f0-0000-7000-8000-000000000001'
    expect((await test.send('GET', '/api/backups', { bearer })).body).toEqual({ backups: null })
    expect((await test.send('POST', '/api/backups', { bearer, body: {} })).status).toBe(403)
    expect((await test.send('POST', '/api/backups/verify', { bearer, body: { id } })).status).toBe(403)
    expect((await test.send('DELETE', `/api/backups?id=${id}`, { bearer })).status).toBe(403)
  })
})

onPostgres('backups', (dialect) => {
  it('are left to the tools of PostgreSQL, which the error names', async () => {
    const test = await startDashboardApp(dialect)
    const owner = await test.setUp()
    const { body } = await test.send('GET', '/api/backups', { bearer: owner.dashboardToken })
    expect(body['backups']).toMatchObject({ command: expect.stringMatching(/^pg_dump /) as string, items: [] })
    const refused = await test.send('POST', '/api/backups', { bearer: owner.dashboardToken, body: {} })
    expect([refused.status, textOf(refused.body['error'])]).toEqual([400, expect.stringContaining('pg_dump')])
  })
})
