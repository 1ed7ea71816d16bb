import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentOf, send } from './agent.ts'
import { runCommand, setUp, siteFor, startServer, tempDir, type RunningServer, type Site } from './server-process.ts'
import { checkPromises, checkRows, writeWithClients, type Storm } from './write-storm.ts'

interface Listed {
  items: { id: string; file: string; problem: string | null }[]
  running: { id: string } | null
  lastFailure: { reason: string } | null
}

const listOf = async (server: RunningServer, token: string): Promise<Listed> =>
  (await send(server, token, '/api/backups', { method: 'GET' })).body['backups'] as Listed

const begin = (server: RunningServer, token: string) =>
  send(server, token, '/api/backups', { method: 'POST', body: '{}' })

/** Waits until no backup is in progress. */
async function waitForEnd(server: RunningServer, token: string): Promise<Listed> {
  for (;;) {
    const listed = await listOf(server, token)
    if (listed.running === null) return listed
    await sleep(50)
  }
}

const freshSite = (): Site => siteFor({ kind: 'sqlite', dir: tempDir() })

describe('backups', { timeout: 300_000 }, () => {
  it('that are created while many clients write contain every write acknowledged before, and no partial one', async () => {
    const site = freshSite()
    const { agentKey, dashboardToken, vaultId } = await setUp(site)
    const server = await startServer(site)
    const storm: Storm = []
    const writing = writeWithClients(storm, agentOf(server, agentKey), 8)
    const promisedSoFar = () => storm.filter((write) => write.memoryId !== undefined)
    await expect.poll(() => promisedSoFar().length, { timeout: 60_000 }).toBeGreaterThan(200)
    const promised = promisedSoFar().map((write) => ({ ...write }))
    await begin(server, dashboardToken)
    const { items, lastFailure } = await waitForEnd(server, dashboardToken)
    await server.kill('SIGKILL')
    await writing
    expect([items.length, lastFailure]).toEqual([1, null])

    const restored: Site = siteFor({ kind: 'sqlite', dir: join(tempDir(), 'new') }, { keyDir: site.keyDir })
    const { code, output } = await runCommand(restored, ['restore', items[0]?.file ?? ''])
    expect([code, output]).toEqual([0, expect.stringContaining('Start the server')])
    await checkRows(restored.store, vaultId)
    const revived = await startServer(restored)
    await checkPromises(promised, agentOf(revived, agentKey), promised.length - 20)
  })

  it('that a kill interrupts are never listed, and the next one cleans up after them', async () => {
    const site = freshSite()
    const { agentKey, dashboardToken } = await setUp(site)
    let server = await startServer(site)
    const content = 'Words that make the store longer to copy. '.repeat(200)
    for (let number = 0; number < 60; number++)
      await agentOf(server, agentKey)('write-memory', { content: `${number} ${content}` })
    for (let round = 0; round < 3; round++) {
      await begin(server, dashboardToken)
      await sleep(randomInt(0, 120))
      await server.kill('SIGKILL')
      server = await startServer(site)
      for (const { id } of (await listOf(server, dashboardToken)).items) {
        const verified = { method: 'POST', body: JSON.stringify({ id }) }
        const { body } = await send(server, dashboardToken, '/api/backups/verify', verified)
        expect(body['backup']).toMatchObject({ problem: null })
      }
    }
    await begin(server, dashboardToken)
    const { items } = await waitForEnd(server, dashboardToken)
    const names = readdirSync(join(site.dataDir, 'backups')).filter((name) => !name.endsWith('.checked'))
    expect(new Set(names)).toEqual(new Set(items.map(({ file }) => basename(file))))
  })

  const mayMount = process.platform === 'linux' && process.getuid?.() === 0
  it.skipIf(!mayMount)(
    'that do not fit on their disk fail with a clear error, and leave nothing behind but the reason',
    async (test) => {
      const folder = tempDir()
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' })
      } catch (error) {
        test.skip(String(error))
      }
      onTestFinished(() => void execFileSync('umount', ['-l', folder]))
      const site = freshSite()
      site.env = { ...site.env, HOLDFAST_BACKUP_DIR: folder }
      const { agentKey, dashboardToken } = await setUp(site)
      const server = await startServer(site)
      await begin(server, dashboardToken)
      expect((await waitForEnd(server, dashboardToken)).lastFailure?.reason).toMatch(/^Not enough disk space in/)
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.failed$/)])
      const { code, output } = await runCommand(site, ['backup'])
      expect([code, output]).toEqual([1, expect.stringContaining('Not enough disk space in')])
      expect((await agentOf(server, agentKey)('write-memory', { content: 'It goes on.' })).status).toBe(201)
    },
  )
})
