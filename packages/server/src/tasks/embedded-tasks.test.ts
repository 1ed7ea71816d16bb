import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startAgent, type TestAgent } from '../../test/scenarios.ts'
import { startFakeEndpoint, type FakeEndpoint } from '../embeddings/testing/fake-endpoint.ts'

eachDialect('changes of an embedded text', (dialect) => {
  let endpoint: FakeEndpoint
  beforeAll(async () => {
    endpoint = await startFakeEndpoint()
  })
  afterAll(() => endpoint.close())

  /** Counts the vectors requested inside a transaction. */
  const start = async () => {
    endpoint.reset()
    const embeddings = { provider: 'openai' as const, url: endpoint.url, key: undefined, model: 'hashed-trigrams' }
    const test = await startTestApp({ dialect, config: { embeddings }, runsJobs: false })
    const agent = await startAgent(test)
    const { db, embeddings: provider } = test.app.services
    if (provider === undefined) throw new RangeError('there is a provider')
    const place = new AsyncLocalStorage<'between' | 'transaction'>()
    const [write, embed] = [db.write.bind(db), provider.embed.bind(provider)]
    let askedInside = 0
    provider.embed = (...asked) => {
      if (place.getStore() === 'transaction') askedInside++
      return embed(...asked)
    }
    /** Runs concurrent changes between the call's read of a record and each of its writes. */
    const callBetween = async (others: (() => Promise<unknown>)[], name: string, body: Record<string, unknown>) => {
      db.write = async (work) => {
        if (place.getStore() === 'between') await place.exit(() => others.shift()?.())
        return write((tx) => place.run('transaction', () => work(tx)))
      }
      return place.run('between', () => agent.call(name, body))
    }
    const vectorsMissing = async (itemId: string) =>
      (
        await db.read
          .selectFrom('indexEntries')
          .select('vectorsMissing')
          .where('itemId', '=', itemId)
          .executeTakeFirstOrThrow()
      ).vectorsMissing
    return { agent, callBetween, vectorsMissing, askedInside: () => askedInside }
  }

  const makeTask = async (agent: TestAgent) => String((await agent.call('create-task', { title: 'Old' })).body.taskId)

  it('request no vector in a transaction, if the text of a task was changed concurrently', async () => {
    const { agent, callBetween, askedInside, vectorsMissing } = await start()
    const taskId = await makeTask(agent)
    const others = [() => agent.call('update-task', { taskId, title: 'New' })]
    const { status, body } = await callBetween(others, 'update-task', { taskId, title: 'Old', status: 'done' })
    expect([status, body.version, askedInside()]).toEqual([200, 3, 0])
    const { tasks } = (await agent.call('list-tasks')).body as { tasks: { title: string }[] }
    expect([tasks[0]?.title, await vectorsMissing(taskId)]).toEqual(['Old', 0])
  })

  it('request none either if the text of a memory was', async () => {
    const { agent, callBetween, askedInside, vectorsMissing } = await start()
    const memoryId = await agent.write('Old')
    const others = [() => agent.call('update-memory', { memoryId, content: 'New' })]
    const { status, body } = await callBetween(others, 'update-memory', { memoryId, content: 'Old', importance: 5 })
    expect([status, body.version, askedInside()]).toEqual([200, 3, 0])
    expect([(await agent.read(memoryId)).content, await vectorsMissing(memoryId)]).toEqual(['Old', 0])
  })

  it('are saved without vectors if concurrent changes continue, and get theirs later', async () => {
    const { agent, callBetween, askedInside, vectorsMissing } = await start()
    const memoryId = await agent.write('Old')
    const others = ['A', 'B', 'C'].map((summary) => () => agent.call('update-memory', { memoryId, summary }))
    const { status } = await callBetween(others, 'update-memory', { memoryId, content: 'Mine' })
    expect([status, askedInside(), others.length]).toEqual([200, 0, 0])
    expect(await agent.read(memoryId)).toMatchObject({ content: 'Mine', summary: 'C' })
    expect(await vectorsMissing(memoryId)).toBe(1)
  })
})
