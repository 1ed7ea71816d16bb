import { expect, it } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { startReceiver } from '../../test/webhook-receiver.ts'
import { asSealed } from '../crypto/cell.ts'
import { start, idsOf } from './testing/start-delivery.ts'

eachDialect('delivery', (dialect) => {
  it('tries ten times as scheduled, with one id and new times, then gives up without turning the webhook off', async () => {
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

  it('waits as long as the receiver asks, within limits', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver((response) => response.writeHead(429, { 'Retry-After': '9' }).end())
    await world.subscribe(receiver.url)
    await world.queue()
    await world.deliverer().settle()
    expect(await world.deliveries()).toMatchObject([{ nextAttemptAt: world.clock.iso(9_000) }])
  })

  it.each([3_600_000, -3_600_000])('continues when the clock jumps by %i ms', async (jump) => {
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

  it('limits a failing endpoint to one attempt a minute, and catches up once it answers', async () => {
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
    // Deliveries in progress during the tenth are still sent.
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

  it('gives up after ten attempts even if the webhook cannot be opened', async () => {
    const world = await start(dialect)
    const receiver = await startReceiver()
    const { id } = await world.subscribe(receiver.url)
    await world.queue()
    const { db } = world.test.app.services
    const endpoint = asSealed(Buffer.from('damaged'))
    await db.write((tx) => tx.updateTable('webhooks').set({ endpoint }).where('id', '=', id).execute())
    const deliverer = world.deliverer()
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliverer.settle()
      const [delivery] = await world.deliveries()
      expect(delivery).toMatchObject({ attempt, state: attempt < 10 ? 'pending' : 'dead', lastStatus: null })
      if (attempt < 10) world.clock.advance(Date.parse(String(delivery?.nextAttemptAt)) - world.clock.now())
    }
    world.clock.advance(48 * 3_600_000)
    await deliverer.settle()
    expect(await world.deliveries()).toMatchObject([{ attempt: 10, state: 'dead' }])
    expect(receiver.received).toEqual([])
  })
})
