import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { measured, scaled } from '../promises/measured.ts'
import { beginWrite } from './open-request.ts'
import { setUp, siteFor, startServer, tempDir } from './server-process.ts'
import { stopUnderLoad } from './stop-rounds.ts'

it('SIGTERM waits a bounded time for a client that never finishes its request', async () => {
  const site = siteFor({ kind: 'sqlite', dir: tempDir() })
  const { agentKey } = await setUp(site)
  const server = await startServer(site)
  beginWrite(server, agentKey)
  await sleep(200)
  const startedAt = performance.now()
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(performance.now() - startedAt).toBeLessThan(12_000)
})

it(
  'SIGTERM loses none of 5,000 requests on 16 keep-alive connections, with and without a drain',
  { timeout: 600_000 },
  async () => {
    const site = siteFor({ kind: 'sqlite', dir: tempDir() })
    const account = await setUp(site)
    const target = scaled(5_000)
    const failures: string[] = []
    let [requests, stops, unexplained] = [0, 0, 0]
    for (; requests < target; stops++) {
      site.env = { HOLDFAST_DRAIN_SECONDS: String(stops % 2) }
      const stopped = await stopUnderLoad(site, account, Math.min(300, target))
      requests += stopped.sent
      unexplained += stopped.unexplained
      failures.push(...stopped.failures)
    }
    measured({ requests, stops, 'lost requests': failures.length + unexplained })
    expect([failures, unexplained]).toEqual([[], 0])
  },
)
