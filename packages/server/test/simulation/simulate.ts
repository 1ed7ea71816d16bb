// One simulation: servers that deliver webhooks, clients that write under idempotency keys and claim tasks, transactions that are rolled back, and a
// clock, in an order that a seed decides. Returns what broke, and the trace.

import { routes } from '../../src/api/registry.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import type { Database } from '../../src/db/dialect.ts'
import { startDeliverer } from '../../src/webhooks/deliver.ts'
import { queueEvent } from '../../src/webhooks/outbox.ts'
import type { TestApp } from '../app.ts'
import type { TestUser } from '../factories.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import { createNetwork, type Network } from './network.ts'
import { scheduleStore } from './scheduled-store.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'

export interface Place {
  test: TestApp
  user: TestUser
  agentKey: string
  clock: { now: number }
}

export interface Simulated {
  trace: readonly string[]
  /** Promises that were broken. */
  broken: string[]
}

interface Run extends Place {
  db: Database
  scheduler: Scheduler
  random: Random
  network: Network
  taskId: string
  /** Messages whose event was queued, and messages whose transaction was rolled back. */
  queued: string[]
  rolledBack: string[]
  writes: { key: string; memoryId: string; wasCreated: boolean }[]
  /** Who claimed the task or gave it back, and its version then. */
  claims: { by: string; action: 'claim' | 'give back'; version: number }[]
}

export const begin = Date.parse('2026-11-21T09:00:00.000Z')
const minuteMs = 60_000

/** `forgets`: a column whose conditions the store forgets. */
export async function simulate(place: Place, seed: number, forgets?: string): Promise<Simulated> {
  const { test, user, agentKey, clock } = place
  const random = createRandom(seed)
  const scheduler = createScheduler(random)
  const { db } = test.app.services
  clock.now = begin
  const subscription = { url: 'https://hooks.example.org/', events: ['message.created'] }
  const { webhook } = await make(test, 'create-webhook', subscription, user.dashboardToken)
  const { taskId } = await make(test, 'create-task', { title: `Task ${seed}` }, agentKey)
  const network = createNetwork(scheduler, random)
  const results = { queued: [], rolledBack: [], writes: [], claims: [] }
  const run: Run = { ...place, db, scheduler, random, network, taskId: String(taskId), ...results }
  const restore = scheduleStore(db, scheduler, { onResult: network.onResult, forgets })
  try {
    await goThrough(run)
  } finally {
    restore()
  }
  await test.call('delete-webhook', { id: (webhook as { id: string }).id }, { key: user.dashboardToken })
  return { trace: scheduler.trace, broken: listBroken(run) }
}

async function make(test: TestApp, name: string, body: object, key: string): Promise<Record<string, unknown>> {
  const answer = await test.call(name, body, { key })
  if (answer.status !== 201) throw new Error(`${name}: ${answer.text}`)
  return answer.body
}

async function goThrough(run: Run): Promise<void> {
  const { scheduler, random, network, clock, queued } = run
  const servers = Array.from({ length: random.int(2, 3) }, (_, at) => startServer(run, `server ${at + 1}`))
  const clients = Array.from({ length: random.int(2, 4) }, (_, at) => `client ${at + 1}`)
  const work = [
    ...clients.map((client) => scheduler.as(client, () => callOften(run, client))),
    scheduler.as('clock', () => moveClock(run)),
    ...servers.map(({ name, wake }) => scheduler.as(name, () => lookOften(run, wake))),
  ]
  const ended = Promise.all(work)
  // It fails only after the last step, since nothing waits for it before.
  ended.catch(() => {})
  await scheduler.run()
  await ended
  network.calmDown()
  const last = startServer(run, 'last server')
  for (let round = 0; round < 40 && queued.some((id) => !network.arrived.has(id)); round++) {
    clock.now += 60 * minuteMs
    last.wake()
    await scheduler.run()
  }
  for (const { stop } of [...servers, last]) await stop()
}

function startServer({ test, db, network, scheduler, clock }: Run, name: string) {
  const { keyring, news, log } = test.app.services
  const parts = { db, keyring, news, log, now: () => clock.now, post: network.post }
  const deliverer = scheduler.as(name, () => startDeliverer(parts))
  return { name, wake: () => scheduler.as(name, deliverer.wake), stop: deliverer.stop }
}

async function lookOften({ scheduler, random }: Run, wake: () => void): Promise<void> {
  for (let count = random.int(2, 8); count > 0; count--) {
    await scheduler.step('look')
    wake()
  }
}

async function moveClock({ scheduler, random, clock }: Run): Promise<void> {
  for (let count = random.int(2, 12); count > 0; count--) {
    const seconds = random.pick([1, 10, 40, 61, 300])
    await scheduler.step(`${seconds} s pass`)
    clock.now += seconds * 1_000
  }
}

