import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { watchSeals } from '../../test/fenced-writes.ts'
import { hmacOf, startReceiver } from '../../test/webhook-receiver.ts'
import { setDisabled } from '../accounts/store.ts'
import { startDeliverer } from './deliver.ts'
import { pruneDeliveries } from './delivery-store.ts'
import { createPost } from './post.ts'
import { createVetUrl } from './vet-url.ts'
import { start, idsOf } from './testing/start-delivery.ts'

eachDialect('delivery', (dialect) => {
  it('sends the stored bytes, signed so that both kinds of receivers accept them', async () => {
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

  it('delivers after a failure', async () => {
    const world = await start(dialect)
    const unchecked = watchSeals(world.test.app.services.db)
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
    expect(unchecked).toEqual([])
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

  it('starts again when a lease ends, and ignores results of the server that lost it', async () => {
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

  it('waits while the user is disabled, and goes on once they are enabled again', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver()
    await world.subscribe(receiver.url)
    await world.queue()
    const setDisabledAt = (at: number | undefined) =>
      world.test.app.services.db.write((tx) => setDisabled(tx, world.user.userId, at))
    await setDisabledAt(world.clock.now())
    const deliverer = world.deliverer()
    await deliverer.settle()
    expect(receiver.received).toHaveLength(0)
    await setDisabledAt(undefined)
    await deliverer.settle()
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempt: 1 }])
  })

  it('keeps queued deliveries of an inactive subscription, and queues no new ones', async () => {
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

  it('goes to the current URL of the subscription, or nowhere once it is deleted', async () => {
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

  it('refuses an address that was public when the subscription was created', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver()
    const { id } = await world.subscribe(receiver.url)
    const { db, keyring, news, log } = world.test.app.services
    const strict = createPost(createVetUrl({ allowed: [], resolve: async () => ['127.0.0.1'], ownPort: 0 }))
    const deliverer = startDeliverer({ db, keyring, news, log, now: world.clock.now, post: strict })
    onTestFinished(() => deliverer.stop())
    await world.queue()
    await deliverer.settle()
    expect(receiver.received).toHaveLength(0)
    expect(await world.webhook(id)).toMatchObject({ errorCount: 1, lastError: 'address not allowed' })
  })

  it('leaves deliveries in progress at a stop to the next server', async () => {
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

  it('keeps finished deliveries for thirty days, and marks those that waited as long as dead', async () => {
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

  it('reveals neither URL nor secret in the log or database', async () => {
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
