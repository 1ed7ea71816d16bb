// Rounds of: start, send messages and write memories, kill -9 at a chosen point of a delivery, start again. In the end, the event of
// every message and memory in the database must have arrived. The points are chosen from outside, by what the receiver sees.

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { FreshStore } from '../dialects.ts'
import { agentOf, send, type Agent } from './agent.ts'
import { change, query } from './raw-store.ts'
import { setUp, siteFor, startServer, type RunningServer, type Site } from './server-process.ts'

const points = ['before the commit', 'before the lease', 'before the send', 'before the record', 'after the record']

/** Leases expire by themselves after a minute; the last server also needs its next check. */
const leaseMs = 60_000
const arrivalTimeoutMs = 30_000

interface Receiver {
  url: string
  /** The `webhook-id` of each request, by the message or memory. */
  arrived: Map<string, string[]>
  /** What to do with a connection and a request. The request counts as arrived before. */
  onConnection: () => void
  onRequest: (response: ServerResponse) => void
}

const take = (response: ServerResponse) => void response.writeHead(204).end()

async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', arrived: new Map(), onConnection: () => {}, onRequest: take }
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const event = JSON.parse(Buffer.concat(chunks).toString()) as { messageId?: string; memoryId?: string }
      const id = event.messageId ?? event.memoryId ?? ''
      const ids = receiver.arrived.get(id) ?? []
      receiver.arrived.set(id, [...ids, String(request.headers['webhook-id'])])
      receiver.onRequest(response)
    })
  })
  server.on('connection', () => receiver.onConnection())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return receiver
}

export interface WebhookOutcome {
  records: number
  repeated: number
}

export async function killDeliveries(
  store: FreshStore,
  roundsEach: number,
  { waitsForLeases }: { waitsForLeases: boolean },
): Promise<WebhookOutcome> {
  const known = siteFor(store)
  const site: Site = { ...known, env: { ...known.env, HOLDFAST_WEBHOOK_ALLOW: '127.0.0.1' } }
  const { agentKey, dashboardToken } = await setUp(site)
  const receiver = await startReceiver()
  let server = await startServer(site)
  const body = JSON.stringify({ url: receiver.url, events: ['message.created', 'memory.created'] })
  expect((await send(server, dashboardToken, '/api/webhooks', { method: 'POST', body })).status).toBe(201)
  for (let round = 0; round < roundsEach * points.length; round++) {
    await killAt(points[round % points.length] ?? '', server, agentOf(server, agentKey), receiver)
    receiver.onConnection = () => {}
    receiver.onRequest = take
    server = await startServer(site)
  }
  await server.kill('SIGKILL')
  if (!waitsForLeases) await change(store, `update "webhookDeliveries" set "dueAt" = 0 where "state" = 'pending'`)
  const rows = await query(store, 'select "id" from "messages" union all select "id" from "memories"')
  const records = rows.map(({ id }) => String(id))
  server = await startServer(site)
  const giveUpAt = Date.now() + arrivalTimeoutMs + (waitsForLeases ? leaseMs : 0)
  while (records.some((id) => !receiver.arrived.has(id)) && Date.now() < giveUpAt) await sleep(100)
  await server.kill('SIGTERM')
  return checkArrivals(records, receiver.arrived)
}

/** Each record's event at least once, always under one id, and no event of a missing record. */
function checkArrivals(records: string[], arrived: ReadonlyMap<string, string[]>): WebhookOutcome {
  expect(records.filter((id) => !arrived.has(id))).toEqual([])
  expect([...arrived.keys()].filter((id) => !records.includes(id))).toEqual([])
  for (const [id, eventIds] of arrived) expect([id, new Set(eventIds).size]).toEqual([id, 1])
  return { records: records.length, repeated: [...arrived.values()].filter((ids) => ids.length > 1).length }
}

const sendSome = (agent: Agent, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const sent =
      at % 2 === 0 ? agent('send-message', { targetId: 'user', content: 'x' }) : agent('write-memory', { content: 'x' })
    return sent.catch(() => undefined)
  })

async function killAt(point: string, server: RunningServer, agent: Agent, receiver: Receiver): Promise<void> {
  const die = () => server.kill('SIGKILL')
  switch (point) {
    case 'before the commit': {
      const sending = sendSome(agent, 8)
      await sleep(randomInt(1, 15))
      await die()
      await Promise.all(sending)
      return
    }
    case 'before the lease': {
      // Four unanswered requests take all slots of this endpoint.
      receiver.onRequest = () => {}
      await Promise.all(sendSome(agent, 10))
      await die()
      return
    }
    case 'before the send': {
      const connected = new Promise<void>((resolve) => (receiver.onConnection = resolve))
      await Promise.all([...sendSome(agent, 3), connected.then(die)])
      return
    }
    case 'before the record': {
      const asked = new Promise<void>((resolve) => (receiver.onRequest = () => resolve()))
      await Promise.all([...sendSome(agent, 3), asked.then(die)])
      return
    }
    default: {
      await Promise.all(sendSome(agent, 3))
      await sleep(randomInt(20, 150))
      await die()
    }
  }
}
