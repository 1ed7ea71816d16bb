import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { measured, scaled } from '../promises/measured.ts'
import { startReceiver } from '../webhook-receiver.ts'
import { agentOf, readAll, send, type Agent } from './agent.ts'
import { setUp, siteFor, startServer, tempDir, type RunningServer } from './server-process.ts'

/** A server and its clients share this machine, so figures are compared with those of a quiet server a moment before. */

async function start(env: Record<string, string> = {}) {
  const site = siteFor({ kind: 'sqlite', dir: tempDir() })
  site.env = { ...site.env, ...env }
  const account = await setUp(site)
  const server = await startServer(site)
  return { ...account, server, agent: agentOf(server, account.agentKey) }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Infinity

/** Below this, a difference is noise of a busy machine. */
const noiseMs = 20

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at++) times.push(await timeOf(work))
  return times
}

/** The best of several batches: other programs on the machine only make it slower. */
async function bestOf(batches: number, count: number, share: number, work: () => Promise<unknown>): Promise<number> {
  let best = Infinity
  for (let batch = 0; batch < batches; batch++) best = Math.min(best, percentile(await timesOf(count, work), share))
  return best
}

/** A client that sends a byte of its headers per second. */
async function openSlowly({ url }: RunningServer): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.resume()
  const bytes = 'GET /api/agent/info HTTP/1.1\r\nHost: localhost\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  socket.write(bytes.slice(0, 1))
  let sent = 1
  const timer = setInterval(() => {
    if (socket.writable) socket.write(bytes[sent++ % bytes.length] ?? 'a')
  }, 1_000)
  socket.on('close', () => clearInterval(timer))
  return socket
}

describe('slow clients', () => {
  it('are disconnected within 15 s, and do not slow others down', { timeout: 300_000 }, async () => {
    const count = scaled(1_000)
    const { server, agent } = await start({ HOLDFAST_MAX_CONNECTIONS_PER_CLIENT: '2000' })
    const ask = () => agent('list-vaults', {})
    await timesOf(50, ask)
    const quiet = await bestOf(4, 200, 0.99, ask)
    const began = performance.now()
    const sockets = await Promise.all(Array.from({ length: count }, () => openSlowly(server)))
    const openedMs = performance.now() - began
    const busy = await bestOf(4, 200, 0.99, ask)
    const countOpen = () => sockets.filter((socket) => !socket.closed).length
    // The events of all these connections take time as well.
    const giveUpAt = began + openedMs + 15_000 + 2_000
    while (countOpen() > 0 && performance.now() < giveUpAt) await sleep(100)
    const closedMs = performance.now() - began
    expect(countOpen()).toBe(0)
    expect(busy).toBeLessThan(2 * Math.max(quiet, noiseMs))
    measured({
      clients: count,
      'all closed after, in s': Math.round(closedMs / 1_000),
      'p99 before, in ms': Math.round(quiet),
      'p99 meanwhile, in ms': Math.round(busy),
    })
  })
})

interface Served {
  statuses: Map<number, number>
  written: string[]
  perSecond: number
  /** Refusals that don't say when to try again. */
  withoutWait: number
}

/** So many clients write as fast as they are served. */
async function loadWith(agent: Agent, clients: number, ms: number): Promise<Served> {
  const served: Served = { statuses: new Map(), written: [], perSecond: 0, withoutWait: 0 }
  const until = performance.now() + ms
  const writeUntilEnd = async (client: number) => {
    for (let number = 0; performance.now() < until; number++) {
      const { status, headers, body } = await agent('write-memory', { content: `Load ${client} ${number}` })
      served.statuses.set(status, (served.statuses.get(status) ?? 0) + 1)
      if (status === 201) served.written.push(String(body['memoryId']))
      else await sleep(200)
      if (status !== 201 && !(Number(headers.get('Retry-After')) > 0)) served.withoutWait++
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => writeUntilEnd(client)))
  served.perSecond = Math.round(served.written.length / (ms / 1_000))
  return served
}

describe('an overloaded server', () => {
  it(
    'refuses what it cannot serve, serves nearly as much as before, and loses nothing',
    { timeout: 600_000 },
    async () => {
      const { agent } = await start()
      const ms = Math.max(3_000, scaled(30_000))
      await loadWith(agent, 8, 1_000)
      const clients = 32
      const best = await loadWith(agent, clients, ms)
      const over = await loadWith(agent, 5 * clients, ms)
      const others = [...over.statuses.keys()].filter((status) => ![201, 429, 503].includes(status))
      expect([others, best.withoutWait, over.withoutWait]).toEqual([[], 0, 0])
      const { notFound } = await readAll(agent, [...best.written, ...over.written])
      expect(notFound).toEqual([])
      expect(over.perSecond).toBeGreaterThan(0.8 * best.perSecond)
      measured({
        'writes per second, at best': best.perSecond,
        'writes per second, with 5 times the clients': over.perSecond,
        refused: (over.statuses.get(429) ?? 0) + (over.statuses.get(503) ?? 0),
        lost: notFound.length,
      })
    },
  )
})

describe('a dead receiver', () => {
  it('delays deliveries to others by at most as much again', { timeout: 300_000 }, async () => {
    const { server, agent, dashboardToken } = await start({ HOLDFAST_WEBHOOK_ALLOW: '127.0.0.1' })
    const subscribe = (url: string) =>
      send(server, dashboardToken, '/api/webhooks', {
        method: 'POST',
        body: JSON.stringify({ url, events: ['message.created'] }),
      })
    const healthy = await startReceiver()
    expect((await subscribe(healthy.url)).status).toBe(201)
    const deliver = async () => {
      const before = healthy.received.length
      await agent('send-message', { targetId: 'user', content: 'x' })
      while (healthy.received.length === before) await sleep(1)
    }
    const count = scaled(100)
    await timesOf(20, deliver)
    const alone = await bestOf(3, count, 0.95, deliver)
    const dead = await startReceiver(() => {})
    expect((await subscribe(dead.url)).status).toBe(201)
    const beside = await bestOf(3, count, 0.95, deliver)
    expect(dead.received.length).toBeGreaterThan(0)
    expect(beside).toBeLessThan(2 * Math.max(alone, noiseMs))
    measured({
      deliveries: 3 * count,
      'p95 alone, in ms': Math.round(alone),
      'p95 next to it, in ms': Math.round(beside),
    })
  })
})
