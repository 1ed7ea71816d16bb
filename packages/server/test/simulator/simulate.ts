// One history: clients call two or three servers that share a database, while servers crash, statements fail, answers are lost and clocks jump, in
// an order that a seed decides. Returns which promises were broken.

import { createJobLeases } from '../../src/jobs/lease-store.ts'
import { makeUserWithAgent, watchRecords } from '../factories.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import { listBroken, type Stored } from './check.ts'
import { callOften, readTask, search, type Calling } from './clients.ts'
import { planFaults, startFaults, type Fault } from './faults.ts'
import { emptyLog } from './log.ts'
import type { LeaseOp } from './models.ts'
import type { Plant } from './postgres-network.ts'
import { createReceiver, type Receiver } from './receiver.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { openConnections, type Running } from './servers.ts'
import type { Place } from './place.ts'

export interface Simulated {
  /** What went on, in order. */
  trace: readonly string[]
  faults: readonly Fault[]
  broken: string[]
}

interface History extends Calling {
  place: Place
  receiver: Receiver
  userId: string
  work: Promise<void>[]
}

const begin = Date.parse('2026-11-21T09:00:00.000Z')
const minuteMs = 60_000
const names = ['A', 'B', 'C'] as const

export async function simulate(place: Place, seed: number, plant?: Plant): Promise<Simulated> {
  const random = createRandom(seed)
  const scheduler = createScheduler(random, (backends) => place.network.findBlocked(backends))
  place.clock.reset(begin)
  const planned = planFaults(random)
  const faults = startFaults(planned)
  const history = await prepare(place, scheduler, random)
  place.network.begin({ scheduler, faults, plant })
  place.world.post = history.receiver.post
  place.world.onCrash = (server) => afterCrash(history, server as Running)
  // Some servers have clocks that differ.
  for (const name of names) if (random.percent(15)) place.clock.skew(name, random.pick([-300, -45, 20, 90]) * 1_000)
  const servers = names.slice(0, random.int(2, 3)).map((name) => place.server(name))
  for (const server of servers) {
    await openConnections(server.app)
    server.isScheduled = true
  }
  history.running = () =>
    servers.map(({ name }) => place.server(name)).filter(({ isGone, isScheduled }) => !isGone && isScheduled)
  try {
    await goThrough(history)
    faults.calmDown()
    await comeToRest(history)
  } finally {
    for (const name of names) place.server(name).isScheduled = false
    scheduler.end()
  }
  const broken = listBroken(history.log, await readStored(history), history.receiver.arrived)
  await place.network.direct.query('update webhooks set "isActive" = 0 where "userId" = $1', [history.userId])
  return { trace: scheduler.trace, faults: planned, broken: [...new Set(broken)] }
}

async function prepare(place: Place, scheduler: Scheduler, random: Random): Promise<History> {
  const { app } = place.server('A')
  const { key: agentKey, ...user } = await makeUserWithAgent({ app })
  const { userId } = user
  const receiver = createReceiver(scheduler, random)
  await watchRecords({ app }, user, {
    events: ['message.created', 'memory.created', 'task.completed'],
    heldUntil: null,
  })
  const first = await place.make('create-task', { title: 'Water the beans' }, agentKey)
  const second = await place.make('create-task', { title: 'Pick the beans' }, agentKey)
  const taskIds = [String(first['taskId']), String(second['taskId'])] as const
  const parts = { place, scheduler, random, receiver, agentKey, userId, taskIds }
  return { ...parts, log: emptyLog(), work: [], running: () => [] }
}

async function goThrough(history: History): Promise<void> {
  const { scheduler, random, work } = history
  const clients = Array.from({ length: random.int(2, 4) }, (_, at) => `client ${at + 1}`)
  work.push(
    ...clients.map((client) => callOften(history, client)),
    moveClocks(history),
    lookOften(history),
    ...names.slice(0, 2).map((name) => runJobs(history, name)),
  )
  // They fail only after the last step, since nothing waits for them before.
  for (const one of work) one.catch(() => {})
  await scheduler.run()
  await Promise.all(work)
}

function afterCrash({ place, scheduler, work }: History, server: Running): void {
  scheduler.forget(server)
  const restart = async () => {
    await scheduler.during(place.network.cutOff(server))
    await scheduler.step(`${server.name}: starts again`)
    const { outcome: next } = await scheduler.during(place.restart(server.name))
    next.isScheduled = true
  }
  work.push(restart())
}

