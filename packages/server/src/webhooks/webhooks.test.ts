import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect, onPostgres } from '../../test/dialects.ts'
import { makeUser, makeVault, makeWebhook } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import { pruneDeliveries } from './delivery-store.ts'
import { queueEvent } from './outbox.ts'
import { callAs, webhookOf, draft } from './testing/own-webhooks.ts'

eachDialect('webhooks', (dialect) => {
  const test = useTestApp({ dialect })

  it('are created, listed without their secret, changed and deleted', async () => {
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

  it.each(['endpoint', 'lastError'] as const)(
    'are left out of the list, which names them, if they are damaged, and can be deleted (%s)',
    async (column) => {
      const call = callAs(test(), await makeUser(test()))
      const { secret: _, ...intact } = webhookOf(await call('create-webhook', draft))
      const { id } = webhookOf(await call('create-webhook', draft))
      const { db } = test().app.services
      const cell = asSealed(Buffer.from('damaged'))
      await db.write((tx) =>
        tx
          .updateTable('webhooks')
          .set({ [column]: cell })
          .where('id', '=', id)
          .execute(),
      )
      const { status, body } = await call('list-webhooks')
      expect([status, body]).toEqual([
        200,
        { webhooks: [intact], leftOut: { damagedIds: [id] }, total: 2, limit: 20, offset: 0, hasMore: false },
      ])
      const read = await call('list-webhooks', { id })
      expect([read.status, read.body['error']]).toEqual([503, expect.stringContaining(`webhook ${id} is damaged`)])
      expect((await call('delete-webhook', { id })).status).toBe(200)
      expect((await call('list-webhooks')).body).toMatchObject({ webhooks: [intact], total: 1 })
    },
  )

  it('keep fields that an update leaves out', async () => {
    const call = callAs(test(), await makeUser(test()))
    const { secret: _, ...before } = webhookOf(await call('create-webhook', { ...draft, filters: { priority_gte: 2 } }))
    const after = webhookOf(await call('update-webhook', { id: before.id, isActive: false, url: null, events: null }))
    expect(after).toEqual({ ...before, isActive: false, version: 2, updatedAt: after.updatedAt })
  })

  it('keep their version if an update changes nothing', async () => {
    const call = callAs(test(), await makeUser(test()))
    const { secret: _, ...before } = webhookOf(await call('create-webhook', draft))
    for (const nothing of [{}, { isActive: true }, { events: [...draft.events, ...draft.events] }, { filters: null }])
      expect(webhookOf(await call('update-webhook', { id: before.id, ...nothing }))).toEqual(before)
  })

  it('refuse control characters in the target of their filters', async () => {
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

  it('are limited to fifty per user', async () => {
    const call = callAs(test(), await makeUser(test()))
    // No name to look up.
    const create = () => call('create-webhook', { ...draft, url: 'https://8.8.8.8/in' })
    for (let count = 0; count < 49; count++) expect((await create()).status).toBe(201)
    const last = await Promise.all([create(), create()])
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
    expect((await call('list-webhooks', { limit: '1' })).body).toMatchObject({ total: 50, hasMore: true })
    expect((await callAs(test(), await makeUser(test()))('create-webhook', draft)).status).toBe(201)
  })

  it("refuse another user's vault, and are deleted with their vault", async () => {
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

  it('get an event for each message, in the transaction of the message', async () => {
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

  it("can be redelivered: one delivery, or all dead ones since a time, but not another user's", async () => {
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
    const countDead = async () => webhookOf(await call('list-webhooks', { id: webhookId })).failedDeliveries
    expect(await countDead()).toBe(1)
    expect((await call('update-webhook', { id: webhookId, isActive: true })).body).toMatchObject({
      webhook: { failedDeliveries: 1 },
    })
    const later = new Date(Date.now() + 60_000).toISOString()
    expect((await call('redeliver-webhook', { webhookId, since: later })).body).toEqual({ queued: 0 })
    const misspelt = await call('redeliver-webhook', { webhookId, deliverId: deliveryId })
    expect([misspelt.status, misspelt.body.fields]).toEqual([400, { since: 'required without deliveryId' }])
    const since = new Date(0).toISOString()
    expect((await call('redeliver-webhook', { id: webhookId, since })).body).toEqual({ queued: 1 })
    expect((await call('redeliver-webhook', { webhookId, since })).body).toEqual({ queued: 0 })
    expect((await call('redeliver-webhook', { webhookId, deliveryId: foreign.deliveryId })).status).toBe(404)
    expect((await call('redeliver-webhook', foreign)).status).toBe(404)
    expect((await call('list-webhook-deliveries', { webhookId: foreign.webhookId })).status).toBe(404)
    expect((await call('list-webhook-deliveries', { webhookId, state: 'dead' })).body).toMatchObject({ total: 0 })
    expect(await countDead()).toBe(0)
    // One that is being sent is not changed.
    await db.write((tx) =>
      tx
        .updateTable('webhookDeliveries')
        .set({ leaseOwner: 'x', dueAt: Date.now() + 60_000 })
        .where('id', '=', deliveryId)
        .execute(),
    )
    expect((await call('redeliver-webhook', { webhookId, deliveryId })).body).toEqual({ queued: 0 })
  })

  it('can be redelivered if the sending server is lost, and ignore its late result', async () => {
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

  it('leave no delivery behind if one is queued while its webhook is deleted', async () => {
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
    // Long enough for it to reach the row that the event has locked.
    setTimeout(goOn, 200)
    await sending
    expect((await deleting).status).toBe(200)
    expect((await call('list-webhook-deliveries')).body.total).toBe(0)
  })

  it('are not pruned while they are queued again', async () => {
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

describe('a URL that webhooks must not use', () => {
  const test = useTestApp()

  it.each([
    ['http://127.0.0.1:9000/', /^address not allowed; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['https://[::ffff:a9fe:a9fe]/latest', /^address not allowed; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['https://10.0.0.1', /^address not allowed; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['http://8.8.8.8/', /^must begin with https:\/\/; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['http://nobody.invalid/', /^must begin with https:\/\/; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['https://8.8.8.8:22/', /^port not allowed; .* HOLDFAST_WEBHOOK_ALLOW$/],
    ['https://a:b@8.8.8.8/', /^must not contain a user name or password$/],
  ])('%s', async (url, reason) => {
    const call = callAs(test(), await makeUser(test()))
    const { id } = webhookOf(await call('create-webhook', draft))
    for (const answer of [await call('create-webhook', { ...draft, url }), await call('update-webhook', { id, url })])
      expect(answer).toMatchObject({ status: 400, body: { fields: { url: expect.stringMatching(reason) } } })
    expect((await call('list-webhooks')).body).toMatchObject({ total: 1, webhooks: [{ url: draft.url }] })
  })
})
