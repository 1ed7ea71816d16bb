import { generateText, stepCountIs, streamText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { useService } from '../test/service.ts'
import { memoryTools, recallMiddleware, rememberTurn } from './ai-sdk.ts'
import { createClient } from './index.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const says = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage,
  warnings: [],
})
const uses = (toolName: string, input: object) => ({
  ...says(''),
  content: [{ type: 'tool-call' as const, toolCallId: `call ${toolName}`, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
})

/** The input of the model at each step, as text. */
const promptsOf = (model: MockLanguageModelV4) => model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt))

describe('the tools for the AI SDK', () => {
  const service = useService()

  it('let a model search, remember and manage tasks', async () => {
    const client = await service().makeClient()
    await client.notes.create({ title: 'Beds', content: 'Tomatoes stand in the first bed.' })
    const model = new MockLanguageModelV4({
      doGenerate: [
        uses('write_memory', { content: 'Tomatoes get water at dawn.', memoryType: 'preference', importance: 4 }),
        uses('write_memory', { content: 'Tomatoes get water at dawn.', memoryType: 'preference' }),
        uses('search_memory', { query: 'tomatoes' }),
        uses('search_notes', { query: 'tomatoes' }),
        uses('create_task', { title: 'Water the tomatoes' }),
        uses('list_tasks', {}),
        uses('update_task', { taskId: 'no id', status: 'done' }),
        says('Done.'),
      ],
    })
    const { text, steps } = await generateText({
      model,
      tools: memoryTools(client),
      stopWhen: stepCountIs(10),
      prompt: 'Look after the tomatoes.',
    })
    expect(text).toBe('Done.')
    const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => String(output)))
    expect(results).toEqual([
      expect.stringMatching(/^Stored as [0-9a-f-]{36}\.$/),
      expect.stringMatching(/^Already stored as [0-9a-f-]{36}\.$/),
      expect.stringMatching(
        /^<(holdfast-recall-\w+)>\n- \[preference \S+, 20\S+, by "Test agent"\] Tomatoes get water at dawn\.\n<\/\1>$/,
      ),
      expect.stringMatching(/\n# \[note \S+\] Beds\n/),
      expect.stringMatching(/^Created task [0-9a-f-]{36}\.$/),
      expect.stringMatching(/\n- \[task \S+, todo, by "Test agent"\] Water the tomatoes\n/),
      expect.stringMatching(/^BadRequestError: Validation failed: taskId/),
    ])
    expect((await client.memories.search({ query: 'tomatoes dawn' })).memories[0]).toMatchObject({ importance: 4 })
  })

  it('return the reason of a failure to the model', async () => {
    const client = createClient({ url: 'http://127.0.0.1:9', key: 'svc_of_a_test', maxRetries: 0 })
    const model = new MockLanguageModelV4({ doGenerate: [uses('search_memory', { query: 'x' }), says('Without.')] })
    const { steps } = await generateText({ model, tools: memoryTools(client), stopWhen: stepCountIs(3), prompt: 'Go.' })
    expect(steps[0]?.toolResults[0]?.output).toBe('ConnectionError: The server cannot be reached')
  })
})

