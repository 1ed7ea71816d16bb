import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createOpenAiCompatible } from './openai-compatible.ts'
import type { UseSettings } from './model-use.ts'
import { EmbeddingError, type EmbeddingProvider } from './provider.ts'
import { describeProvider } from './provider.suite.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { countTokens, goodAnswer, startFakeEndpoint } from './testing/fake-endpoint.ts'
import type { FakeEndpoint, Respond } from './testing/fake-endpoint.ts'

let endpoint: FakeEndpoint
beforeAll(async () => {
  endpoint = await startFakeEndpoint()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.close())

const key = 'sk-nobody-may-see-this-either'
// Short, so tests of slowness are fast; long enough for a busy machine otherwise.
const timeoutsMs = { query: 150, document: 5000 }
const make = (url = endpoint.url) => createOpenAiCompatible({ url, key, model: 'hashed', timeoutsMs })

describeProvider('openai-compatible', () =>
  createOpenAiCompatible({ url: endpoint.url, key, model: 'hashed', timeoutsMs: { query: 5000, document: 5000 } }),
)

/** Its first request is followed by another one that confirms the length of the vectors. */
async function warm(provider: EmbeddingProvider): Promise<EmbeddingProvider> {
  await provider.embed(['one'], 'document')
  expect(endpoint.seen).toHaveLength(2)
  endpoint.reset()
  return provider
}

async function failureOf(answer: Promise<unknown>): Promise<EmbeddingError> {
  const error = await answer.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  )
  if (error instanceof EmbeddingError) return error
  throw error
}

