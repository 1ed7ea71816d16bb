import { Agent as HttpAgent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { agentOf, readAll } from './agent.ts'
import { beginWrite } from './open-request.ts'
import { setUp, siteFor, startServer, tempDir } from './server-process.ts'
import { stopUnderLoad } from './stop-rounds.ts'

function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname)
    socket.once('connect', () => (socket.destroy(), resolve(false)))
    socket.once('error', () => resolve(true))
  })
}

async function answerOf(url: string, agent: HttpAgent) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).once('error', reject)
  })
  for await (const _ of response);
  return { status: response.statusCode, connection: response.headers.connection }
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

  it('loses no request on 16 connections that are kept alive, with and without a drain', async () => {
    const site = siteFor({ kind: 'sqlite', dir: tempDir() })
    const account = await setUp(site)
    for (const drainSeconds of [0, 1]) {
      site.env = { HOLDFAST_DRAIN_SECONDS: String(drainSeconds) }
      const { sent, ...others } = await stopUnderLoad(site, account, 100)
      expect(others).toEqual({ answered: sent, failures: [], unexplained: 0 })
    }
  })

  it('makes /readyz answer 503 at once, while everything else works until the drain ends', async () => {
    const site = siteFor({ kind: 'sqlite', dir: tempDir() })
    site.env = { HOLDFAST_DRAIN_SECONDS: '2' }
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    const former = new HttpAgent({ keepAlive: true })
    const later = new HttpAgent({ keepAlive: true })
    expect(await answerOf(`${server.url}/readyz`, former)).toEqual({ status: 200, connection: 'keep-alive' })
    const flying = beginWrite(server, agentKey)
    const exited = server.kill('SIGTERM')
    while ((await answerOf(`${server.url}/readyz`, later)).status === 200) await sleep(10)
    // Only connections from before the signal are to be replaced.
    expect(await answerOf(`${server.url}/healthz`, former)).toEqual({ status: 200, connection: 'close' })
    expect(await answerOf(`${server.url}/healthz`, later)).toEqual({ status: 200, connection: 'keep-alive' })
    expect((await agentOf(server, agentKey)('write-memory', { content: 'while it drains' })).status).toBe(201)
    flying.finish()
    expect(await flying.status).toBe(201)
    expect(await exited).toEqual({ code: 0, signal: null })
    for (const agent of [former, later]) agent.destroy()
  })

  it('is the same stop if it arrives twice within a second, as terminals and service managers send it', async () => {
    const site = siteFor({ kind: 'sqlite', dir: tempDir() })
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    const flying = beginWrite(server, agentKey)
    await sleep(200)
    const exited = server.kill('SIGINT')
    void server.kill('SIGTERM')
    while (!(await isRefused(server.url))) await sleep(10)
    flying.finish()
    expect([await flying.status, await exited]).toEqual([201, { code: 0, signal: null }])
  })

  it('ends the process at once the second time, and loses nothing acknowledged', async () => {
    const site = siteFor({ kind: 'sqlite', dir: tempDir() })
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    const { body } = await agentOf(server, agentKey)('write-memory', { content: 'acknowledged' })
    beginWrite(server, agentKey)
    await sleep(200)
    const exited = server.kill('SIGTERM')
    // Sooner, it would be the same signal.
    await sleep(1_200)
    const startedAt = performance.now()
    await server.kill('SIGTERM')
    expect(await exited).toEqual({ code: 1, signal: null })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    const { memories } = await readAll(agentOf(await startServer(site), agentKey), [body['memoryId'] as string])
    expect(memories.map(({ content }) => content)).toEqual(['acknowledged'])
  })
})