async function moveClocks({ scheduler, random, place }: History): Promise<void> {
  for (let count = random.int(2, 10); count > 0; count--) {
    const seconds = random.pick([1, 10, 31, 61, 300, -5, -60])
    await scheduler.step(`clocks: ${seconds} s`)
    place.clock.advance(seconds * 1_000)
  }
}

async function lookOften({ scheduler, random, running }: History): Promise<void> {
  for (let count = random.int(2, 8); count > 0; count--) {
    await scheduler.step('look for deliveries')
    for (const server of running()) if (random.percent(60)) server.app.services.webhooks.wake()
  }
}

/** A job of one server, that no other one runs at the same time. */
async function runJobs(history: History, name: string): Promise<void> {
  const { scheduler, random } = history
  for (let count = random.int(0, 3); count > 0; count--) {
    await scheduler.step(`${name}: job`)
    const server = history.running().find((one) => one.name === name)
    if (server !== undefined) await Promise.race([runJob(history, server), server.crashed])
  }
}

async function runJob({ scheduler, random, log, userId }: History, server: Running): Promise<void> {
  let at = 0
  const leases = createJobLeases(server.app.services.db, () => (at = server.app.services.now()))
  // The lease of this history alone.
  const job = `job ${userId}`
  const by = `${server.id} ${log.lease.length}`
  const ask = async <A extends LeaseOp['answer']>(
    kind: LeaseOp['kind'],
    asked: () => Promise<A>,
  ): Promise<A | undefined> => {
    const call = {
      op: { kind, by, at: server.app.services.now(), answer: undefined as A | undefined },
      from: scheduler.tick(),
      until: Infinity,
    }
    log.lease.push(call as (typeof log.lease)[number])
    const answer = await asked().catch(() => undefined)
    call.op.at = at
    if (answer === undefined) return undefined
    call.op.answer = answer
    call.until = scheduler.tick()
    return answer
  }
  const taken = await ask('claim', async () =>
    (await leases.claim(job, { ignoresRest: true })) === undefined ? 'taken' : 'wait',
  )
  if (taken !== 'taken') return
  for (let count = random.int(0, 3); count > 0; count--) {
    await scheduler.step(`${server.name}: job works`, server)
    if ((await ask('renew', () => leases.renew(job))) === false) return
  }
  await ask('release', () => leases.release(job, 0).then(() => 'released' as const))
}

/** Nothing fails any more: all events arrive, and all servers agree. */
async function comeToRest(history: History): Promise<void> {
  const { place, scheduler, receiver, running, taskIds, work } = history
  receiver.calmDown()
  for (let round = 0; round < 40 && (await countPending(history)) > 0; round++) {
    place.clock.advance(60 * minuteMs)
    for (const server of running()) server.app.services.webhooks.wake()
    await scheduler.run()
  }
  place.clock.align()
  for (const server of running()) {
    work.push(search(history, server), ...taskIds.map((id) => readTask(history, server, id)))
    await scheduler.run()
  }
  await Promise.all(work)
}

async function countPending({ place, userId }: History): Promise<number> {
  const sql = `select count(*)::int as count from "webhookDeliveries" where "userId" = $1 and state = 'pending'`
  const { rows } = await place.network.direct.query<{ count: number }>(sql, [userId])
  return rows[0]?.count ?? 0
}

async function readStored({ place, userId }: History): Promise<Stored> {
  const { direct } = place.network
  const memories = await direct.query<Stored['memories'][number]>(
    `select m.id, m.type, exists (select from "indexEntries" e where e."userId" = m."userId" and e."itemId" = m.id) as "isIndexed",
       t.id is not null as "isTask", coalesce(t.status = 'done', false) as "isDone"
     from memories m left join tasks t on t."userId" = m."userId" and t.id = m.id where m."userId" = $1`,
    [userId],
  )
  const stray = await direct.query<{ count: number }>(
    `select count(*)::int as count from "indexEntries" e where e."userId" = $1
       and not exists (select from memories m where m."userId" = e."userId" and m.id = e."itemId")`,
    [userId],
  )
  const messages = await direct.query<{ id: string }>('select id from messages where "userId" = $1', [userId])
  return {
    memories: memories.rows,
    strayEntries: stray.rows[0]?.count ?? 0,
    messages: messages.rows.map(({ id }) => id),
  }
}
