import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, type TestUser } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { contents, send, inboxOf, pendingOf } from './testing/send.ts'

eachDialect('messages', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const agentOf = (user: TestUser, agentId: string) => startAgent(test(), { user, agentId })
  const team = async () => {
    const user = await makeUser(test())
    return { user, ada: await agentOf(user, 'ada'), bob: await agentOf(user, 'bob'), eve: await agentOf(user, 'eve') }
  }

  it('are listed newest first, by page and filter, with totals under the same filter', async () => {
    const { ada, bob, eve } = await team()
    for (const n of [1, 2, 3]) {
      await send(ada, 'bob', { content: `a${n}`, priority: n, category: n === 2 ? 'alert' : 'info' })
      clock.advance(10)
    }
    const since = clock.iso()
    await send(eve, '*', { content: 'e', priority: 5 })
    await send(bob, 'ada', { content: 'own', priority: 5 })
    expect(await inboxOf(bob)).toEqual(['e', 'a3', 'a2', 'a1'])
    expect(await inboxOf(bob, { priorityMin: 3 })).toEqual(['e', 'a3'])
    expect(await inboxOf(bob, { category: 'alert' })).toEqual(['a2'])
    expect(await inboxOf(bob, { fromAgentId: 'eve' })).toEqual(['e'])
    expect(await inboxOf(bob, { since })).toEqual(['e'])
    expect(await inboxOf(bob, { since, includeSent: true })).toEqual(['own', 'e'])
    expect(await inboxOf(bob, { fromAgentId: 'bob', includeSent: true })).toEqual(['own'])
    const second = await bob.call('read-messages', { limit: 2, offset: 1 })
    expect(contents(second)).toEqual(['a3', 'a2'])
    expect(second.body).toMatchObject({ total: 4, limit: 2, offset: 1, hasMore: true })
    expect((await bob.call('read-messages', { limit: 2, offset: 2 })).body.hasMore).toBe(false)
  })

  it('are listed as pending by urgency, then age, with a total', async () => {
    const { ada, bob } = await team()
    for (const [content, priority] of [
      ['low', 1],
      ['first', 4],
      ['second', 4],
      ['top', 5],
    ]) {
      await send(ada, 'bob', { content, priority })
      clock.advance(1)
    }
    expect(await pendingOf(bob)).toEqual(['top', 'first', 'second', 'low'])
    const { body } = await bob.call('pending-messages', { limit: 1, priorityMin: 2 })
    expect(body).toMatchObject({ count: 3, messages: [{ content: 'top' }], offset: 0, hasMore: true })
    const { body: rest } = await bob.call('pending-messages', { limit: 2, offset: 2 })
    expect(rest).toMatchObject({ count: 4, messages: [{ content: 'second' }, { content: 'low' }], hasMore: false })
  })
})
