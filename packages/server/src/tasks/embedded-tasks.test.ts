import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startAgent, type TestAgent } from '../../test/scenarios.ts'
import { sendJson, startFakeEndpoint, type FakeEndpoint } from '../embeddings/testing/fake-endpoint.ts'

eachDialect('changes of a text that is embedded', (dialect) => {
  let endpoint: FakeEndpoint
  beforeAll(async () => {
    endpoint = await startFakeEndpoint()
  })
  afterAll(() => endpoint.close())

  /** Counts what is asked of the endpoint while a transaction is open. */
  const start = async () => {
    endpoint.reset()
    const embeddings = { provider: 'openai' as const, url: endpoint.url, key: undefined, model: 'hashed-trigrams' }
    const test = await startTestApp({ dialect, config: { embeddings } })
    const agent = await startAgent(test)
    const { db } = test.app.services
    const write = db.write.bind(db)
    let [open, askedInside] = [0, 0]
    endpoint.respond = ({ body }, response) => {
      askedInside += open
      const data = body.input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0, 0, 0] }))
      sendJson(response, { object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } })
    }
    /** What others do between the look at a record and each of the next writes. */
    const between = (others: (() => Promise<unknown>)[]) => {
      db.write = async (work) => {
        await others.shift()?.()
        return write(async (tx) => {
          open++
          return work(tx).finally(() => open--)
        })
      }
    }
    const vectorsMissing = async (itemId: string) =>
      (
        await db.read
          .selectFrom('indexEntries')
          .select('vectorsMissing')
          .where('itemId', '=', itemId)
          .executeTakeFirstOrThrow()
      ).vectorsMissing
    return { agent, between, vectorsMissing, askedInside: () => askedInside }
  }

  const makeTask = async (agent: TestAgent) => String((await agent.call('create-task', { title: 'Old' })).body.taskId)

  it('ask for no vector in a transaction, where another made the text of a task another one meanwhile', async () => {
    const { agent, between, askedInside, vectorsMissing } = await start()
    const taskId = await makeTask(agent)
    between([() => agent.call('update-task', { taskId, title: 'New' })])
    const { status, body } = await agent.call('update-task', { taskId, title: 'Old', status: 'done' })
    expect([status, body.version, askedInside()]).toEqual([200, 3, 0])
    const { tasks } = (await agent.call('list-tasks')).body as { tasks: { title: string }[] }
    expect([tasks[0]?.title, await vectorsMissing(taskId)]).toEqual(['Old', 0])
  })

  it('nor where the text of a memory did', async () => {
    const { agent, between, askedInside, vectorsMissing } = await start()
    const memoryId = await agent.write('Old')
    between([() => agent.call('update-memory', { memoryId, content: 'New' })])
    const { status, body } = await agent.call('update-memory', { memoryId, content: 'Old', importance: 5 })
    expect([status, body.version, askedInside()]).toEqual([200, 3, 0])
    expect([(await agent.read(memoryId)).content, await vectorsMissing(memoryId)]).toEqual(['Old', 0])
  })

  it('are made without vectors where others never cease, and get theirs later', async () => {
    const { agent, between, askedInside, vectorsMissing } = await start()
    const memoryId = await agent.write('Old')
    const others = ['A', 'B', 'C'].map(
      (summary) => () => agent.call('update-memory', { memoryId, summary, agentId: 'other' }),
    )
    // Each is let in before a write of the first one; its own write takes no other.
    const turns = others.flatMap((other) => [other, async () => {}])
    between(turns)
    const { status } = await agent.call('update-memory', { memoryId, content: 'Mine' })
    expect([status, askedInside(), turns.length]).toEqual([200, 0, 0])
    expect(await agent.read(memoryId)).toMatchObject({ content: 'Mine', summary: 'C' })
    expect(await vectorsMissing(memoryId)).toBe(1)
  })
})
