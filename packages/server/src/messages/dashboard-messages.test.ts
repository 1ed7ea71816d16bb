import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

const box = async (person: TestPerson, query: Record<string, unknown> = {}) => {
  const { body, text } = await person.call('read-messages', { vaultId: undefined, ...query })
  expect(body.messages, text).toBeDefined()
  return [(body.messages as { content: string }[]).map(({ content }) => content).join(' '), body.total]
}

interface Thread extends Record<'first' | 'latest', { content: string }> {
  threadId: string
  messages: number
  pending: number
  pendingPriority: number | null
}

eachDialect('messages of the dashboard', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, agentId: 'ada' })
    const send = async (content: string, over: object = {}) => {
      clock.advance(1)
      const { body } = await agent.call('send-message', { targetId: 'user', content, ...over })
      return String(body.messageId)
    }
    const post = async (content: string, over: object = {}) => {
      clock.advance(1)
      const { status, body, text } = await person.call('send-message', { targetId: 'ada', content, ...over })
      expect([201, text]).toEqual([status, text])
      return body as { messageId: string; threadId: string }
    }
    return { person, agent, send, post, secondId: await makeVault(test(), person.user) }
  }

  it('are listed over all vaults or of one, by box, category, priority, sender and thread', async () => {
    const { person, send, post, secondId } = await start()
    const first = await send('a', { category: 'question', priority: 5 })
    await send('b', { vaultId: secondId })
    await send('other', { targetId: 'bob' })
    await send('c', { targetId: '*' })
    await post('d', { parentMessageId: first })
    await post('e')
    expect(await box(person)).toEqual(['c b a', 3])
    expect(await box(person, { vaultId: secondId })).toEqual(['b', 1])
    expect(await box(person, { box: 'sent' })).toEqual(['e d', 2])
    expect(await box(person, { box: 'all', limit: 2, offset: 1 })).toEqual(['d c', 6])
    expect(await box(person, { box: 'all', threadId: first })).toEqual(['d a', 2])
    expect(await box(person, { category: 'question' })).toEqual(['a', 1])
    expect(await box(person, { priorityMin: 4 })).toEqual(['a', 1])
    expect(await box(person, { fromAgentId: 'ada', box: 'sent' })).toEqual(['', 0])
    expect(await box(person, { box: 'agents' })).toEqual(['other', 1])
    expect(await box(person, { box: 'all', withAgentId: 'bob' })).toEqual(['other', 1])
    for (const query of [{ box: 'both' }, { status: 'new' }, { threadId: 'x' }])
      expect(await person.call('read-messages', query)).toMatchObject({ status: 400 })
  })

  it('are answered in their thread, and acknowledged once, each by its recipient', async () => {
    const { person, agent, send, post } = await start()
    const [own, all, foreign] = [await send('to you'), await send('to all', { targetId: '*' }), newId()]
    expect(await box(person, { status: 'pending' })).toEqual(['to all to you', 2])
    const acked = await person.call('ack-message', {
      vaultId: undefined,
      messageIds: [own, foreign, all, own],
      note: 'Seen',
    })
    expect(acked.body).toMatchObject({
      results: [
        { messageId: own, alreadyAcknowledged: false },
        { messageId: all, alreadyAcknowledged: false },
      ],
      notFound: [foreign],
    })
    expect(await box(person, { status: 'pending' })).toEqual(['', 0])
    const again = await person.call('ack-message', { vaultId: undefined, messageIds: [own] })
    expect(again.body).toMatchObject({ results: [{ alreadyAcknowledged: true }] })
    const { messageId, threadId } = await post('an answer', { parentMessageId: own })
    expect(threadId).toBe(own)
    const { body } = await agent.call('read-messages', { includeSent: true, threadId: own })
    expect(body.messages).toMatchObject([
      { messageId, fromAgentId: 'user', senderType: 'user', content: 'an answer' },
      { messageId: own, status: 'acknowledged', acknowledgedBy: 'user', ackNote: 'Seen' },
    ])
    // A person cannot acknowledge their own messages.
    expect((await person.call('ack-message', { vaultId: undefined, messageIds: [messageId] })).status).toBe(404)
    await agent.call('ack-message', { messageId, note: 'Done' })
    expect(((await person.call('read-messages', { id: messageId })).body.messages as unknown[])[0]).toMatchObject({
      status: 'acknowledged',
      acknowledgedBy: 'ada',
      ackNote: 'Done',
    })
  })

  it('are read one by one as long as they can be seen', async () => {
    const { person, send } = await start()
    const seen = await send('to you', { expiresInDays: 1 })
    const read = (id: string) => person.call('read-messages', { vaultId: undefined, id })
    expect((await read(seen)).body.messages).toMatchObject([{ content: 'to you', status: 'pending' }])
    clock.advance(86_400_001)
    expect((await read(seen)).status).toBe(404)
    expect(await box(person)).toEqual(['', 0])
  })

  it('among agents are seen and answered by the person, and acknowledged by whom they are for', async () => {
    const { person, agent, send, post } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const id = await send('to bob', { targetId: 'bob' })
    const read = async () =>
      ((await person.call('read-messages', { vaultId: undefined, id })).body.messages as unknown[])[0]
    expect(await read()).toMatchObject({ content: 'to bob', status: 'pending', acknowledgedBy: null })
    expect((await person.call('ack-message', { vaultId: undefined, messageIds: [id] })).status).toBe(404)
    await bob.call('ack-message', { messageId: id })
    expect(await read()).toMatchObject({ status: 'acknowledged', acknowledgedBy: 'bob' })
    expect(await box(person, { box: 'agents', status: 'acknowledged' })).toEqual(['to bob', 1])
    expect((await post('stop that', { targetId: 'bob', parentMessageId: id })).threadId).toBe(id)
    // An agent outside the conversation still sees only messages addressed to it.
    expect((await agent.call('send-message', { targetId: 'bob', content: 'so?', parentMessageId: id })).status).toBe(
      201,
    )
    const eve = await startAgent(test(), { user: person.user, agentId: 'eve' })
    expect((await eve.call('send-message', { targetId: 'bob', content: 'I?', parentMessageId: id })).status).toBe(404)
  })

  it('are listed by thread: pending ones first, then the newest', async () => {
    const { person, send, post, secondId } = await start()
    const asked = await send('asked', { category: 'question' })
    const done = await send('done', { vaultId: secondId })
    await person.call('ack-message', { vaultId: undefined, messageIds: [done] })
    await post('answered', { parentMessageId: asked })
    const between = await send('to bob', { targetId: 'bob' })
    const threads = async (query: Record<string, unknown> = {}) => {
      const { body, text } = await person.call('list-threads', { vaultId: undefined, box: 'all', ...query })
      expect(body.threads, text).toBeDefined()
      return (body.threads as Thread[]).map(({ threadId, messages, pending, first, latest }) => [
        threadId,
        messages,
        pending,
        first.content,
        latest.content,
      ])
    }
    expect(await threads()).toEqual([
      [asked, 2, 1, 'asked', 'answered'],
      [between, 1, 0, 'to bob', 'to bob'],
      [done, 1, 0, 'done', 'done'],
    ])
    expect(await threads({ box: 'received' })).toEqual([
      [asked, 1, 1, 'asked', 'asked'],
      [done, 1, 0, 'done', 'done'],
    ])
    expect(await threads({ box: 'sent' })).toEqual([[asked, 1, 0, 'answered', 'answered']])
    expect(await threads({ status: 'pending', box: 'received' })).toEqual([[asked, 1, 1, 'asked', 'asked']])
    expect(await threads({ limit: 1, offset: 1 })).toEqual([[between, 1, 0, 'to bob', 'to bob']])
    expect(await threads({ vaultId: secondId })).toEqual([[done, 1, 0, 'done', 'done']])
    const { body } = await person.call('list-threads', { vaultId: undefined, box: 'all', limit: 2 })
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true })
  })

  it('are listed by the highest priority that waits in their thread, on all pages', async () => {
    const { person, send } = await start()
    const alert = await send('It burns', { priority: 5 })
    await send('Only a toast', { parentMessageId: alert, priority: 3 })
    const usual = await send('Lunch?', { priority: 3 })
    const urgent = await send('The till jams', { priority: 4 })
    const low = await send('Nice weather', { priority: 1 })
    const done = await send('The roof leaks', { priority: 5 })
    await person.call('ack-message', { vaultId: undefined, messageIds: [done] })
    const orderOf = async (query: object = {}) => {
      const pages = [0, 2, 4].map((offset) =>
        person.call('list-threads', { vaultId: undefined, limit: 2, offset, ...query }),
      )
      const threads = (await Promise.all(pages)).flatMap(({ body }) => body.threads as Thread[])
      return threads.map(({ threadId, pendingPriority }) => [threadId, pendingPriority])
    }
    const order = [
      [alert, 5],
      [urgent, 4],
      [usual, 3],
      [low, 1],
      [done, null],
    ]
    expect(await orderOf()).toEqual(order)
    expect(await orderOf({ q: 't' })).toEqual(order.filter(([id]) => id !== usual))
    await person.call('ack-message', { vaultId: undefined, messageIds: [alert] })
    expect(await orderOf()).toEqual([
      [urgent, 4],
      [usual, 3],
      [alert, 3],
      [low, 1],
      [done, null],
    ])
  })

  it('are found by words or parts of them, in the text or the subject, in all vaults', async () => {
    const { person, send, post, secondId } = await start()
    const asked = await send('May I change the **sailing times**?', { subject: 'Winter timetable' })
    await post('Yes, from December on', { parentMessageId: asked })
    const other = await send('The WINTER slots are free', { vaultId: secondId })
    const found = async (q: string, query: object = {}) => {
      const { body, text } = await person.call('list-threads', { vaultId: undefined, box: 'all', q, ...query })
      expect(body.threads, text).toBeDefined()
      const threads = body.threads as { threadId: string; messages: number; pending: number }[]
      expect(body.total).toBe(threads.length)
      return threads.map(({ threadId, messages, pending }) => [threadId, messages, pending])
    }
    expect(await found('winter')).toEqual([
      [other, 1, 1],
      [asked, 1, 1],
    ])
    expect(await found('  times   SAIL ')).toEqual([[asked, 1, 1]])
    expect(await found('december')).toEqual([[asked, 1, 0]])
    expect(await found('december', { box: 'received' })).toEqual([])
    expect(await found('winter', { vaultId: secondId })).toEqual([[other, 1, 1]])
    expect(await found('winter sails')).toEqual([])
    const stranger = await makePerson(test())
    const theirs = await stranger.call('list-threads', { vaultId: undefined, box: 'all', q: 'winter' })
    expect(theirs.body).toMatchObject({ threads: [], total: 0 })
    expect(theirs.body).not.toHaveProperty('searchedFrom')
  })

  it('can only be deleted permanently by the user, together with their acknowledgements', async () => {
    const [{ person, agent, send, post }, stranger] = [await start(), await makePerson(test())]
    const id = await send('by mistake', { targetId: '*' })
    await person.call('ack-message', { vaultId: undefined, messageIds: [id] })
    const answer = await post('which?', { parentMessageId: id })
    expect((await stranger.call('erase-message', { vaultId: undefined, id })).status).toBe(404)
    const erase = () => person.call('erase-message', { vaultId: undefined, id })
    expect((await erase()).body).toEqual({ id, deleted: true })
    expect(await erase()).toMatchObject({ status: 404, body: { error: 'Message not found' } })
    const { body } = await agent.call('read-messages', { includeSent: true })
    expect(body.messages).toMatchObject([{ messageId: answer.messageId, threadId: id }])
    const { db } = test().app.services
    expect(await db.read.selectFrom('messageAcks').selectAll().where('messageId', '=', id).execute()).toEqual([])
  })

  it('cannot be read by another user', async () => {
    const [{ person, send, post, secondId }, stranger] = [await start(), await makePerson(test())]
    const ids = [await send('to you'), await send('to all', { targetId: '*' })]
    const posted = await post('to all agents', { targetId: '*' })
    expect(await box(stranger, { box: 'all' })).toEqual(['', 0])
    expect(await box(stranger, { box: 'agents' })).toEqual(['', 0])
    const threads = await stranger.call('list-threads', { vaultId: undefined, box: 'all' })
    expect(threads.body).toMatchObject({ threads: [], total: 0 })
    expect(
      (await stranger.call('ack-message', { vaultId: undefined, messageIds: [...ids, posted.messageId] })).status,
    ).toBe(404)
    for (const vaultId of [person.user.vaultId, secondId]) {
      const refused = { status: 404, body: { error: 'Vault not found' } }
      expect(await stranger.call('read-messages', { vaultId })).toMatchObject(refused)
      expect(await stranger.call('list-threads', { vaultId })).toMatchObject(refused)
      expect(await stranger.call('send-message', { vaultId, targetId: 'ada', content: 'x' })).toMatchObject(refused)
    }
    const reply = { targetId: 'ada', content: 'x', parentMessageId: ids[0] }
    expect(await stranger.call('send-message', reply)).toMatchObject({
      status: 404,
      body: { error: 'Message not found' },
    })
    expect(await box(person, { status: 'pending' })).toEqual(['to all to you', 2])
  })
})
