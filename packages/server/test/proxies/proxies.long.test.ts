import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { measured, percent } from '../promises/measured.ts'
import { apache, findProgram, haproxy, idHeader, nginx, startProxy, type Proxy } from './proxies.ts'
import { rawRequests, type RawRequest } from './raw-requests.ts'
import { startRelay, type Connection } from './relay.ts'

/**
 * Each request that a proxy passes on has an id of the proxy. If both agree where requests end, then the requests that the server has read
 * on a connection are the ones that the proxy has sent there, in the same order, and nothing else.
 */

interface Read {
  url: string
  ids: string[]
}

/** What the server's parser has read, request by request. */
function watchRequests(server: Server, connections: readonly Connection[]): (connection: Connection) => Read[] {
  const read = new Map<Connection, Read[]>()
  const note = (message: unknown) => {
    const { request, server: of } = message as { request: IncomingMessage; server: Server }
    // The last one, because the system gives the port of a closed connection to a new one.
    const connection = connections.findLast(({ port }) => port === request.socket.remotePort)
    if (of !== server || connection === undefined) return
    const ids = request.rawHeaders.filter((_, at, all) => all[at - 1]?.toLowerCase() === idHeader.toLowerCase())
    read.set(connection, [...(read.get(connection) ?? []), { url: request.url ?? '', ids }])
  }
  subscribe('http.server.request.start', note)
  onTestFinished(() => void unsubscribe('http.server.request.start', note))
  return (connection) => read.get(connection) ?? []
}

const sentIds = ({ sent }: Connection): string[] =>
  Array.from(sent.matchAll(new RegExp(`\\n${idHeader}: ([^\\r\\n]+)`, 'gi')), ([, id = '']) => id)

/** The disagreements on a connection. The server may refuse a request, but only as the last one of the connection. */
function compare(connection: Connection, read: readonly Read[]): string[] {
  const strange = read
    .filter(({ ids }) => ids.length !== 1)
    .map(({ url, ids }) => `a request with ${ids.length} ids: ${url}`)
  const [theirs, ours] = [sentIds(connection), read.flatMap(({ ids }) => ids)]
  const isStart = ours.every((id, at) => id === theirs[at])
  const isWhole = ours.length === theirs.length || !connection.isOpen
  return [
    ...strange,
    ...(isStart ? [] : ['other requests than sent']),
    ...(isWhole ? [] : ['a request that the server waits for']),
  ]
}

/** Bytes may be on their way, and connections about to close. What remains after some seconds is a disagreement. */
async function settle(findProblems: () => string[]): Promise<string[]> {
  const giveUpAt = performance.now() + 5_000
  for (;;) {
    const found = findProblems()
    if (found.length === 0 || performance.now() > giveUpAt) return found
    await sleep(20)
  }
}

/** Sends the bytes on a connection of their own, and reads until nothing more comes. */
async function attack(port: number, { parts }: RawRequest): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let lastAt = performance.now()
  socket.on('data', () => (lastAt = performance.now()))
  for (const part of parts) {
    if (socket.closed) break
    socket.write(part, 'latin1')
    await sleep(2)
  }
  // Long enough for an answer; a proxy that waits for more gets nothing.
  lastAt = performance.now()
  while (!socket.closed && performance.now() - lastAt < 40) await sleep(5)
  socket.destroy()
  if (!socket.closed) await once(socket, 'close')
}

/** A request of somebody else. A proxy may find that the server has closed a connection, and then says so (502, 503). */
async function readThrough(port: number, key: string, memoryId: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/agent/read-memories`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, Connection: 'close' },
      body: JSON.stringify({ memoryIds: [memoryId] }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    if (response.status !== 502 && response.status !== 503) return `${response.status} ${text}`
    if (attempt === 3) return `${response.status}`
  }
}

async function makeMemories(test: TestApp, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < 10; at++) {
    const { body } = await test.call('write-memory', { content: `memory ${at}` }, { key })
    ids.push(String(body['memoryId']))
  }
  return ids
}

async function findDisagreements(proxy: Proxy, { skip }: TestContext): Promise<string[]> {
  skip(findProgram(proxy) === undefined, `${proxy.program} is not installed (Debian: ${proxy.debian})`)
  const test = await startTestApp()
  const { key } = await makeUserWithAgent(test)
  const memoryIds = await makeMemories(test, key)
  const relay = await startRelay(Number(new URL(await test.app.listen()).port))
  const readOn = watchRequests(test.app.server.server, relay.connections)
  const port = await startProxy(proxy, relay.port)
  await readThrough(port, key, memoryIds[0] ?? '')
  if (relay.connections.flatMap(sentIds).length === 0)
    throw new Error('another program answers on the port of the proxy')
  const all = rawRequests({
    authorization: `Authorization: Bearer ${key}`,
    body: JSON.stringify({ memoryIds: memoryIds.slice(0, 1) }),
  })
  const requests = all.filter((_, at) => at % Math.ceil(100 / percent) === 0)
  const problems: string[] = []
  for (const [at, request] of requests.entries()) {
    await attack(port, request)
    const memoryId = memoryIds[at % memoryIds.length] ?? ''
    const answer = await readThrough(port, key, memoryId).catch((error: unknown) => String(error))
    if (!answer.startsWith('200 ') || !answer.includes(memoryId))
      problems.push(`${request.name}: the next request got ${answer}`)
    const found = await settle(() => relay.connections.flatMap((one) => compare(one, readOn(one))))
    problems.push(...found.map((problem) => `${request.name}: ${problem}`))
    if (problems.length > 0) break
  }
  // Otherwise no request could have been mixed up with the one before it.
  if (relay.connections.every((connection) => sentIds(connection).length < 2)) problems.push('no connection was shared')
  const passedOn = relay.connections.reduce((sum, connection) => sum + sentIds(connection).length, 0)
  measured({
    'raw requests': requests.length,
    'requests that the proxy passed on': passedOn,
    'connections to the server': relay.connections.length,
    disagreements: problems.length,
  })
  return problems
}

const timeout = 900_000

describe('where each request ends,', () => {
  it('nginx and the server agree', { timeout }, async (context) => {
    expect(await findDisagreements(nginx, context)).toEqual([])
  })
  it('HAProxy and the server agree', { timeout }, async (context) => {
    expect(await findDisagreements(haproxy, context)).toEqual([])
  })
  it('Apache and the server agree', { timeout }, async (context) => {
    expect(await findDisagreements(apache, context)).toEqual([])
  })
})

it('there are at least 500 raw requests, each once', () => {
  const all = rawRequests({ authorization: 'Authorization: Bearer x', body: '{}' })
  expect(new Set(all.map(({ parts }) => parts.join('\0'))).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(500)
})
