import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect, type TestDialect } from '../../test/dialects.ts'
import { makeUser, type TestUser } from '../../test/factories.ts'
import { makeClock } from '../../test/scenarios.ts'
import { hmacOf, startReceiver, type Receiver } from '../../test/webhook-receiver.ts'
import { newId } from '../core/ids.ts'
import { parseAllowList } from './allow-list.ts'
import { startDeliverer } from './deliver.ts'
import { pruneDeliveries } from './delivery-store.ts'
import { queueEvent } from './outbox.ts'
import { createPost } from './post.ts'
import { createVetUrl } from './vet-url.ts'

const allowed = parseAllowList('127.0.0.1').targets
const post = createPost(createVetUrl({ allowed, resolve: async () => ['127.0.0.1'], ownPort: 0 }))

interface Setting {
  test: TestApp
  user: TestUser
  clock: ReturnType<typeof makeClock>
  /** Another server on the same store. */
  deliverer(): ReturnType<typeof startDeliverer>
  subscribe(url: string): Promise<{ id: string; secret: string }>
  queue(): Promise<string>
  webhook(id: string): Promise<Record<string, unknown>>
  deliveries(): Promise<Record<string, unknown>[]>
}

async function start(dialect: TestDialect, at?: number): Promise<Setting> {
  const clock = makeClock(at)
  const test = await startTestApp({ dialect, now: clock.now, config: { webhookAllow: allowed }, runsJobs: false })
  const user = await makeUser(test)
  const { db, keyring, log } = test.app.services
  const key = user.dashboardToken
  return {
    test,
    user,
    clock,
    deliverer() {
      const deliverer = startDeliverer({ db, keyring, log, now: clock.now, post })
      onTestFinished(() => deliverer.stop())
      return deliverer
    },
    async subscribe(url) {
      const { status, body, text } = await test.call('create-webhook', { url, events: ['message.created'] }, { key })
      expect([201, text]).toEqual([status, text])
      return body.webhook as { id: string; secret: string }
    },
    async queue() {
      const messageId = newId()
      const message = { category: 'info', priority: 3, targetId: 'planner', vaultId: undefined }
      const event = { ...message, userId: user.userId, event: 'message.created', messageId, at: clock.now() } as const
      await db.write((tx) => queueEvent(tx, event))
      return messageId
    },
    webhook: async (id) => (await test.call('list-webhooks', { id }, { key })).body.webhook as Record<string, unknown>,
    deliveries: async () =>
      (await test.call('list-webhook-deliveries', { limit: '100' }, { key })).body.deliveries as Record<
        string,
        unknown
      >[],
  }
}

const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'])

