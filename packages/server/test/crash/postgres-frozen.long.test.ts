import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddedServer } from '../embedded-postgres.ts'
import { agentOf, readAll, searchFor } from './agent.ts'
import { setUp, siteFor, startServer } from './server-process.ts'

const skipped = process.platform === 'linux' ? undefined : 'processes are looked up in /proc'

/** A database server with all its sessions, to pause and resume. */
async function startDatabase() {
  const { url, stop } = await startEmbeddedServer()
  const dir = new URL(url).searchParams.get('host') ?? ''
  const parent = Number(readFileSync(join(dir, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [parent, ...childrenOf(parent)]) process.kill(pid, name)
  }
  onTestFinished(async () => {
    signal('SIGCONT')
    await stop()
  })
  return { url, freeze: () => signal('SIGSTOP'), thaw: () => signal('SIGCONT') }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => parentOf(pid) === parent).map(Number)
}

function parentOf(pid: string): number {
  try {
    // The name is in brackets and may contain anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return 0
  }
}

describe.skipIf(skipped)(`a frozen PostgreSQL${skipped ? ` (skipped: ${skipped})` : ''}`, () => {
  it('results in 503 in bounded time, and is used again as soon as it resumes', { timeout: 180_000 }, async () => {
    const database = await startDatabase()
    const site = siteFor({ kind: 'postgres', url: database.url })
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    const agent = agentOf(server, agentKey)
    const { body } = await agent('write-memory', { content: 'written before the frost' })
    const memoryId = body['memoryId'] as string

    for (let frost = 0; frost < 2; frost++) {
      const flying = Array.from({ length: 30 }, (_, n) =>
        agent('write-memory', { content: `write ${n} in frost ${frost}` }),
      )
      database.freeze()
      const startedAt = performance.now()
      const late = [agent('search-memories', { query: 'frost' }), agent('read-memories', { memoryIds: [memoryId] })]
      for (const { status, headers } of await Promise.all([...flying, ...late])) {
        expect([200, 201, 503]).toContain(status)
        expect(headers.get('Retry-After')).toBe(status === 503 ? '5' : null)
      }
      expect((await Promise.all(late)).map(({ status }) => status)).toEqual([503, 503])
      expect(performance.now() - startedAt).toBeLessThan(30_000)
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)

      database.thaw()
      await sleep(500)
      expect((await readAll(agent, [memoryId])).memories).toMatchObject([{ content: 'written before the frost' }])
      expect((await searchFor(agent, 'frost')).length).toBeGreaterThan(0)
      const again = Array.from({ length: 30 }, (_, n) =>
        agent('write-memory', { content: `write ${n} after ${frost}` }),
      )
      expect((await Promise.all(again)).map(({ status }) => status)).toEqual(again.map(() => 201))
    }
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
