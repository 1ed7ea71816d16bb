import { expect, it } from 'vitest'
import { useTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault, type TestUser } from '../../test/factories.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import { dayMs } from '../core/time.ts'
import { listed, send, inboxOf, pendingOf } from './testing/send.ts'

async function subscribe({ app }: TestApp, { userId }: TestUser): Promise<void> {
  const filters = { vaultId: null, categories: null, minPriority: null, targetId: null }
  const state = {
    isActive: 1,
    errorCount: 0,
    lastError: null,
    lastErrorRevision: 0,
    endpointRevision: 1,
    lastDeliveryAt: null,
    heldUntil: 2 ** 52,
  }
  const counts = { windowStartedAt: 0, windowAttempts: 0, windowFailures: 0, version: 1, createdAt: 0, updatedAt: 0 }
  const events = 'message.created,message.acknowledged'
  const row = { id: newId(), userId, events, endpoint: asSealed(Buffer.alloc(0)), ...filters, ...state, ...counts }
  await app.services.db.write((tx) => tx.insertInto('webhooks').values(row).execute())
}

eachDialect('messages', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const agentOf = (user: TestUser, agentId: string) => startAgent(test(), { user, agentId })
  const team = async () => {
    const user = await makeUser(test())
    return { user, ada: await agentOf(user, 'ada'), bob: await agentOf(user, 'bob'), eve: await agentOf(user, 'eve') }
  }

  it('reach only the named agent, complete', async () => {
    const { user, ada, bob, eve } = await team()
    const sent = { content: ' "Ünï" 𝄞\r\n', subject: ' s ', category: 'directive', priority: 5, expiresInDays: 1 }
    const { status, body } = await ada.call('send-message', { targetId: 'bob', targetType: 'agent', ...sent })
    const messageId = body.messageId
    expect([status, body]).toEqual([
      201,
      {
        messageId,
        created: true,
        idempotent: false,
        targetId: 'bob',
        targetType: 'agent',
        category: 'directive',
        priority: 5,
        vaultId: user.vaultId,
        threadId: messageId,
        expiresAt: clock.iso(dayMs),
      },
    ])
    const answer = await bob.call('read-messages')
    expect(answer.body).toMatchObject({ total: 1, limit: 20, offset: 0, hasMore: false })
    expect(listed(answer)).toEqual([
      {
        messageId,
        id: messageId,
        vaultId: user.vaultId,
        fromAgentId: 'ada',
        senderType: 'agent',
        sentBy: { integrationId: expect.any(String), label: 'Test agent', agentId: 'ada' },
        trust: 'agent_authored',
        targetId: 'bob',
        targetType: 'agent',
        category: 'directive',
        priority: 5,
        subject: ' s ',
        content: ' "Ünï" 𝄞\r\n',
        template: null,
        status: 'pending',
        acknowledgedAt: null,
        acknowledgedBy: null,
        acknowledgedWith: null,
        ackNote: null,
        parentMessageId: null,
        threadId: messageId,
        expiresAt: clock.iso(dayMs),
        createdAt: clock.iso(),
      },
    ])
    expect([await inboxOf(ada), await inboxOf(eve)]).toEqual([[], []])
    const stranger = await startAgent(test(), { agentId: 'bob' })
    expect([await inboxOf(stranger), await pendingOf(stranger)]).toEqual([[], []])
  })

  it('reach everyone except their sender if broadcast, and no agent if sent to the user', async () => {
    const { ada, bob, eve } = await team()
    await send(ada, '*', { content: 'to all' })
    await send(ada, 'user', { content: 'to the person' })
    expect([await inboxOf(ada), await inboxOf(bob), await inboxOf(eve)]).toEqual([[], ['to all'], ['to all']])
    for (const agentId of ['user', '*']) expect((await bob.call('read-messages', { agentId })).status).toBe(400)
    expect(listed(await ada.call('read-messages', { includeSent: true })).map((sent) => sent.targetType)).toEqual([
      'user',
      'broadcast',
    ])
  })

  it('have a target type, and are refused if the sender gives another one', async () => {
    const { ada } = await team()
    for (const [targetId, targetType] of [
      ['*', 'broadcast'],
      ['user', 'user'],
      ['User', 'agent'],
      ['**', 'agent'],
    ]) {
      expect((await ada.call('send-message', { targetId, content: 'x' })).body.targetType).toBe(targetType)
      for (const claimed of ['agent', 'user', 'broadcast']) {
        const { status, body } = await ada.call('send-message', { targetId, content: 'x', targetType: claimed })
        const refusal = { fields: { targetId: expect.stringContaining(`targetType ${targetType}`) } }
        const isTaken = claimed === targetType
        expect([targetId, claimed, status, body]).toMatchObject([
          targetId,
          claimed,
          ...(isTaken ? [201, {}] : [400, refusal]),
        ])
      }
    }
  })

  it('use a template for fields that the sender leaves out', async () => {
    const { ada, bob } = await team()
    for (const [template, category, priority, subject] of [
      ['task_assignment', 'task', 4, 'Task assignment'],
      ['status_update', 'info', 2, 'Status update'],
      ['alert', 'alert', 5, 'Alert'],
      ['question', 'question', 3, 'Question'],
    ]) {
      await send(ada, 'bob', { template, content: `by ${template}` })
      const own = { template, category: 'directive', priority: 1, subject: '', content: `own ${template}` }
      await send(ada, 'bob', own)
      const found = listed(await bob.call('read-messages')).filter((message) => message.template === template)
      expect(found.find((message) => message.content === `by ${template}`)).toMatchObject({
        category,
        priority,
        subject,
      })
      expect(found.find((message) => message.content === `own ${template}`)).toMatchObject(own)
    }
    await send(ada, 'bob', { content: 'plain' })
    const plain = listed(await bob.call('read-messages')).find(({ content }) => content === 'plain')
    expect(plain).toMatchObject({ category: 'info', priority: 3, subject: null, template: null })
  })

  it('form a thread that replies join, for those who can see what they answer', async () => {
    const { ada, bob, eve } = await team()
    const root = await send(ada, 'bob')
    const reply = await bob.call('send-message', { targetId: 'ada', content: 'reply', parentMessageId: root })
    expect(reply.body).toMatchObject({ threadId: root })
    const own = await send(ada, 'bob', { content: 'again', parentMessageId: root })
    await send(ada, 'eve', { content: 'aside', parentMessageId: String(reply.body.messageId) })
    await send(ada, 'bob', { content: 'another matter' })
    const thread = { threadId: root, includeSent: true }
    clock.advance(1)
    expect((await inboxOf(bob, thread)).toSorted()).toEqual(['again', 'hello', 'reply'])
    expect(await inboxOf(eve, thread)).toEqual(['aside'])
    const found = listed(await bob.call('read-messages', thread)).find(({ messageId }) => messageId === own)
    expect(found).toMatchObject({ parentMessageId: root, threadId: root })
    const stranger = await startAgent(test(), { agentId: 'bob' })
    for (const [agent, parentMessageId] of [
      [eve, root],
      [stranger, root],
      [ada, newId()],
    ] as const) {
      const { status, body } = await agent.call('send-message', { targetId: 'ada', content: 'x', parentMessageId })
      expect([status, body]).toEqual([404, { error: 'Message not found' }])
    }
  })

  it('are sent once per externalWriteId, also concurrently, and a repeat changes nothing', async () => {
    const { user, ada, bob } = await team()
    const body = { targetId: 'bob', content: 'once', externalWriteId: 'k', priority: 4 }
    const answers = await Promise.all(Array.from({ length: 10 }, () => ada.call('send-message', body)))
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([...Array<number>(9).fill(200), 201])
    const repeat = await ada.call('send-message', { ...body, targetId: '*', content: 'other', priority: 1 })
    expect([repeat.status, repeat.body]).toMatchObject([
      200,
      { created: false, idempotent: true, targetId: 'bob', targetType: 'agent', priority: 4 },
    ])
    expect(await inboxOf(bob)).toEqual(['once'])
    const second = await makeVault(test(), user)
    await send(ada, 'bob', { externalWriteId: 'k', vaultId: second, content: 'of another vault' })
    await send(ada, 'bob', { externalWriteId: 'K', content: 'of another case' })
    expect((await inboxOf(bob)).length).toBe(3)
  })

  it('are sent once even if their parent has expired since', async () => {
    const { ada, bob } = await team()
    const parentMessageId = await send(ada, 'bob', { expiresInDays: 1 })
    const reply = { targetId: 'ada', content: 'x', parentMessageId, externalWriteId: 'k' }
    const first = await bob.call('send-message', reply)
    clock.advance(2 * dayMs)
    const again = await bob.call('send-message', reply)
    expect([first.status, again.status, again.body.messageId]).toEqual([201, 200, first.body.messageId])
    expect((await bob.call('send-message', { ...reply, externalWriteId: 'other' })).status).toBe(404)
  })

  it('change nothing in the search index of the vault', async () => {
    const { user, ada, bob } = await team()
    const seq = async () => {
      const { read } = test().app.services.db
      return read.selectFrom('vaults').select('seq').where('id', '=', user.vaultId).executeTakeFirstOrThrow()
    }
    const before = await seq()
    await bob.call('ack-message', { messageId: await send(ada, 'bob') })
    await ada.call('create-folder', { name: 'Plans' })
    expect(await seq()).toEqual(before)
  })

  it('send one event each, and one for each first acknowledgement, also for concurrent calls', async () => {
    const { user, ada, bob, eve } = await team()
    await subscribe(test(), user)
    const messageId = await send(ada, '*', { externalWriteId: 'k' })
    await ada.call('send-message', { targetId: '*', content: 'x', externalWriteId: 'k' })
    const acks = await Promise.all([bob, bob, bob, eve, eve].map((agent) => agent.call('ack-message', { messageId })))
    expect(acks.filter(({ body }) => body.alreadyAcknowledged === false)).toHaveLength(2)
    await bob.call('ack-message', { messageIds: [messageId] })
    const rows = await test()
      .app.services.db.read.selectFrom('webhookDeliveries')
      .selectAll()
      .where('userId', '=', user.userId)
      .execute()
    const bodies = rows.map(({ body }) => JSON.parse(body) as { acknowledgedBy?: string })
    const timestamp = clock.iso()
    const event = { messageId, userId: user.userId, timestamp }
    expect(bodies.toSorted((a, b) => (a.acknowledgedBy ?? '').localeCompare(b.acknowledgedBy ?? ''))).toEqual([
      { event: 'message.created', ...event },
      { event: 'message.acknowledged', ...event, acknowledgedBy: 'bob' },
      { event: 'message.acknowledged', ...event, acknowledgedBy: 'eve' },
    ])
  })
})