eachDialect('delivery', (dialect) => {
  it('sends the stored bytes, signed so that both kinds of receivers take them', async () => {
    const world = await start(dialect, Date.now())
    const receiver = await startReceiver()
    const { id, secret } = await world.subscribe(receiver.url)
    const messageId = await world.queue()
    await world.deliverer().settle()
    expect(receiver.received).toHaveLength(1)
    const [received] = receiver.received
    const headers = received?.headers ?? {}
    const body = received?.body ?? ''
    expect(JSON.parse(body)).toEqual({
      event: 'message.created',
      messageId,
      userId: world.user.userId,
      timestamp: world.clock.iso(),
    })
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-signature': `sha256=${(await hmacOf(secret, body)).toString('hex')}`,
      'x-service-event': 'message.created',
      'x-service-attempt': '1',
      'user-agent': expect.stringMatching(/^Holdfast\/\d/),
    })
    expect(await world.deliveries()).toMatchObject([
      { eventId: headers['webhook-id'], body, state: 'delivered', attempt: 1, lastStatus: 204, nextAttemptAt: null },
    ])
    expect(await world.webhook(id)).toMatchObject({ errorCount: 0, lastError: null, lastDeliveryAt: world.clock.iso() })
  })

  it('tries ten times as scheduled, with one id and new times, and then gives up without switching anything off', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver((response) => response.writeHead(500).end('this stays there'))
    const { id } = await world.subscribe(receiver.url)
    await world.queue()
    const deliverer = world.deliverer()
    const startedAt = world.clock.now()
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliverer.settle()
      const [delivery] = await world.deliveries()
      expect(delivery).toMatchObject({ attempt, state: attempt < 10 ? 'pending' : 'dead', lastStatus: 500 })
      await deliverer.settle()
      expect(receiver.received).toHaveLength(attempt)
      if (attempt < 10) world.clock.advance(Date.parse(String(delivery?.nextAttemptAt)) - world.clock.now())
    }
    world.clock.advance(48 * 3_600_000)
    await deliverer.settle()
    expect(receiver.received).toHaveLength(10)
    expect((world.clock.now() - startedAt) / 3_600_000).toBeGreaterThan(0.8 * 75.58 + 48)
    expect((world.clock.now() - startedAt) / 3_600_000).toBeLessThan(1.2 * 75.59 + 48)
    expect(new Set(idsOf(receiver)).size).toBe(1)
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual('12345678910'.match(/10|\d/g))
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    expect(await world.webhook(id)).toMatchObject({ isActive: true, errorCount: 10, lastError: 'HTTP 500' })
    const [delivery] = await world.deliveries()
    expect(delivery?.attempts).toHaveLength(10)
    expect(JSON.stringify(delivery)).not.toContain('this stays there')
  })

  it('waits as long as the receiver asks for, within bounds', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver((response) => response.writeHead(429, { 'Retry-After': '9' }).end())
    await world.subscribe(receiver.url)
    await world.queue()
    await world.deliverer().settle()
    expect(await world.deliveries()).toMatchObject([{ nextAttemptAt: world.clock.iso(9_000) }])
  })

  it('delivers after a failure', async () => {
    const world = await start(dialect)
    let isUp = false
    const receiver = await startReceiver((response) => response.writeHead(isUp ? 200 : 503).end())
    const { id } = await world.subscribe(receiver.url)
    await world.queue()
    const deliverer = world.deliverer()
    await deliverer.settle()
    isUp = true
    world.clock.advance(10_000)
    await deliverer.settle()
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempt: 2 }])
    expect(await world.webhook(id)).toMatchObject({ errorCount: 1, lastError: 'HTTP 503' })
    await world.test.call('update-webhook', { id, isActive: true }, { key: world.user.dashboardToken })
    expect(await world.webhook(id)).toMatchObject({ errorCount: 0, lastError: null })
  })

  it('is done once by several servers at once', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver((response) => void setTimeout(() => response.writeHead(200).end(), 20))
    for (let count = 0; count < 3; count++) await world.subscribe(receiver.url)
    const messages = await Promise.all(Array.from({ length: 20 }, () => world.queue()))
    const servers = [world.deliverer(), world.deliverer(), world.deliverer()]
    await Promise.all(servers.map((server) => server.settle()))
    await Promise.all(servers.map((server) => server.settle()))
    expect(receiver.received).toHaveLength(60)
    expect(new Set(idsOf(receiver)).size).toBe(messages.length)
    const states = (await world.deliveries()).map(({ state, attempt }) => [state, attempt])
    expect(states).toEqual(states.map(() => ['delivered', 1]))
  })

  it('begins anew when a lease runs out, and lets whoever lost it write nothing', async () => {
    const world = await start(dialect)
    let calls = 0
    let release = () => {}
    const receiver = await startReceiver((response) => {
      calls++
      if (calls > 1) response.writeHead(200).end()
      else release = () => response.writeHead(500).end()
    })
    const { id } = await world.subscribe(receiver.url)
    await world.queue()
    const [stalled, other] = [world.deliverer(), world.deliverer()]
    stalled.wake()
    await expect.poll(() => calls).toBe(1)
    await other.settle()
    expect(calls).toBe(1)
    world.clock.advance(60_000)
    await other.settle()
    expect(calls).toBe(2)
    release()
    await stalled.settle()
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempt: 2, lastStatus: 200 }])
    expect(await world.webhook(id)).toMatchObject({ errorCount: 0, lastError: null })
    expect(new Set(idsOf(receiver)).size).toBe(1)
  })

  it.each([3_600_000, -3_600_000])('goes on when the clock jumps by %i ms', async (jump) => {
    const world = await start(dialect)
    let isUp = true
    const receiver = await startReceiver((response) => response.writeHead(isUp ? 200 : 500).end())
    await world.subscribe(receiver.url)
    const deliverer = world.deliverer()
    await world.queue()
    await deliverer.settle()
    isUp = false
    await world.queue()
    await deliverer.settle()
    isUp = true
    world.clock.advance(jump)
    await world.queue()
    await deliverer.settle()
    expect(new Set(idsOf(receiver)).size).toBe(3)
    // The one that had failed waits until its time, which at worst is an hour further off.
    world.clock.advance(3_600_000 + 10_000)
    await deliverer.settle()
    expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
  })

  it('spares an endpoint that fails, with one attempt a minute, and catches up once it answers', async () => {
    const world = await start(dialect)
    let isUp = false
    const receiver = await startReceiver((response) => response.writeHead(isUp ? 200 : 500).end())
    const { id } = await world.subscribe(receiver.url)
    const healthy = await startReceiver()
    await world.subscribe(healthy.url)
    for (let count = 0; count < 30; count++) await world.queue()
    const deliverer = world.deliverer()
    await deliverer.settle()
    const before = receiver.received.length
    // Those that were under way with the tenth are still sent.
    expect(before).toBeGreaterThanOrEqual(10)
    expect(before).toBeLessThanOrEqual(14)
    expect(healthy.received).toHaveLength(30)
    expect(await world.webhook(id)).toMatchObject({ isActive: true, heldUntil: world.clock.iso(60_000) })
    for (let minute = 1; minute <= 3; minute++) {
      world.clock.advance(60_000)
      await deliverer.settle()
      expect(receiver.received).toHaveLength(before + minute)
    }
    isUp = true
    world.clock.advance(3_600_000)
    await deliverer.settle()
    expect(new Set((await world.deliveries()).map(({ state }) => state))).toEqual(new Set(['delivered']))
    expect(await world.webhook(id)).toMatchObject({ heldUntil: null })
  })

  it('keeps what waits for an inactive subscription, and queues nothing new for it', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver()
    const { id } = await world.subscribe(receiver.url)
    const key = world.user.dashboardToken
    await world.queue()
    await world.test.call('update-webhook', { id, isActive: false }, { key })
    await world.queue()
    const deliverer = world.deliverer()
    await deliverer.settle()
    expect(receiver.received).toHaveLength(0)
    expect(await world.deliveries()).toMatchObject([{ state: 'pending', attempt: 0 }])
    await world.test.call('update-webhook', { id, isActive: true }, { key })
    await deliverer.settle()
    expect(receiver.received).toHaveLength(1)
  })

  it('goes to the URL that the subscription has when it is sent, or nowhere once that is gone', async () => {
    const world = await start(dialect)
    const [before, after] = [await startReceiver(), await startReceiver()]
    const [moved, gone] = [await world.subscribe(before.url), await world.subscribe(before.url)]
    const key = world.user.dashboardToken
    await world.queue()
    await world.test.call('update-webhook', { id: moved.id, url: after.url }, { key })
    await world.test.call('delete-webhook', { id: gone.id }, { key })
    await world.deliverer().settle()
    expect([before.received.length, after.received.length]).toEqual([0, 1])
    expect(await world.deliveries()).toHaveLength(1)
  })

  it('refuses an address that was public when the subscription was made', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver()
    const { id } = await world.subscribe(receiver.url)
    const { db, keyring, log } = world.test.app.services
    const strict = createPost(createVetUrl({ allowed: [], resolve: async () => ['127.0.0.1'], ownPort: 0 }))
    const deliverer = startDeliverer({ db, keyring, log, now: world.clock.now, post: strict })
    onTestFinished(() => deliverer.stop())
    await world.queue()
    await deliverer.settle()
    expect(receiver.received).toHaveLength(0)
    expect(await world.webhook(id)).toMatchObject({ errorCount: 1, lastError: 'address not allowed' })
  })

  it('leaves what is under way at a stop to the next server', { timeout: 20_000 }, async () => {
    const world = await start(dialect)
    let isUp = false
    const receiver = await startReceiver((response) => void (isUp && response.writeHead(200).end()))
    await world.subscribe(receiver.url)
    await world.queue()
    const stopped = world.deliverer()
    stopped.wake()
    await expect.poll(() => receiver.received.length).toBe(1)
    const startedAt = Date.now()
    await stopped.stop()
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    expect(await world.deliveries()).toMatchObject([{ state: 'pending', attempt: 1, attempts: [] }])
    isUp = true
    world.clock.advance(60_000)
    await world.deliverer().settle()
    expect(new Set(idsOf(receiver)).size).toBe(1)
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempt: 2 }])
  })

  it('keeps what is finished for thirty days, and gives up what has waited for so long', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver()
    const { id } = await world.subscribe(receiver.url)
    await world.queue()
    await world.deliverer().settle()
    await world.queue()
    await world.test.call('update-webhook', { id, isActive: false }, { key: world.user.dashboardToken })
    const { db } = world.test.app.services
    const day = 24 * 3_600_000
    world.clock.advance(30 * day)
    await pruneDeliveries(db, world.clock.now())
    expect((await world.deliveries()).map(({ state }) => state)).toEqual(['pending', 'delivered'])
    world.clock.advance(1)
    await pruneDeliveries(db, world.clock.now())
    expect((await world.deliveries()).map(({ state }) => state)).toEqual(['dead'])
    world.clock.advance(30 * day + 1)
    await pruneDeliveries(db, world.clock.now())
    expect(await world.deliveries()).toEqual([])
  })

  it('tells neither log nor database where it goes and with which secret', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver((response) => response.writeHead(500).end())
    const { secret } = await world.subscribe(`${receiver.url}/a-capability-in-the-path`)
    await world.queue()
    await world.deliverer().settle()
    const { db } = world.test.app.services
    const rows = [
      ...(await db.read.selectFrom('webhooks').selectAll().execute()),
      ...(await db.read.selectFrom('webhookDeliveries').selectAll().execute()),
    ]
    const texts = rows.flatMap((row) =>
      Object.values(row).map((value) => Buffer.from(toBytes(value)).toString('latin1')),
    )
    for (const text of [...texts, world.test.log()])
      for (const hidden of [secret, secret.slice(6), 'a-capability', 'HTTP 500']) expect(text).not.toContain(hidden)
  })
})

const toBytes = (value: unknown) => (value instanceof Uint8Array ? value : Buffer.from(String(value)))
