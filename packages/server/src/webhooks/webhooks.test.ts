import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { startTestApp, useTestApp, type Answer, type TestApp, type TestAppOptions } from '../../test/app.ts'
import { eachDialect, onPostgres } from '../../test/dialects.ts'
import { makeUser, makeVault, makeWebhook, type TestUser } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { hmacOf, startReceiver } from '../../test/webhook-receiver.ts'
import { newId } from '../core/ids.ts'
import { parseAllowList } from './allow-list.ts'
import { pruneDeliveries } from './delivery-store.ts'
import { queueEvent } from './outbox.ts'

const local: TestAppOptions = { config: { webhookAllow: parseAllowList('127.0.0.1').targets } }

const callAs = (test: TestApp, user: TestUser) => (name: string, body?: unknown) =>
  test.call(name, body, { key: user.dashboardToken })

const webhookOf = ({ body }: Answer) => body.webhook as Record<string, unknown> & { id: string; secret: string }

const draft = { url: 'https://hooks.example.org/in?token=x', events: ['message.created'] }

eachDialect('webhooks', (dialect) => {
  const test = useTestApp({ dialect })

  it('are made, listed without their secret, changed and deleted', async () => {
    const user = await makeUser(test())
    const call = callAs(test(), user)
    const filters = { category: ['alert', 'alert', 'task'], priority_gte: 4, targetId: 'planner' }
    const created = await call('create-webhook', { ...draft, filters, vaultId: user.vaultId })
    expect(created.status).toBe(201)
    const webhook = webhookOf(created)
    expect(webhook).toMatchObject({
      ...draft,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      vaultId: user.vaultId,
      filters: { ...filters, category: ['alert', 'task'] },
      isActive: true,
      errorCount: 0,
      version: 1,
    })
    const { secret, ...listed } = webhook
    expect(webhookOf(await call('list-webhooks', { id: webhook.id }))).toEqual(listed)
    const all = await call('list-webhooks')
    expect(all.body).toEqual({ webhooks: [listed], total: 1, limit: 20, offset: 0, hasMore: false })
    expect(all.text).not.toContain(secret)
    const patch = { url: 'https://8.8.8.8/', events: ['message.acknowledged', 'message.acknowledged'], isActive: false }
    const changed = await call('update-webhook', { id: webhook.id, ...patch, filters: null, vaultId: null })
    expect(webhookOf(changed)).toMatchObject({
      url: 'https://8.8.8.8/',
      events: ['message.acknowledged'],
      isActive: false,
      filters: null,
      vaultId: null,
      version: 2,
    })
    expect(changed.text).not.toContain('whsec_')
    expect((await call('delete-webhook', { id: webhook.id })).body).toEqual({ id: webhook.id, deleted: true })
    for (const name of ['list-webhooks', 'delete-webhook', 'update-webhook', 'test-webhook', 'rotate-webhook-secret'])
      expect([name, (await call(name, { id: webhook.id })).status]).toEqual([name, 404])
  })

  it('leave what a change does not name', async () => {
    const call = callAs(test(), await makeUser(test()))
    const { secret: _, ...before } = webhookOf(await call('create-webhook', { ...draft, filters: { priority_gte: 2 } }))
    const after = webhookOf(await call('update-webhook', { id: before.id, isActive: false, url: null, events: null }))
    expect(after).toEqual({ ...before, isActive: false, version: 2, updatedAt: after.updatedAt })
  })

  it('stay as they are where a change changes nothing', async () => {
    const call = callAs(test(), await makeUser(test()))
    const { secret: _, ...before } = webhookOf(await call('create-webhook', draft))
    for (const nothing of [{}, { isActive: true }, { events: [...draft.events, ...draft.events] }, { filters: null }])
      expect(webhookOf(await call('update-webhook', { id: before.id, ...nothing }))).toEqual(before)
  })

  it('take no control characters in the target of their filters', async () => {
    const call = callAs(test(), await makeUser(test()))
    for (const targetId of ['a\u0000b', 'a\nb'])
      expect((await call('create-webhook', { ...draft, filters: { targetId } })).status).toBe(400)
  })

  it('refuse a change of an older version', async () => {
    const call = callAs(test(), await makeUser(test()))
    const { id } = webhookOf(await call('create-webhook', draft))
    const patches = await Promise.all(
      [2, 3].map((priority) => call('update-webhook', { id, filters: { priority_gte: priority }, expectedVersion: 1 })),
    )
    expect(patches.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('are no more than fifty for each person', async () => {
    const call = callAs(test(), await makeUser(test()))
    for (let count = 0; count < 49; count++) expect((await call('create-webhook', draft)).status).toBe(201)
    const last = await Promise.all([call('create-webhook', draft), call('create-webhook', draft)])
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
    expect((await call('list-webhooks', { limit: '1' })).body).toMatchObject({ total: 50, hasMore: true })
    expect((await callAs(test(), await makeUser(test()))('create-webhook', draft)).status).toBe(201)
  })

  it('take no vault of somebody else, and go with their vault', async () => {
    const [user, stranger] = [await makeUser(test()), await makeUser(test())]
    const call = callAs(test(), user)
    for (const vaultId of [stranger.vaultId, newId()])
      expect(await call('create-webhook', { ...draft, vaultId })).toMatchObject({
        status: 404,
        body: { error: 'Vault not found' },
      })
    const vaultId = await makeVault(test(), user)
    const { id } = webhookOf(await call('create-webhook', { ...draft, vaultId }))
    const free = webhookOf(await call('create-webhook', draft))
    expect((await call('update-webhook', { id, vaultId: stranger.vaultId })).status).toBe(404)
    await call('delete-vault', { id: vaultId, name: 'Second' })
    expect((await call('list-webhooks', { id })).status).toBe(404)
    expect((await call('list-webhooks', { id: free.id })).status).toBe(200)
  })

  it('are sent what agents send, in the transaction of the message', async () => {
    const user = await makeUser(test())
    const agent = await startAgent(test(), { user, agentId: 'builder' })
    const call = callAs(test(), user)
    const created = webhookOf(await call('create-webhook', { ...draft, filters: { targetId: 'planner' } }))
    const acknowledged = webhookOf(await call('create-webhook', { ...draft, events: ['message.acknowledged'] }))
    const { body } = await agent.call('send-message', { targetId: 'planner', content: 'The cat sleeps.' })
    await agent.call('send-message', { targetId: 'painter', content: 'So does the dog.' })
    await agent.call('ack-message', { messageId: body.messageId, agentId: 'planner' })
    const queued = await call('list-webhook-deliveries')
    expect(queued.body.deliveries).toMatchObject([
      { webhookId: acknowledged.id, event: 'message.acknowledged', messageId: body.messageId },
      { webhookId: created.id, event: 'message.created', messageId: body.messageId },
    ])
    expect(queued.text).not.toContain('cat')
  })

  it("can be redelivered: one, or all that were given up since a time, and nobody else's", async () => {
    const [user, stranger] = [await makeUser(test()), await makeUser(test())]
    const { webhookId, deliveryId } = await makeWebhook(test(), user)
    const foreign = await makeWebhook(test(), stranger)
    const call = callAs(test(), user)
    const { db } = test().app.services
    const kill = () =>
      db.write((tx) =>
        tx.updateTable('webhookDeliveries').set({ state: 'dead', attempt: 10 }).where('id', '=', deliveryId).execute(),
      )
    const stateOf = async () => ((await call('list-webhook-deliveries')).body.deliveries as unknown[])[0]
    await kill()
    expect((await call('redeliver-webhook', { webhookId, deliveryId })).body).toEqual({ queued: 1 })
    expect(await stateOf()).toMatchObject({ id: deliveryId, state: 'pending', attempt: 0 })
    await kill()
    const later = new Date(Date.now() + 60_000).toISOString()
    expect((await call('redeliver-webhook', { webhookId, since: later })).body).toEqual({ queued: 0 })
    expect((await call('redeliver-webhook', { webhookId })).body).toEqual({ queued: 1 })
    expect((await call('redeliver-webhook', { webhookId })).body).toEqual({ queued: 0 })
    expect((await call('redeliver-webhook', { webhookId, deliveryId: foreign.deliveryId })).status).toBe(404)
    expect((await call('redeliver-webhook', foreign)).status).toBe(404)
    expect((await call('list-webhook-deliveries', { webhookId: foreign.webhookId })).status).toBe(404)
    expect((await call('list-webhook-deliveries', { webhookId, state: 'dead' })).body).toMatchObject({ total: 0 })
    // One that is just being sent is left alone.
    await db.write((tx) =>
      tx
        .updateTable('webhookDeliveries')
        .set({ leaseOwner: 'x', dueAt: Date.now() + 60_000 })
        .where('id', '=', deliveryId)
        .execute(),
    )
    expect((await call('redeliver-webhook', { webhookId, deliveryId })).body).toEqual({ queued: 0 })
  })

  it('can be redelivered where the server that was sending is lost, which then writes nothing any more', async () => {
    const user = await makeUser(test())
    const { webhookId, deliveryId } = await makeWebhook(test(), user)
    const { db } = test().app.services
    const lost = { leaseOwner: 'x', attempt: 3, fence: 7, dueAt: Date.now() - 1 }
    await db.write((tx) => tx.updateTable('webhookDeliveries').set(lost).where('id', '=', deliveryId).execute())
    const call = callAs(test(), user)
    expect((await call('redeliver-webhook', { webhookId, deliveryId })).body).toEqual({ queued: 1 })
    const row = db.read.selectFrom('webhookDeliveries').select(['leaseOwner', 'attempt', 'fence'])
    expect(await row.where('id', '=', deliveryId).executeTakeFirst()).toEqual({
      leaseOwner: null,
      attempt: 0,
      fence: 8,
    })
  })
})

onPostgres('webhooks on several servers', (dialect) => {
  const test = useTestApp({ dialect, runsJobs: false })

  it('leave no delivery behind that was queued while its webhook was deleted', async () => {
    const user = await makeUser(test())
    const call = callAs(test(), user)
    const { id } = webhookOf(await call('create-webhook', draft))
    const { db } = test().app.services
    const { promise: isDeleting, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: isQueued, resolve: hasQueued } = Promise.withResolvers<void>()
    const event = { event: 'message.created', messageId: newId(), vaultId: undefined, category: 'info' } as const
    const sending = db.write(async (tx) => {
      await queueEvent(tx, { ...event, userId: user.userId, priority: 3, targetId: 'user', at: Date.now() })
      hasQueued()
      await isDeleting
    })
    await isQueued
    const deleting = call('delete-webhook', { id })
    // Long enough for it to reach the row that the event holds.
    setTimeout(goOn, 200)
    await sending
    expect((await deleting).status).toBe(200)
    expect((await call('list-webhook-deliveries')).body.total).toBe(0)
  })

  it('let no redelivery go with what is cleared away', async () => {
    const user = await makeUser(test())
    const call = callAs(test(), user)
    const { webhookId, deliveryId: blocked } = await makeWebhook(test(), user)
    const { db } = test().app.services
    const deliveryId = newId()
    const row = await db.read.selectFrom('webhookDeliveries').selectAll().executeTakeFirstOrThrow()
    const old = { state: 'dead' as const, changedAt: 5 }
    await db.write(async (tx) => {
      await tx
        .insertInto('webhookDeliveries')
        .values({ ...row, id: deliveryId })
        .execute()
      await tx.updateTable('webhookDeliveries').set(old).where('userId', '=', user.userId).execute()
    })
    const { promise: isFree, resolve: release } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const holding = db.write(async (tx) => {
      await tx.selectFrom('webhookDeliveries').select('id').where('id', '=', blocked).forUpdate().execute()
      hold()
      await isFree
    })
    await isHeld
    const pruning = pruneDeliveries(db, Date.now())
    setTimeout(release, 400)
    await sleep(200)
    expect((await call('redeliver-webhook', { webhookId, deliveryId })).body).toEqual({ queued: 1 })
    await Promise.all([holding, pruning])
    const { body } = await call('list-webhook-deliveries')
    expect(body.deliveries).toMatchObject([{ id: deliveryId, state: 'pending' }])
  })
})

describe('a URL that webhooks may not go to', () => {
  const test = useTestApp()

  it.each([
    ['http://127.0.0.1:9000/', /^address not allowed; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['https://[::ffff:a9fe:a9fe]/latest', /^address not allowed; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['https://10.0.0.1', /^address not allowed; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['http://8.8.8.8/', /^must begin with https:\/\/; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['http://nobody.invalid/', /^must begin with https:\/\/; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['https://8.8.8.8:22/', /^port not allowed; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['https://a:b@8.8.8.8/', /^must not hold a user name or password$/],
  ])('%s', async (url, reason) => {
    const call = callAs(test(), await makeUser(test()))
    const { id } = webhookOf(await call('create-webhook', draft))
    for (const answer of [await call('create-webhook', { ...draft, url }), await call('update-webhook', { id, url })])
      expect(answer).toMatchObject({ status: 400, body: { fields: { url: expect.stringMatching(reason) } } })
    expect((await call('list-webhooks')).body).toMatchObject({ total: 1, webhooks: [{ url: draft.url }] })
  })
})

describe('a running server', () => {
  it('sends an event at once, without waiting for its next look round', async () => {
    const test = await startTestApp(local)
    const user = await makeUser(test)
    const agent = await startAgent(test, { user })
    const receiver = await startReceiver()
    const { secret } = webhookOf(await callAs(test, user)('create-webhook', { ...draft, url: receiver.url }))
    const wake = vi.spyOn(test.app.services.webhooks, 'wake')
    const { body } = await agent.call('send-message', { targetId: 'user', content: 'The cat sleeps.' })
    expect(wake).toHaveBeenCalledOnce()
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1)
    const [received] = receiver.received
    expect(new StandardWebhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
      event: 'message.created',
      messageId: body.messageId,
      userId: user.userId,
    })
  })

  it('tries a webhook out when asked, and keeps nothing of it', async () => {
    const test = await startTestApp(local)
    const call = callAs(test, await makeUser(test))
    let status = 200
    const receiver = await startReceiver((response) => response.writeHead(status).end())
    const { id, secret } = webhookOf(await call('create-webhook', { ...draft, url: receiver.url, isActive: false }))
    expect((await call('test-webhook', { id })).body).toMatchObject({ id, delivered: true, status: 200, error: null })
    const [received] = receiver.received
    expect(new StandardWebhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
      event: 'webhook.test',
      messageId: expect.any(String),
    })
    status = 302
    expect((await call('test-webhook', { id })).body).toMatchObject({
      delivered: false,
      status: 302,
      error: 'HTTP 302 (redirects are not followed)',
    })
    expect(webhookOf(await call('list-webhooks', { id }))).toMatchObject({ errorCount: 0, lastError: null })
    expect((await call('list-webhook-deliveries')).body).toMatchObject({ total: 0 })
  })

  it('tries one out at a time for each person', async () => {
    const test = await startTestApp(local)
    const call = callAs(test, await makeUser(test))
    const receiver = await startReceiver((response) => void setTimeout(() => response.writeHead(200).end(), 100))
    const { id } = webhookOf(await call('create-webhook', { ...draft, url: receiver.url }))
    const answers = await Promise.all([call('test-webhook', { id }), call('test-webhook', { id })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
    expect((await call('test-webhook', { id })).status).toBe(200)
  })
})

describe('a new secret', () => {
  it('signs beside the old one for a day, then alone', async () => {
    const clock = makeClock(Date.now())
    const test = await startTestApp({ ...local, now: clock.now })
    const call = callAs(test, await makeUser(test))
    const receiver = await startReceiver()
    const old = webhookOf(await call('create-webhook', { ...draft, url: receiver.url }))
    const rotated = await call('rotate-webhook-secret', { id: old.id })
    const fresh = webhookOf(rotated)
    expect(rotated.body.previousSecretUntil).toBe(clock.iso(24 * 3_600_000))
    expect(fresh.secret).not.toBe(old.secret)
    const send = async () => {
      await call('test-webhook', { id: old.id })
      const { body = '', headers = {} } = receiver.received.at(-1) ?? {}
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const signatures = String(headers['webhook-signature']).split(' ')
      // By hand: the library looks at the real clock.
      const outcomes = [old, fresh].map(async ({ secret }) => ({
        takes: signatures.includes(
          `v1,${(await hmacOf(Buffer.from(secret.slice(6), 'base64'), signed)).toString('base64')}`,
        ),
        fixed: headers['x-service-signature'] === `sha256=${(await hmacOf(secret, body)).toString('hex')}`,
      }))
      const [ofOld, ofFresh] = await Promise.all(outcomes)
      return { takes: [ofOld?.takes, ofFresh?.takes], fixed: [ofOld?.fixed, ofFresh?.fixed] }
    }
    expect(await send()).toEqual({ takes: [true, true], fixed: [true, false] })
    clock.advance(24 * 3_600_000)
    expect(await send()).toEqual({ takes: [false, true], fixed: [false, true] })
    const replaced = await call('rotate-webhook-secret', { id: old.id, immediately: true })
    expect(replaced.body.previousSecretUntil).toBeNull()
    expect(await send()).toEqual({ takes: [false, false], fixed: [false, false] })
  })
})
