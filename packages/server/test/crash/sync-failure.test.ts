import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentOf, readAll, searchFor } from './agent.ts'
import { setUp, siteFor, startServer, tempDir, type Site } from './server-process.ts'

const skipped =
  process.platform !== 'linux'
    ? 'syncs are intercepted on Linux only'
    : spawnSync('gcc', ['--version']).error && 'there is no gcc'

interface WatchedDisk {
  site: Site
  countSyncs(): number
  breakDown(): void
  repair(): void
}

function makeWatchedDisk(): WatchedDisk {
  const dir = tempDir()
  const library = join(dir, 'failing-sync.so')
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'failing-sync.c')])
  const [count, fails] = [join(dir, 'count'), join(dir, 'fails')]
  const site = siteFor({ kind: 'sqlite', dir: tempDir() })
  site.env = { LD_PRELOAD: library, SYNC_COUNT: count, SYNC_FAILS: fails }
  return {
    site,
    countSyncs: () => statSync(count).size,
    breakDown: () => writeFileSync(fails, ''),
    repair: () => rmSync(fails),
  }
}

const diskRefused = /stopping at once: the disk refused to sync/

describe.skipIf(skipped)(`a disk${skipped ? ` (skipped: ${skipped})` : ''}`, { timeout: 60_000 }, () => {
  it('is synced before each acknowledgement', async () => {
    const disk = makeWatchedDisk()
    const { agentKey } = await setUp(disk.site)
    const agent = agentOf(await startServer(disk.site), agentKey)
    for (let number = 0; number < 20; number++) {
      const before = disk.countSyncs()
      expect((await agent('write-memory', { content: `number ${number}` })).status).toBe(201)
      expect(disk.countSyncs()).toBeGreaterThan(before)
    }
  })

  it('whose sync fails once ends the process, and the next start recovers everything acknowledged', async () => {
    const disk = makeWatchedDisk()
    const { agentKey } = await setUp(disk.site)
    const server = await startServer(disk.site)
    const agent = agentOf(server, agentKey)
    const ids: string[] = []
    for (let number = 0; number < 20; number++)
      ids.push((await agent('write-memory', { content: `kept ${number}` })).body['memoryId'] as string)

    disk.breakDown()
    const answers = await Promise.all(
      [1, 2, 3].map((n) => agent('write-memory', { content: `lost ${n}` }).catch(() => undefined)),
    )
    expect(answers.map((answer) => answer?.status ?? 503)).toEqual([503, 503, 503])
    expect(await server.exited).toEqual({ code: 1, signal: null })
    expect(server.output()).toMatch(diskRefused)

    disk.repair()
    const recovered = agentOf(await startServer(disk.site), agentKey)
    const { memories, notFound } = await readAll(recovered, ids)
    expect(notFound).toEqual([])
    expect(memories.map(({ content }) => content)).toEqual(ids.map((_, number) => `kept ${number}`))
    expect(await searchFor(recovered, 'kept')).toHaveLength(3)
    expect((await recovered('write-memory', { content: 'after the repair' })).status).toBe(201)
  })

  it('whose sync fails for a write without a request ends the process as well', async () => {
    const disk = makeWatchedDisk()
    const { agentKey } = await setUp(disk.site)
    const server = await startServer(disk.site)
    // The time of the key's last use is written at shutdown.
    expect(await searchFor(agentOf(server, agentKey), 'anything')).toEqual([])
    disk.breakDown()
    expect(await server.kill('SIGTERM')).toEqual({ code: 1, signal: null })
    expect(server.output()).toMatch(diskRefused)
  })
})