describe('requests', () => {
  it('posts model and texts to /embeddings below the base URL, with the key as bearer', async () => {
    await make().embed(['one', 'two'], 'document')
    expect(endpoint.seen[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: { model: 'hashed', input: ['one', 'two'] },
    })
  })

  it('sends no authorization without a key', async () => {
    await createOpenAiCompatible({ url: endpoint.url, key: undefined, model: 'hashed' }).embed(['one'], 'document')
    expect(endpoint.seen[0]?.headers).not.toHaveProperty('authorization')
  })

  it.each([
    ['a slash at the end', '/', '/v1/embeddings'],
    ['a query string', '?version=2', '/v1/embeddings?version=2'],
  ])('accepts a base URL with %s', async (_, end, path) => {
    await make(`${endpoint.url}${end}`).embed(['one'], 'document')
    expect(endpoint.seen[0]?.path).toBe(path)
  })

  it('sends at most batchSize texts at once, one request after the other, and adds up their tokens', async () => {
    const provider = await warm(make())
    let inFlight = 0
    let mostInFlight = 0
    endpoint.respond = ({ body }, response) => {
      mostInFlight = Math.max(mostInFlight, ++inFlight)
      setTimeout(() => {
        inFlight--
        sendJson(response, goodAnswer(body.input))
      }, 5)
    }
    const texts = Array.from({ length: provider.batchSize * 2 + 3 }, (_, i) => `text ${i}`)
    const { tokens } = await provider.embed(texts, 'document')
    expect(endpoint.seen.map(({ body }) => body.input.length)).toEqual([provider.batchSize, provider.batchSize, 3])
    expect(mostInFlight).toBe(1)
    expect(tokens).toBe(countTokens(texts))
  })

  it('sends no request for an empty list', async () => {
    await make().embed([], 'query')
    expect(endpoint.seen).toHaveLength(0)
  })

  it('cuts long texts before sending, and splits no characters', async () => {
    const provider = make()
    await provider.embed([`${'x'.repeat(provider.maxInputChars - 1)}🚢`, 'y'.repeat(100_000), 'a\uD83Db'], 'document')
    expect(endpoint.seen[0]?.body.input).toEqual([
      'x'.repeat(provider.maxInputChars - 1),
      'y'.repeat(provider.maxInputChars),
      'a\uFFFDb',
    ])
  })

  it('puts the prefixes of a known model before texts, after cutting them', async () => {
    const provider = createOpenAiCompatible({ url: endpoint.url, key, model: 'nomic-embed-text:latest' })
    await provider.embed(['one', 'y'.repeat(100_000)], 'document')
    await provider.embed(['two'], 'query')
    expect(endpoint.seen.map(({ body }) => body.input)).toEqual([
      ['search_document: one', `search_document: ${'y'.repeat(provider.maxInputChars)}`],
      ['search_document: Is anybody there?'],
      ['search_query: two'],
    ])
  })

  it('replaces the prefixes of a known model with those of the settings, which may be empty', async () => {
    const prefixes = { query: 'ask: ', document: '' }
    const provider = createOpenAiCompatible({ url: endpoint.url, key, model: 'nomic-embed-text', prefixes })
    await provider.embed(['one'], 'document')
    await provider.embed(['two'], 'query')
    expect(endpoint.seen.flatMap(({ body }) => body.input)).toEqual(['one', 'Is anybody there?', 'ask: two'])
  })

  it('are for a model with the plain name, unless it is used in another way', () => {
    const idOf = (model: string, use: UseSettings = {}) =>
      createOpenAiCompatible({ url: endpoint.url, key, model, ...use }).id
    expect(idOf('hashed')).toBe('openai-compatible/hashed')
    expect(idOf('hashed', { prefixes: { query: '', document: '' } })).toBe('openai-compatible/hashed')
    const none = { query: '', document: '' }
    expect(idOf('nomic-embed-text', { prefixes: none })).toBe('openai-compatible/nomic-embed-text')
    expect(idOf('nomic-embed-text')).toMatch(/^openai-compatible\/nomic-embed-text\+prefixes-[\da-f]{8}$/)
    expect(idOf('hashed', { dims: 64 })).toBe('openai-compatible/hashed+64d')
  })

  it('rejects a key or an address that can never work, without quoting it', () => {
    const badKey = { url: endpoint.url, key: 'sk-one\nsk-two', model: 'm' }
    const badUrl = { url: 'http://me:hunter2@localhost/v1', key, model: 'm' }
    expect(() => createOpenAiCompatible(badKey)).toThrow(
      /^The embedding key contains characters that are invalid in a header$/,
    )
    expect(() => createOpenAiCompatible(badUrl)).toThrow(
      /^The embedding address must not contain a user name or password$/,
    )
  })
})

describe('vectors that are cut', () => {
  const cutTo = (dims: number) => createOpenAiCompatible({ url: endpoint.url, key, model: 'hashed', dims })

  it('have the first numbers of the model’s, and length 1', async () => {
    const [whole] = (await make().embed(['a harbour at night'], 'document')).vectors
    const provider = cutTo(64)
    const [cut] = (await provider.embed(['a harbour at night'], 'document')).vectors
    expect(provider.dims).toBe(64)
    const part = Array.from(whole?.subarray(0, 64) ?? [])
    const length = Math.hypot(...part)
    expect(cut).toHaveLength(64)
    part.forEach((number, i) => expect(cut?.[i]).toBeCloseTo(number / length, 5))
  })

  it('still have to come from vectors of one length', async () => {
    const provider = cutTo(64)
    await provider.embed(['one'], 'document')
    endpoint.respond = ({ body }, response) => sendJson(response, goodAnswer(body.input, 128))
    expect(await failureOf(provider.embed(['two'], 'document'))).toMatchObject({ code: 'wrong_dims' })
  })

  it('are refused if the model’s are shorter', async () => {
    expect(await failureOf(cutTo(512).embed(['one'], 'document'))).toMatchObject({
      reason: 'bad_response',
      code: 'too_few_dims',
    })
  })

  it('may be cut from longer ones than the index stores', async () => {
    endpoint.respond = ({ body }, response) => sendJson(response, goodAnswer(body.input, 5000))
    const { vectors } = await cutTo(1024).embed(['one'], 'document')
    expect(vectors[0]).toHaveLength(1024)
  })
})

