import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { agentOf, readAll } from './agent.ts'
import { beginWrite } from './open-request.ts'
import { setUp, siteFor, startServer, tempDir } from './server-process.ts'

function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname)
    socket.once('connect', () => (socket.destroy(), resolve(false)))
    socket.once('error', () => resolve(true))
  })
}

describe('SIGTERM', () => {
  it('completes requests in flight, accepts no new connections and exits with 0 within seconds', async () => {
    const site = siteFor({ kind: 'sqlite', dir: tempDir() })
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    const flying = [1, 2, 3].map(() => beginWrite(server, agentKey))
    await sleep(200)
    const exited = server.kill('SIGTERM')
    while (!(await isRefused(server.url))) await sleep(10)
    for (const { finish } of flying) finish()
    expect(await Promise.all(flying.map(({ status }) => status))).toEqual([201, 201, 201])
    const answeredAt = performance.now()
    expect(await exited).toEqual({ code: 0, signal: null })
    expect(performance.now() - answeredAt).toBeLessThan(5_000)
  })

  it('ends the process at once the second time, and loses nothing acknowledged', async () => {
    const site = siteFor({ kind: 'sqlite', dir: tempDir() })
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    const { body } = await agentOf(server, agentKey)('write-memory', { content: 'acknowledged' })
    beginWrite(server, agentKey)
    await sleep(200)
    const exited = server.kill('SIGTERM')
    while (!(await isRefused(server.url))) await sleep(10)
    const startedAt = performance.now()
    await server.kill('SIGTERM')
    expect(await exited).toEqual({ code: 1, signal: null })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    const { memories } = await readAll(agentOf(await startServer(site), agentKey), [body['memoryId'] as string])
    expect(memories.map(({ content }) => content)).toEqual(['acknowledged'])
  })
})
