import { expect, it } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { createRandom, type Random } from '../../test/fuzz/random.ts'
import { inLongRun, measured } from '../../test/promises/measured.ts'
import type { Deliverer } from './deliver.ts'
import type { Post } from './post.ts'
import { queueEvent } from './outbox.ts'
import { newId } from '../core/ids.ts'
import { start } from './testing/start-delivery.ts'

/**
 * Deliveries under a seed: servers that hang in the middle and report late, receivers that fail, hang or answer late, transactions that are rolled back,
 * and a clock that jumps. The seed in the name of a failure repeats these choices, but not the moments at which a database answers. Those are in
 * test/simulation, for the embedded store.
 */

type World = Awaited<ReturnType<typeof start>>

/** Long enough for everything that doesn't hang. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 5))

/** What the receiver got: the ids of the events, by message. */
type Arrived = Map<string, Set<string>>

const minuteMs = 60_000

/** A network and its receiver. In the end, no request has trouble any more, and those that hang fail. */
function createNetwork(random: Random, arrived: Arrived) {
  const hanging: (() => void)[] = []
  let isCalm = false
  const post: Post = async (_url, { headers, body }) => {
    const { messageId } = JSON.parse(body) as { messageId: string }
    const fate = isCalm ? 'taken' : random.pick(['taken', 'taken', 'refused', 'lost', 'hangs'])
    // A request may arrive although its answer is lost.
    if (fate === 'taken' || fate === 'lost') {
      const ids = arrived.get(messageId) ?? new Set()
      arrived.set(messageId, ids.add(headers['webhook-id'] ?? 'none'))
    }
    if (fate === 'hangs') await new Promise<void>((resolve) => hanging.push(resolve))
    return fate === 'taken'
      ? { status: 200, problem: undefined, retryAfter: undefined }
      : { status: fate === 'refused' ? 503 : undefined, problem: 'it failed', retryAfter: undefined }
  }
  const calmDown = () => {
    isCalm = true
    for (const fail of hanging) fail()
  }
  return { post, calmDown }
}

async function queueRolledBack({ test, user, clock }: World): Promise<string> {
  const messageId = newId()
  const message = { category: 'info', priority: 3, targetId: 'planner', vaultId: undefined }
  const event = { ...message, userId: user.userId, event: 'message.created', messageId, at: clock.now() } as const
  const failing = test.app.services.db.write(async (tx) => {
    await queueEvent(tx, event)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  return messageId
}

async function simulate(world: World, seed: number): Promise<number> {
  const random = createRandom(seed)
  const arrived: Arrived = new Map()
  const { post, calmDown } = createNetwork(random, arrived)
  const [queued, rolledBack]: [string[], string[]] = [[], []]
  const servers: Deliverer[] = [world.deliverer(post), world.deliverer(post)]
  for (let step = random.int(5, 25); step > 0; step--) {
    const event = random.pick(['queue', 'queue', 'queue', 'roll back', 'wait', 'add a server', 'look', 'look', 'look'])
    if (event === 'queue') queued.push(await world.queue())
    else if (event === 'roll back') rolledBack.push(await queueRolledBack(world))
    else if (event === 'wait') world.clock.advance(random.int(1, 5) * minuteMs)
    // The others keep what hangs there, and report it late.
    else if (event === 'add a server') servers.push(world.deliverer(post))
    else await Promise.race([random.pick([servers[0], ...servers])?.settle(), turn()])
  }
  calmDown()
  await Promise.all(servers.map((server) => server.stop()))
  const last = world.deliverer(post)
  for (let round = 0; round < 40 && queued.some((id) => !arrived.has(id)); round++) {
    world.clock.advance(60 * minuteMs)
    await last.settle()
  }
  await last.stop()
  expect([seed, queued.filter((id) => !arrived.has(id))]).toEqual([seed, []])
  expect([seed, rolledBack.filter((id) => arrived.has(id))]).toEqual([seed, []])
  for (const ids of arrived.values()) expect([seed, ids.size]).toEqual([seed, 1])
  return queued.length
}

eachDialect('deliveries in any order of events', (dialect) => {
  it('arrive at least once, under one id, and never for what was rolled back', { timeout: 14_400_000 }, async () => {
    const world = await start(dialect)
    await world.subscribe('https://hooks.example.org/')
    const seeds = inLongRun(50_000, 3)
    let events = 0
    for (let seed = 1; seed <= seeds; seed++) events += await simulate(world, seed)
    expect(events).toBeGreaterThan(seeds)
    measured({ seeds, events, lost: 0 })
  })
})