describe('answers that deviate from the protocol but are usable', () => {
  it('uses the index if the list has another order', async () => {
    endpoint.respond = ({ body }, response) => {
      const answer = goodAnswer(body.input)
      sendJson(response, { ...answer, data: answer.data.toReversed() })
    }
    const shuffled = await make().embed(['one', 'two', 'three'], 'document')
    endpoint.reset()
    expect(shuffled).toEqual(await make().embed(['one', 'two', 'three'], 'document'))
  })

  it.each([
    ['no index', ({ data }: ReturnType<typeof goodAnswer>) => ({ data: data.map(({ embedding }) => ({ embedding })) })],
    ['no usage', ({ data }: ReturnType<typeof goodAnswer>) => ({ data })],
    ['an odd usage', ({ data }: ReturnType<typeof goodAnswer>) => ({ data, usage: { prompt_tokens: -1 } })],
  ])('accepts an answer with %s', async (_, change) => {
    endpoint.respond = ({ body }, response) => sendJson(response, change(goodAnswer(body.input)))
    const { vectors, tokens } = await make().embed(['one', 'two'], 'document')
    expect(vectors).toHaveLength(2)
    expect(tokens).toBe(0)
  })
})

const never: Respond = () => {}
const drips: Respond = (_, response) => {
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}
const slowly: Respond = ({ body }, response) => void setTimeout(() => sendJson(response, goodAnswer(body.input)), 400)

describe('time', () => {
  it.each([
    ['never answers', never],
    ['sends a byte now and then', drips],
  ])('gives up on an endpoint that %s', async (_, respond) => {
    endpoint.respond = respond
    const startMs = performance.now()
    expect(await failureOf(make().embed(['one'], 'query'))).toMatchObject({ reason: 'timeout', code: 'query_timeout' })
    expect(performance.now() - startMs).toBeLessThan(2000)
  })

  it('waits longer for documents than for queries', async () => {
    endpoint.respond = slowly
    const provider = make()
    expect(await failureOf(provider.embed(['one'], 'query'))).toMatchObject({ reason: 'timeout' })
    await expect(provider.embed(['one'], 'document')).resolves.toHaveProperty('vectors.length', 1)
  })

  it('limits each request, not the list', async () => {
    endpoint.respond = ({ body }, response) => void setTimeout(() => sendJson(response, goodAnswer(body.input)), 250)
    const provider = createOpenAiCompatible({
      url: endpoint.url,
      key,
      model: 'm',
      timeoutsMs: { query: 1, document: 1000 },
    })
    const texts = Array.from({ length: provider.batchSize * 5 }, (_, i) => `text ${i}`)
    await expect(provider.embed(texts, 'document')).resolves.toHaveProperty('vectors.length', texts.length)
  })

  it('disconnects when the caller gives up, and rejects with the caller’s reason', async () => {
    const hungUp = new Promise<void>((resolve) => {
      endpoint.respond = (_, response) => void response.on('close', resolve)
    })
    const caller = new AbortController()
    const reason = new Error('nobody waits any more')
    const answer = make().embed(['one'], 'document', caller.signal)
    setTimeout(() => caller.abort(reason), 50)
    await expect(answer).rejects.toBe(reason)
    await hungUp
  })

  it('sends no further batch after the caller gave up', async () => {
    const caller = new AbortController()
    endpoint.respond = ({ body }, response) => {
      sendJson(response, goodAnswer(body.input))
      caller.abort(new Error('enough'))
    }
    const provider = make()
    const texts = Array.from({ length: provider.batchSize * 3 }, (_, i) => `text ${i}`)
    await expect(provider.embed(texts, 'document', caller.signal)).rejects.toThrow('enough')
    expect(endpoint.seen).toHaveLength(1)
  })
})
