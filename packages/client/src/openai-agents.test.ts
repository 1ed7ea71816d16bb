import { Agent, run, setTracingDisabled, Usage, user, type AgentInputItem, type Model } from '@openai/agents-core'
import { describe, expect, it } from 'vitest'
import { useService } from '../test/service.ts'
import { HoldfastSession } from './openai-agents.ts'

setTracingDisabled(true)

describe('a session of the OpenAI Agents SDK', () => {
  const service = useService()

  const said = (...texts: string[]): AgentInputItem[] => texts.map((text) => user(text))
  const textsOf = (items: readonly (AgentInputItem | undefined)[]) =>
    items.map((item) => JSON.stringify(item ?? null).match(/"text":"([^"]*)/)?.[1])

  it('keeps items in order when it is opened again', async () => {
    const client = await service().makeClient()
    const session = new HoldfastSession(client)
    const sessionId = await session.getSessionId()
    expect(await session.getItems()).toEqual([])
    const items = said('one', 'two', 'three\n```\n{"no": "item"}', '[[four]] "quoted" 世界')
    await session.addItems(items.slice(0, 3))
    await session.addItems(items.slice(3))
    await session.addItems([])
    const again = new HoldfastSession(client, { sessionId })
    expect(await again.getItems()).toEqual(items)
    expect(await again.getItems(2)).toEqual(items.slice(-2))
    expect(await again.getItems(0)).toEqual([])
    expect(await new HoldfastSession(client, { sessionId: 'another' }).getItems()).toEqual([])
    expect((await client.notes.list()).notes).toMatchObject(
      Array.from({ length: 2 }, () => ({ title: sessionId, folderPath: 'sessions', links: { out: 0, in: 0 } })),
    )
  })

  it('separates ids that differ only in case, and folders', async () => {
    const client = await service().makeClient()
    await new HoldfastSession(client, { sessionId: 'Thread 1' }).addItems(said('mine'))
    for (const other of [{ sessionId: 'thread 1' }, { sessionId: 'Thread  1' }, { sessionId: 'Thread 1', folder: 'b' }])
      expect(await new HoldfastSession(client, other).getItems()).toEqual([])
  })

  it('pops the newest items one by one, and clears all at once', async () => {
    const session = new HoldfastSession(await service().makeClient())
    await session.addItems(said('one', 'two'))
    await session.addItems(said('three'))
    expect(textsOf([await session.popItem(), await session.popItem()])).toEqual(['three', 'two'])
    expect(textsOf(await session.getItems())).toEqual(['one'])
    await session.addItems(said('four'))
    expect(textsOf(await session.getItems())).toEqual(['one', 'four'])
    await session.clearSession()
    expect(await session.getItems()).toEqual([])
    expect(await session.popItem()).toBeUndefined()
  })

  it('stores more than fits into a note', async () => {
    const client = await service().makeClient()
    const session = new HoldfastSession(client)
    const items = said(...['a', 'b', 'c'].map((letter) => letter.repeat(250_000)))
    await session.addItems(items)
    expect(await session.getItems()).toEqual(items)
    expect((await client.notes.list()).total).toBe(3)
  })

  it('rejects an item that is longer than a note, and adds none of the others', async () => {
    const client = await service().makeClient()
    const session = new HoldfastSession(client)
    const tooLong = session.addItems([...said('one'), ...said('x'.repeat(500_000))])
    await expect(tooLong).rejects.toThrow(/^An item can have 499988 characters as JSON, but one has 500\d\d\d$/)
    expect((await client.notes.list()).total).toBe(0)
    const around = JSON.stringify(said('')[0]).length
    const longest = said('y'.repeat(499_988 - around))
    await session.addItems(longest)
    expect(await session.getItems()).toEqual(longest)
  })

  it("works with the SDK's own runner", async () => {
    const heard: number[] = []
    const model: Model = {
      async getResponse({ input }) {
        heard.push(input.length)
        const content = [{ type: 'output_text' as const, text: `Answer ${heard.length}` }]
        return {
          usage: new Usage(),
          output: [{ type: 'message', role: 'assistant', status: 'completed', content }],
        }
      },
      async *getStreamedResponse() {},
    }
    const client = await service().makeClient()
    const agent = new Agent({ name: 'Gardener', model })
    const first = await run(agent, 'When do I water?', { session: new HoldfastSession(client, { sessionId: 's1' }) })
    expect(first.finalOutput).toBe('Answer 1')
    const session = new HoldfastSession(client, { sessionId: 's1' })
    await run(agent, 'And how much?', { session })
    expect(heard).toEqual([1, 3])
    expect(textsOf(await session.getItems())).toEqual([undefined, 'Answer 1', undefined, 'Answer 2'])
    expect(await session.getItems()).toMatchObject([
      { content: 'When do I water?' },
      {},
      { content: 'And how much?' },
      {},
    ])
  })
})
