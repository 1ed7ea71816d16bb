import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, type TestUser } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { dayMs } from '../core/time.ts'
import { listed, send, inboxOf, pendingOf } from './testing/send.ts'

eachDialect('messages', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const agentOf = (user: TestUser, agentId: string) => startAgent(test(), { user, agentId })
  const team = async () => {
    const user = await makeUser(test())
    return { user, ada: await agentOf(user, 'ada'), bob: await agentOf(user, 'bob'), eve: await agentOf(user, 'eve') }
  }

  it('stay pending however often they are read, until their recipient acknowledges them', async () => {
    const { ada, bob } = await team()
    const messageId = await send(ada, 'bob')
    for (let time = 0; time < 3; time++) {
      expect((await bob.call('read-messages', { status: 'pending' })).body.total).toBe(1)
      expect((await bob.call('pending-messages')).body).toMatchObject({ count: 1, messages: [{ status: 'pending' }] })
    }
    clock.advance(1000)
    const first = await bob.call('ack-message', { messageId, note: 'done ✓' })
    const done = { messageId, acknowledged: true, status: 'acknowledged', acknowledgedAt: clock.iso() }
    expect([first.status, first.body]).toEqual([200, { ...done, alreadyAcknowledged: false }])
    clock.advance(1000)
    const again = await bob.call('ack-message', { id: messageId, note: 'other' })
    expect([again.status, again.body]).toEqual([200, { ...done, alreadyAcknowledged: true }])
    expect([await pendingOf(bob), await inboxOf(bob, { status: 'pending' })]).toEqual([[], []])
    const seen = {
      status: 'acknowledged',
      acknowledgedBy: 'bob',
      acknowledgedAt: done.acknowledgedAt,
      ackNote: 'done ✓',
    }
    expect(listed(await bob.call('read-messages', { status: 'acknowledged' }))).toMatchObject([seen])
    expect(listed(await ada.call('read-messages', { includeSent: true }))).toMatchObject([seen])
  })

  it('are acknowledged by each recipient of a broadcast separately', async () => {
    const { ada, bob, eve } = await team()
    const messageId = await send(ada, '*')
    const before = listed(await ada.call('read-messages', { includeSent: true, status: 'pending' }))
    expect(before).toMatchObject([{ messageId, status: 'pending' }])
    await eve.call('ack-message', { messageId, note: 'eve first' })
    clock.advance(5)
    expect([await pendingOf(bob), await pendingOf(eve)]).toEqual([['hello'], []])
    const second = await bob.call('ack-message', { messageId, note: 'bob second' })
    expect(second.body).toMatchObject({ alreadyAcknowledged: false, acknowledgedAt: clock.iso() })
    expect(listed(await bob.call('read-messages'))).toMatchObject([{ acknowledgedBy: 'bob', ackNote: 'bob second' }])
    expect(listed(await ada.call('read-messages', { includeSent: true }))).toMatchObject([
      { acknowledgedBy: 'eve', ackNote: 'eve first' },
    ])
  })

  it('can only be acknowledged by a recipient; to others they do not exist', async () => {
    const { ada, bob, eve } = await team()
    const [direct, toAll, toPerson] = [await send(ada, 'bob'), await send(ada, '*'), await send(ada, 'user')]
    const missing = { error: 'Message not found' }
    for (const [agent, messageId] of [
      [eve, direct],
      [ada, direct],
      [ada, toAll],
      [bob, toPerson],
      [bob, newId()],
    ] as const) {
      const { status, body } = await agent.call('ack-message', { messageId })
      expect([status, body]).toEqual([404, missing])
    }
    const asUser = await bob.call('ack-message', { messageId: toPerson, agentId: 'user' })
    expect([asUser.status, Object.keys(asUser.body.fields as object)]).toEqual([400, ['agentId']])
    const stranger = await startAgent(test(), { agentId: 'bob' })
    expect((await stranger.call('ack-message', { messageId: direct })).status).toBe(404)
  })

  it('can be acknowledged several at once, with missing ones listed', async () => {
    const { ada, bob } = await team()
    const ids = [await send(ada, 'bob'), await send(ada, '*'), await send(ada, 'bob')]
    const foreign = await send(ada, 'eve')
    await bob.call('ack-message', { messageId: ids[1] })
    const { status, body } = await bob.call('ack-message', { messageIds: [...ids, foreign, ids[0]] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ messageId: ids[0], alreadyAcknowledged: false, notFound: [foreign] })
    expect((body.results as Record<string, unknown>[]).map((one) => [one.messageId, one.alreadyAcknowledged])).toEqual([
      [ids[0], false],
      [ids[1], true],
      [ids[2], false],
    ])
    expect((await bob.call('ack-message', { messageIds: [foreign, newId()] })).status).toBe(404)
    expect((await bob.call('ack-message', { ids })).body).toMatchObject({
      messageId: ids[0],
      alreadyAcknowledged: true,
    })
    const none = await bob.call('ack-message', {})
    expect([none.status, Object.keys(none.body.fields as object)]).toEqual([400, ['messageId']])
  })

  it('expire on time in every list', async () => {
    const { ada, bob } = await team()
    const messageId = await send(ada, 'bob', { expiresInDays: 1 })
    clock.advance(dayMs - 1)
    expect(await pendingOf(bob)).toEqual(['hello'])
    clock.advance(1)
    expect([await pendingOf(bob), await inboxOf(bob), await inboxOf(ada, { includeSent: true })]).toEqual([[], [], []])
    expect((await bob.call('ack-message', { messageId })).status).toBe(404)
    const reply = await bob.call('send-message', { targetId: 'ada', content: 'x', parentMessageId: messageId })
    expect([reply.status, reply.body]).toEqual([404, { error: 'Message not found' }])
  })
})
