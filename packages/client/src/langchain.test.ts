import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { RunnableLambda, RunnableWithMessageHistory } from '@langchain/core/runnables'
import { describe, expect, it } from 'vitest'
import { useService } from '../test/service.ts'
import { HoldfastChatMessageHistory, HoldfastRetriever } from './langchain.ts'

describe("LangChain's adapters", () => {
  const service = useService({ config: { embeddings: { provider: 'static' } } })

  it('keep the messages of a conversation with their tool calls, and clear them', async () => {
    const client = await service().makeClient()
    const history = new HoldfastChatMessageHistory(client, { sessionId: 'ada' })
    expect(await history.getMessages()).toEqual([])
    const call = { id: 'c1', name: 'water', args: { litres: 2 }, type: 'tool_call' as const }
    const messages = [
      new HumanMessage({ content: 'Water the ferns\n```\n{"a": 1}', id: 'm1' }),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ content: 'done', tool_call_id: 'c1' }),
    ]
    await history.addMessages(messages)
    await history.addAIMessage('They are wet.')
    const again = await new HoldfastChatMessageHistory(client, { sessionId: 'ada' }).getMessages()
    expect(again.map((message) => [message.getType(), message.content])).toEqual([
      ['human', 'Water the ferns\n```\n{"a": 1}'],
      ['ai', ''],
      ['tool', 'done'],
      ['ai', 'They are wet.'],
    ])
    expect((again[1] as AIMessage).tool_calls).toEqual([call])
    expect(again[0]?.id).toBe('m1')
    expect((await client.notes.list()).total).toBe(2)
    expect(await new HoldfastChatMessageHistory(client, { sessionId: 'bob' }).getMessages()).toEqual([])
    await history.clear()
    expect(await history.getMessages()).toEqual([])
  })

  it('continue a conversation of RunnableWithMessageHistory', async () => {
    const client = await service().makeClient()
    const prompt = ChatPromptTemplate.fromMessages([new MessagesPlaceholder('history'), ['human', '{input}']])
    const model = RunnableLambda.from(
      (value: { messages: unknown[] }) => new AIMessage(`Message ${value.messages.length}`),
    )
    const chain = new RunnableWithMessageHistory({
      runnable: prompt.pipe((value) => ({ messages: value.toChatMessages() })).pipe(model),
      getMessageHistory: (sessionId: string) => new HoldfastChatMessageHistory(client, { sessionId }),
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    })
    const config = { configurable: { sessionId: 'ada' } }
    expect((await chain.invoke({ input: 'Hello' }, config)).content).toBe('Message 1')
    expect((await chain.invoke({ input: 'And now?' }, config)).content).toBe('Message 3')
  })

  it('find memories and parts of notes, and say who wrote them', async () => {
    const client = await service().makeClient({ agentId: 'gardener' })
    const { memoryId } = await client.memories.write({ content: 'Tomatoes get water at dawn.' })
    const { noteId } = await client.notes.create({ title: 'Beds', content: 'Tomatoes grow in the bed by the wall.' })
    const retriever = new HoldfastRetriever(client)
    const found = await retriever.invoke('When do tomatoes get water?')
    expect(found).toMatchObject([
      { pageContent: 'Tomatoes get water at dawn.', metadata: { source: 'memory', memoryId, memoryType: 'fact' } },
      {
        pageContent: expect.stringContaining('bed by the wall') as string,
        metadata: { source: 'note', noteId, title: 'Beds' },
      },
    ])
    expect(found[0]?.metadata['writer']).toContain('gardener')
    const memories = await new HoldfastRetriever(client, { sources: ['memories'], topK: 1 }).invoke('tomatoes')
    expect(memories.map(({ id }) => id)).toEqual([memoryId])
    expect(await retriever.invoke('  ')).toEqual([])
  })
})
