import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { beginWrite } from './open-request.ts'
import { setUp, siteFor, startServer, tempDir } from './server-process.ts'

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
