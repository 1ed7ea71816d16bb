import { expect, it } from 'vitest'
import { useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import type { WebhooksTable } from '../db/tables/webhooks.ts'
import { queueEvent, type MessageEvent } from './outbox.ts'

eachDialect('the outbox of webhooks', (dialect) => {
  const db = useTestDatabase(dialect)

  async function subscribe(userId: string, over: Partial<WebhooksTable> = {}): Promise<string> {
    const id = newId()
    const none = {
      vaultId: null,
      categories: null,
      minPriority: null,
      targetId: null,
      lastError: null,
      lastErrorRevision: 0,
      endpointRevision: 1,
      heldUntil: null,
    }
    const counts = { errorCount: 0, windowStartedAt: 0, windowAttempts: 0, windowFailures: 0, lastDeliveryAt: null }
    const row = { ...none, ...counts, id, userId, events: 'message.created', isActive: 1, version: 1, createdAt: 0 }
    const endpoint = asSealed(Buffer.alloc(0))
    await db().write((tx) =>
      tx
        .insertInto('webhooks')
        .values({ ...row, endpoint, updatedAt: 0, ...over })
        .execute(),
    )
    return id
  }

  const eventOf = (userId: string, over: Partial<MessageEvent> = {}): MessageEvent => ({
    userId,
    event: 'message.created',
    messageId: newId(),
    vaultId: undefined,
    category: 'info',
    priority: 3,
    targetId: 'planner',
    at: 1_795_251_600_000,
    ...over,
  })

  const queue = (event: MessageEvent) => db().write((tx) => queueEvent(tx, event))
  const rowsOf = (userId: string) =>
    db().read.selectFrom('webhookDeliveries').selectAll().where('userId', '=', userId).orderBy('id').execute()

  it('writes one row per matching subscription, with one event id and the exact bytes to send', async () => {
    const userId = newId()
    const ids = [await subscribe(userId), await subscribe(userId)]
    await subscribe(newId())
    const event = eventOf(userId)
    expect(await queue(event)).toBe(2)
    const rows = await rowsOf(userId)
    expect(rows.map(({ webhookId }) => webhookId).toSorted()).toEqual(ids)
    expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(1)
    const body = `{"event":"message.created","messageId":"${event.messageId}","userId":"${userId}","timestamp":"2026-11-21T09:00:00.000Z"}`
    for (const row of rows) expect(row).toMatchObject({ body, state: 'pending', attempt: 0, dueAt: event.at })
  })

  it('says who acknowledged a message', async () => {
    const userId = newId()
    await subscribe(userId, { events: 'message.created,message.acknowledged' })
    await queue(eventOf(userId, { event: 'message.acknowledged', acknowledgedBy: 'planner' }))
    const [row] = await rowsOf(userId)
    expect(JSON.parse(row?.body ?? '')).toMatchObject({ event: 'message.acknowledged', acknowledgedBy: 'planner' })
  })

  it('stores nothing if the transaction fails', async () => {
    const userId = newId()
    await subscribe(userId)
    const failed = db().write(async (tx) => {
      await queueEvent(tx, eventOf(userId))
      throw new Error('the message could not be written')
    })
    await expect(failed).rejects.toThrow('the message could not be written')
    expect(await rowsOf(userId)).toEqual([])
  })

  const vaultId = newId()
  it.each<[string, Partial<WebhooksTable>, Partial<MessageEvent>, boolean]>([
    ['another event', { events: 'message.acknowledged' }, {}, false],
    ['an inactive subscription', { isActive: 0 }, {}, false],
    ['its vault', { vaultId }, { vaultId }, true],
    ['another vault', { vaultId }, { vaultId: newId() }, false],
    ['no vault', { vaultId }, {}, false],
    ['any vault', {}, { vaultId }, true],
    ['one of its categories', { categories: 'alert,task' }, { category: 'task' }, true],
    ['another category', { categories: 'alert,task' }, { category: 'info' }, false],
    ['its minimum priority', { minPriority: 3 }, {}, true],
    ['a lower priority', { minPriority: 4 }, {}, false],
    ['its target', { targetId: 'planner' }, {}, true],
    ['another target', { targetId: 'planner' }, { targetId: 'Planner' }, false],
    ['a broadcast with a target filter', { targetId: 'planner' }, { targetId: '*' }, false],
    ['only one of two filters', { categories: 'info', minPriority: 5 }, {}, false],
  ])('matches subscriptions by their filters: %s', async (_, subscription, message, isWanted) => {
    const userId = newId()
    await subscribe(userId, subscription)
    expect(await queue(eventOf(userId, message))).toBe(isWanted ? 1 : 0)
    expect(await rowsOf(userId)).toHaveLength(isWanted ? 1 : 0)
  })
})