const actions = ['queue', 'queue', 'roll back', 'write', 'claim', 'give back'] as const

async function callOften(run: Run, client: string): Promise<void> {
  const { scheduler, random } = run
  for (let count = random.int(1, 5); count > 0; count--) {
    const action = random.pick(actions)
    await scheduler.step(action)
    if (action === 'queue') await queue(run)
    else if (action === 'roll back') await rollBack(run)
    else if (action === 'write') await writeUnderKey(run, client, `key ${random.int(1, 2)} beside ${run.taskId}`)
    else await changeTask(run, client, action)
  }
}

function eventOf({ user: { userId }, clock }: Run, messageId: string) {
  const message = { category: 'info', priority: 3, targetId: 'planner', vaultId: undefined }
  return { ...message, userId, event: 'message.created', messageId, at: clock.now } as const
}

async function queue(run: Run): Promise<void> {
  const messageId = newId()
  await run.db.write((tx) => queueEvent(tx, eventOf(run, messageId)))
  run.queued.push(messageId)
}

async function rollBack(run: Run): Promise<void> {
  const messageId = newId()
  run.rolledBack.push(messageId)
  const rolledBack = new Error('rolled back')
  await run.db
    .write(async (tx) => {
      await queueEvent(tx, eventOf(run, messageId))
      throw rolledBack
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
}

async function writeUnderKey(run: Run, client: string, key: string): Promise<void> {
  const answer = await call(run, 'write-memory', { content: `${key} by ${client}`, externalWriteId: key })
  if (answer === undefined) return
  run.writes.push({ key, memoryId: String(answer.body['memoryId']), wasCreated: answer.wasCreated })
}

async function changeTask(run: Run, by: string, action: 'claim' | 'give back'): Promise<void> {
  const [expectedStatus = '', status = ''] = action === 'claim' ? ['todo', 'in_progress'] : ['in_progress', 'todo']
  // Only who has the task gives it back.
  if (action === 'give back' && run.claims.findLast((claim) => claim.by === by)?.action !== 'claim') return
  const input = { taskId: run.taskId, status, expectedStatus, assignedAgentId: by }
  const answer = await call(run, 'update-task', input)
  if (answer !== undefined) run.claims.push({ by, action, version: Number(answer.body['version']) })
}

/** A call without HTTP, whose streams would wait for the process. Undefined if it is refused: someone was faster, or it took too long. */
async function call({ test, agentKey }: Run, name: string, input: Record<string, string>) {
  const route = routes.find((known) => known.name === name && known.audience === 'agent')
  if (route === undefined) throw new Error(`there is no operation ${name}`)
  const none = { session: undefined, sessionKey: undefined, requestedWith: undefined, origin: undefined }
  try {
    const { wasCreated, body } = await test.app.dispatch(route, {
      requestId: newId(),
      runId: undefined,
      clientAddress: '127.0.0.1',
      userAgent: undefined,
      credentials: { ...none, authorization: [`Bearer ${agentKey}`], host: undefined, actAs: undefined, isWrite: true },
      sessionCookie: { set() {}, clear() {} },
      input: () => Promise.resolve(input),
    })
    return { wasCreated, body: body as Record<string, unknown> }
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'conflict' || error.code === 'unavailable')) return undefined
    throw error
  }
}

function listBroken({ network: { arrived, lostLeases }, queued, rolledBack, writes, claims }: Run): string[] {
  const keys = [...new Set(writes.map(({ key }) => key))]
  const underKey = (key: string) => writes.filter((write) => write.key === key)
  const inOrder = claims.toSorted((a, b) => a.version - b.version)
  const isFree = (at: number) => at === 0 || inOrder[at - 1]?.action === 'give back'
  return [
    ...queued.filter((id) => !arrived.has(id)).map(() => 'a queued event never arrived'),
    ...rolledBack.filter((id) => arrived.has(id)).map(() => 'an event arrived that was rolled back'),
    ...[...arrived.values()].filter(({ size }) => size > 1).map(() => 'an event arrived under two ids'),
    ...lostLeases,
    ...keys
      .filter((key) => new Set(underKey(key).map(({ memoryId }) => memoryId)).size > 1)
      .map((key) => `${key} has several memories`),
    ...keys
      .filter((key) => underKey(key).filter(({ wasCreated }) => wasCreated).length !== 1)
      .map((key) => `${key} was not created once`),
    ...inOrder.flatMap(({ by, action }, at) =>
      isFree(at) === (action === 'claim') && (action === 'claim' || inOrder[at - 1]?.by === by)
        ? []
        : [`${by} could ${action} the task`],
    ),
  ]
}