describe('the recall middleware', () => {
  const service = useService()

  it('adds matching memories to the question, searches once per turn, and stores nothing', async () => {
    const client = await service().makeClient()
    await client.memories.write({ content: 'Tomatoes get water\nat dawn.' })
    let searches = 0
    const counting = {
      ...client,
      memories: {
        ...client.memories,
        search: (...args: Parameters<typeof client.memories.search>) => {
          searches++
          return client.memories.search(...args)
        },
      },
    }
    const inner = new MockLanguageModelV4({ doGenerate: [uses('list_tasks', {}), says('At dawn.'), says('Now.')] })
    const model = wrapLanguageModel({ model: inner, middleware: recallMiddleware(counting) })
    const prompt = 'When do tomatoes get water?'
    await generateText({
      model,
      tools: memoryTools(client),
      stopWhen: stepCountIs(3),
      instructions: 'Be kind.',
      prompt,
    })
    expect(searches).toBe(1)
    expect(inner.doGenerateCalls).toHaveLength(2)
    for (const { prompt: told } of inner.doGenerateCalls)
      expect(told.slice(0, 2)).toMatchObject([
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            {
              type: 'text',
              text: expect.stringMatching(
                /^<holdfast-recall-\w+>\n- \[fact [^\]]+\] Tomatoes get water at dawn\.\n/,
              ) as string,
            },
            { type: 'text', text: prompt },
          ],
        },
      ])
    await generateText({ model, prompt: 'Are the tomatoes ripe?' })
    expect(searches).toBe(2)
    expect((await client.memories.search({ query: 'tomatoes' })).memories).toHaveLength(1)
  })

  const ask = (text: string) => ({ prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }] })
  /** The text that the middleware adds to a question, or undefined. */
  const recallBy = (middleware: ReturnType<typeof recallMiddleware>) => async (text: string) => {
    const model = new MockLanguageModelV4()
    const { prompt } = (await middleware.transformParams?.({ type: 'generate', params: ask(text), model })) ?? {}
    const parts = prompt?.[0]?.content as { text: string }[]
    return parts.length === 1 ? undefined : parts[0]?.text
  }

  it('adds a line per memory within the limit, with the summary if there is one', async () => {
    const client = await service().makeClient()
    for (const n of [1, 2, 3]) await client.memories.write({ content: `Tomatoes ${n} 🍅\n${`soil${n} `.repeat(5000)}` })
    await client.memories.write({ content: `Tomatoes. ${'compost '.repeat(5000)}`, summary: 'Tomatoes love\ncompost.' })
    const text = (await recallBy(recallMiddleware(client))('Tomatoes?')) ?? ''
    expect(text.length).toBeGreaterThan(5500)
    expect(text.length).toBeLessThan(6100)
    const lines = text.split('\n')
    expect(lines.length).toBe(6)
    expect(lines.slice(1, -1).toSorted()).toEqual([
      expect.stringMatching(/^- \[fact [^\]]+\] Tomatoes 1 🍅 soil1 .* …$/),
      expect.stringMatching(/^- \[fact [^\]]+\] Tomatoes 2 🍅 soil2 .* …$/),
      expect.stringMatching(/^- \[fact [^\]]+\] Tomatoes 3 🍅 soil3 .* …$/),
      expect.stringMatching(/^- \[fact [^\]]+\] Tomatoes love compost\.$/),
    ])
    const short = (await recallBy(recallMiddleware(client, { maxChars: 500 }))('Tomatoes?')) ?? ''
    expect(short.length).toBeLessThan(600)
    const { search_memory: search } = memoryTools(client, { maxChars: 1000 })
    const options = { toolCallId: 'c1', messages: [], context: undefined } as never
    const answer = (await search.execute?.({ query: 'Tomatoes' }, options)) as string
    expect(answer.split('\n')).toHaveLength(6)
    expect(answer.length).toBeLessThan(1100)
  })

  it('searches again after a failure, and after a minute', async () => {
    const { makeKey, makeClient, url } = service()
    const key = await makeKey()
    await (await makeClient({ url, key })).memories.write({ content: 'Tomatoes get water at dawn.' })
    let isAway = true
    let searches = 0
    const flaky = createClient({
      url,
      key,
      fetch: (...request) => {
        searches++
        return isAway ? Promise.reject(new TypeError('away')) : fetch(...request)
      },
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const recall = recallBy(recallMiddleware(flaky))
    expect(await recall('Tomatoes?')).toBeUndefined()
    isAway = false
    expect(await recall('Tomatoes?')).toContain('dawn')
    expect(await recall('Tomatoes?')).toContain('dawn')
    expect(searches).toBe(2)
    vi.setSystemTime(Date.now() + 61_000)
    expect(await recall('Tomatoes?')).toContain('dawn')
    expect(searches).toBe(3)
  })

  it('never cuts a character of a long question', async () => {
    const client = await service().makeClient()
    await client.memories.write({ content: 'Tomatoes get water at dawn.' })
    const recall = recallBy(recallMiddleware(client))
    expect(await recall(`${'Tomatoes? '.repeat(1000).slice(0, 9_999)}😀 tail`)).toContain('dawn')
  })

  it('lets the model answer alone if the search fails or finds nothing', async () => {
    const client = await service().makeClient()
    const away = createClient({ url: 'http://127.0.0.1:9', key: 'svc_of_a_test' })
    for (const memory of [client, away]) {
      const inner = new MockLanguageModelV4({ doGenerate: says('Hello.') })
      const model = wrapLanguageModel({ model: inner, middleware: recallMiddleware(memory) })
      expect((await generateText({ model, prompt: 'Hello?' })).text).toBe('Hello.')
      expect(promptsOf(inner)).toEqual([expect.not.stringContaining('holdfast-recall')])
    }
  })
})

describe('rememberTurn', () => {
  const service = useService()

  it('records both sides once per turn, when the stream has ended', async () => {
    const client = await service().makeClient()
    const chunks = [
      { type: 'text-start' as const, id: '1' },
      { type: 'text-delta' as const, id: '1', delta: 'We decided to use SQLite, because one file is enough.' },
      { type: 'text-end' as const, id: '1' },
      { type: 'finish' as const, finishReason: says('').finishReason, usage },
    ]
    const model = new MockLanguageModelV4({ doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) })
    const prompt = 'Remember: I prefer tabs over spaces.'
    const handedIn: string[] = []
    const noting = {
      ...client,
      session: {
        ...client.session,
        ingestTurn: (turn: Parameters<typeof client.session.ingestTurn>[0]) => {
          handedIn.push(`${turn.role}: ${turn.content}`)
          return client.session.ingestTurn(turn)
        },
      },
    }
    const result = streamText({ model, prompt, onEnd: rememberTurn(noting, prompt) })
    expect(await result.text).toContain('SQLite')
    await expect.poll(async () => (await client.memories.search({ query: 'tabs or spaces' })).memories.length).toBe(1)
    expect(handedIn).toEqual([`user: ${prompt}`, 'assistant: We decided to use SQLite, because one file is enough.'])
  })

  it('never cuts a character of a long turn', async () => {
    const client = await service().makeClient()
    const errors: unknown[] = []
    await rememberTurn(client, `${'a'.repeat(49_999)}😀b`, (error) => errors.push(error))({ text: '' })
    expect(errors).toEqual([])
  })

  it('never fails the turn', async () => {
    const away = createClient({ url: 'http://127.0.0.1:9', key: 'svc_of_a_test', maxRetries: 0 })
    const model = new MockLanguageModelV4({ doGenerate: says('Hello.') })
    const errors: unknown[] = []
    const onFinish = rememberTurn(away, 'Hi.', (error) => errors.push(error))
    expect((await generateText({ model, prompt: 'Hi.', onFinish })).text).toBe('Hello.')
    expect(errors).toMatchObject([{ name: 'ConnectionError' }, { name: 'ConnectionError' }])
  })
})
