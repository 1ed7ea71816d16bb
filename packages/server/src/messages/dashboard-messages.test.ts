import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

const box = async (person: TestPerson, query: Record<string, unknown> = {}) => {
  const { body, text } = await person.call('browse-messages', { vaultId: undefined, ...query })
  expect(body.messages, text).toBeDefined()
  return [(body.messages as { content: string }[]).map(({ content }) => content).join(' '), body.total]
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
      const { status, body, text } = await person.call('post-message', { targetId: 'ada', content, ...over })
      expect([201, text]).toEqual([status, text])
      return body.message as { messageId: string; threadId: string }
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
    expect(await box(person, { box: 'all', limit: 2, offset: 1 })).toEqual(['d c', 5])
    expect(await box(person, { box: 'all', threadId: first })).toEqual(['d a', 2])
    expect(await box(person, { category: 'question' })).toEqual(['a', 1])
    expect(await box(person, { priorityMin: 4 })).toEqual(['a', 1])
    expect(await box(person, { fromAgentId: 'ada', box: 'sent' })).toEqual(['', 0])
    for (const query of [{ box: 'out' }, { status: 'new' }, { threadId: 'x' }])
      expect(await person.call('browse-messages', query)).toMatchObject({ status: 400 })
  })

  it('are answered in their thread, and acknowledged once, each by its addressee', async () => {
    const { person, agent, send, post } = await start()
    const [own, all, foreign] = [await send('to you'), await send('to all', { targetId: '*' }), newId()]
    expect(await box(person, { status: 'pending' })).toEqual(['to all to you', 2])
    const acked = await person.call('acknowledge-messages', { ids: [own, foreign, all, own], note: 'Seen' })
    expect(acked.body).toMatchObject({
      messages: [
        { messageId: own, alreadyAcknowledged: false },
        { messageId: all, alreadyAcknowledged: false },
      ],
      notFound: [foreign],
    })
    expect(await box(person, { status: 'pending' })).toEqual(['', 0])
    const again = await person.call('acknowledge-messages', { ids: [own] })
    expect(again.body).toMatchObject({ messages: [{ alreadyAcknowledged: true }] })
    const { messageId, threadId } = await post('an answer', { parentMessageId: own })
    expect(threadId).toBe(own)
    const { body } = await agent.call('read-messages', { includeSent: true, threadId: own })
    expect(body.messages).toMatchObject([
      { messageId, fromAgentId: 'user', senderType: 'user', content: 'an answer' },
      { messageId: own, status: 'acknowledged', acknowledgedBy: 'user', ackNote: 'Seen' },
    ])
    // What the person has sent is not theirs to acknowledge.
    expect((await person.call('acknowledge-messages', { ids: [messageId] })).status).toBe(404)
    await agent.call('ack-message', { messageId, note: 'Done' })
    expect((await person.call('browse-messages', { id: messageId })).body.message).toMatchObject({
      status: 'acknowledged',
      acknowledgedBy: 'ada',
      ackNote: 'Done',
    })
  })

  it('are read one by one as long as they can be seen', async () => {
    const { person, send } = await start()
    const [seen, other] = [await send('to you', { expiresInDays: 1 }), await send('to bob', { targetId: 'bob' })]
    const read = (id: string) => person.call('browse-messages', { vaultId: undefined, id })
    expect((await read(seen)).body.message).toMatchObject({ content: 'to you', status: 'pending' })
    expect(await read(other)).toMatchObject({ status: 404, body: { error: 'Message not found' } })
    clock.advance(86_400_001)
    expect((await read(seen)).status).toBe(404)
    expect(await box(person)).toEqual(['', 0])
  })

  it('reach nobody else', async () => {
    const [{ person, send, post, secondId }, stranger] = [await start(), await makePerson(test())]
    const ids = [await send('to you'), await send('to all', { targetId: '*' })]
    const posted = await post('to all agents', { targetId: '*' })
    expect(await box(stranger, { box: 'all' })).toEqual(['', 0])
    expect((await stranger.call('acknowledge-messages', { ids: [...ids, posted.messageId] })).status).toBe(404)
    for (const vaultId of [person.user.vaultId, secondId]) {
      const refused = { status: 404, body: { error: 'Vault not found' } }
      expect(await stranger.call('browse-messages', { vaultId })).toMatchObject(refused)
      expect(await stranger.call('post-message', { vaultId, targetId: 'ada', content: 'x' })).toMatchObject(refused)
    }
    const reply = { targetId: 'ada', content: 'x', parentMessageId: ids[0] }
    expect(await stranger.call('post-message', reply)).toMatchObject({
      status: 404,
      body: { error: 'Message not found' },
    })
    expect(await box(person, { status: 'pending' })).toEqual(['to all to you', 2])
  })
})
