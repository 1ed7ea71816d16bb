import { describe, expect, it } from 'vitest'
import { ModelError } from './chat-endpoint.ts'
import { createLanguageModel } from './language-model.ts'
import { complete, useFakeModel } from './testing/fake-model.ts'

const model = useFakeModel()

const key = 'sk-nobody-may-see-this'
const turn = { role: 'user' as const, content: 'The user keeps bees.' }
const make = (over = {}) => createLanguageModel({ url: model.url, key, model: 'small', timeoutMs: 300, ...over })
const extract = (over = {}, signal = new AbortController().signal) => make(over).extract(turn, signal)

async function failureOf(answer: Promise<unknown>): Promise<ModelError> {
  const error = await answer.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  )
  if (error instanceof ModelError) return error
  throw error
}

describe('a language model', () => {
  it('gets the turn as data, and its memories are used', async () => {
    expect(await extract()).toEqual([
      { content: turn.content, memoryType: 'fact', importance: 3, confidence: 3, entities: [] },
    ])
    expect(model.seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: { model: 'small', messages: [{ role: 'system' }, { role: 'user', content: JSON.stringify(turn) }] },
    })
  })

  it('needs no key, and can have a path and a query in its URL', async () => {
    await extract({ key: undefined, url: `${model.url}/?version=2` })
    expect(model.seen[0]?.path).toBe('/v1/chat/completions?version=2')
    expect(model.seen[0]?.headers).not.toHaveProperty('authorization')
  })

  it('can put its JSON into a code block', async () => {
    model.respond = (_, response) => complete(response, '```json\n{"memories":[]}\n```')
    expect(await extract()).toEqual([])
  })

  it('stores no secrets', async () => {
    const memories = ["The user's password is hunter2.", 'The user keeps bees.'].map((content) => ({
      content,
      memoryType: 'fact',
    }))
    model.respond = (_, response) => complete(response, { memories })
    expect((await extract()).map(({ content }) => content)).toEqual(['The user keeps bees.'])
  })

  it.each([
    ['prose', 'I found nothing.', 'not_json'],
    ['a list', [], 'not_memories'],
    ['another type', { memories: [{ content: 'abc', memoryType: 'task' }] }, 'not_memories'],
    ['a long text', { memories: [{ content: 'x'.repeat(2001), memoryType: 'fact' }] }, 'not_memories'],
    ['half a character', { memories: [{ content: 'abc \ud800', memoryType: 'fact' }] }, 'not_memories'],
    ['a wrong rating', { memories: [{ content: 'abc', memoryType: 'fact', importance: 9 }] }, 'not_memories'],
    [
      'too many',
      { memories: Array.from({ length: 21 }, () => ({ content: 'abc', memoryType: 'fact' })) },
      'not_memories',
    ],
    [
      'too many entities',
      { memories: [{ content: 'abc', memoryType: 'fact', entities: Array(21).fill('a') }] },
      'not_memories',
    ],
  ])('is not believed when it answers with %s', async (_, said, code) => {
    model.respond = (_seen, response) => complete(response, said)
    expect(await failureOf(extract())).toMatchObject({ code, isFinal: false })
  })

  it.each([
    [500, {}, { code: 'http_500', isFinal: false }],
    [429, { 'retry-after': '90' }, { code: 'http_429', isFinal: false, retryAfterMs: 90_000 }],
    [429, { 'retry-after': 'soon' }, { code: 'http_429', retryAfterMs: undefined }],
    [400, {}, { code: 'http_400', isFinal: true }],
    [302, { location: 'http://127.0.0.1:1/elsewhere' }, { code: 'http_302', isFinal: false }],
  ])('may answer %i', async (status, headers, failure) => {
    model.respond = (_, response) => void response.writeHead(status, headers).end('{"secret":"echo"}')
    expect(await failureOf(extract())).toMatchObject(failure)
    expect(model.seen).toHaveLength(1)
  })

  it('can send anything', async () => {
    for (const [body, code] of [
      ['', 'not_json'],
      ['{}', 'not_a_completion'],
      ['{"choices":[]}', 'not_a_completion'],
      ['x'.repeat(2 * 1024 * 1024), 'too_large'],
    ]) {
      model.respond = (_, response) => void response.end(body)
      expect(await failureOf(extract())).toMatchObject({ code })
    }
  })

  it('can be silent, unreachable, or close the connection', async () => {
    model.respond = () => {}
    expect(await failureOf(extract())).toMatchObject({ code: 'timeout' })
    model.respond = (_, response) => response.destroy()
    expect(await failureOf(extract())).toMatchObject({ code: 'unreachable' })
    expect(await failureOf(extract({ url: 'http://127.0.0.1:9' }))).toMatchObject({ code: 'unreachable' })
  })

  it('puts neither text nor key into an error', async () => {
    model.respond = (_, response) => complete(response, turn.content)
    const error = await failureOf(extract())
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/bees|nobody/)
    expect(error.cause).toBeUndefined()
  })

  it('is cancelled when the caller aborts', async () => {
    model.respond = () => {}
    const stop = new AbortController()
    const answer = extract({}, stop.signal)
    stop.abort(new Error('stopping'))
    await expect(answer).rejects.toThrow('stopping')
  })
})
