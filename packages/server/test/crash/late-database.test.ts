import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startEmbeddedServer } from '../embedded-postgres.ts'
import { runCommand, siteFor, spawnServer, startServer, tempDir } from './server-process.ts'

const postgres = inject('postgres')

describe.skipIf('missing' in postgres)('a PostgreSQL that starts after the server', () => {
  it('is waited for by the server, but not by other commands', async () => {
    const database = await startEmbeddedServer()
    onTestFinished(() => database.stop())
    const url = new URL(database.url)
    const [socketDir, lateDir] = [url.searchParams.get('host') ?? '', tempDir()]
    url.searchParams.set('host', lateDir)
    const site = siteFor({ kind: 'postgres', url: url.href })
    const { code, output } = await runCommand(site, ['status'])
    expect([code, output]).toEqual([5, expect.stringContaining('PostgreSQL cannot be reached')])

    const stopped = spawnServer(site)
    await expect.poll(() => stopped.output(), { timeout: 10_000 }).toContain('trying again')
    await sleep(100)
    expect(await stopped.kill('SIGTERM')).toEqual({ code: 5, signal: null })

    const starting = startServer(site)
    await sleep(3_000)
    symlinkSync(join(socketDir, '.s.PGSQL.5432'), join(lateDir, '.s.PGSQL.5432'))
    const server = await starting
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(server.output()).toContain('trying again for 60 s: PostgreSQL cannot be reached (ENOENT)')
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
