import { describe, expect, it } from 'vitest'
import { createReranker, RerankError, type RerankerOptions } from './reranker.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { useFakeReranker } from './testing/fake-reranker.ts'

const server = useFakeReranker()

const create = (options: Partial<RerankerOptions> = {}, now?: () => number) =>
  createReranker({ url: server.url, key: 'secret', model: 'rerank-small', budgetMs: 2_000, ...options }, now)

const failureOf = (rating: Promise<unknown>): Promise<string> =>
  rating.then(
    () => 'none',
    (error: unknown) => (error instanceof RerankError ? error.code : String(error)),
  )

describe('a reranker', () => {
  it('rates texts in their order, with the API of Cohere', async () => {
    server.rate = (_query, text) => text.length
    expect(await create().rate('how?', ['abc', 'a', 'ab'])).toEqual([3, 1, 2])
    expect(server.seen).toMatchObject([
      {
        path: '/v2/rerank',
        headers: { authorization: 'Bearer secret' },
        body: { model: 'rerank-small', query: 'how?', documents: ['abc', 'a', 'ab'] },
      },
    ])
    // Voyage refuses fields that it doesn't know, and calls this one otherwise.
    expect(server.seen[0]?.body).not.toHaveProperty('top_n')
  })

  it('reads the answers of Text Embeddings Inference, which has no names of models', async () => {
    server.rate = (_query, text) => -text.length
    expect(await create({ model: undefined, key: undefined }).rate('how?', ['abc', 'a'])).toEqual([-3, -1])
    expect(server.seen[0]?.body).toEqual({ query: 'how?', texts: ['abc', 'a'], truncate: true })
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization')
  })

  it('asks Text Embeddings Inference about at most 32 texts at a time, which is all that it allows', async () => {
    server.rate = (_query, text) => Number(text)
    const texts = Array.from({ length: 50 }, (_, i) => `${i}`)
    expect(await create({ model: undefined }).rate('how?', texts)).toEqual(texts.map(Number))
    expect(new Set(server.seen.map(({ body }) => body.texts?.length))).toEqual(new Set([32, 18]))
    expect(await create().rate('how?', texts)).toEqual(texts.map(Number))
    expect(server.seen).toHaveLength(3)
  })

  it('reads the answers of Voyage', async () => {
    server.respond = (_seen, response) => sendJson(response, { data: [{ index: 0, relevance_score: 0.4 }] })
    expect(await create().rate('how?', ['abc'])).toEqual([0.4])
  })

  it('asks nothing about no texts, and shortens long ones without halving a character', async () => {
    expect(await create().rate('how?', [])).toEqual([])
    expect(server.seen).toEqual([])
    await create().rate('how?', [`${'a'.repeat(1_999)}🐟`])
    const { documents: [text = ''] = [] } = server.seen[0]?.body ?? {}
    expect([text.length, text.isWellFormed()]).toEqual([2_000, true])
  })

  it('reads a question before or after a long pasted text', async () => {
    await create().rate(`before? 🐟${'🐟'.repeat(2_000)} after?`, ['abc'])
    const { query = '' } = server.seen[0]?.body ?? {}
    expect([query.length, query.isWellFormed()]).toEqual([1_001, true])
    expect(query).toMatch(/^before\?.* after\?$/su)
  })

  it.each([
    ['a text without a rating', { results: [{ index: 1, relevance_score: 1 }] }],
    [
      'two ratings of a text',
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 0, relevance_score: 0 },
        ],
      },
    ],
    [
      'ratings of texts that it was not sent',
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 1, relevance_score: 0 },
        ],
      },
    ],
    ['other things', { answer: 42 }],
    ['a rating that is not a number', { results: [{ index: 0, relevance_score: 'high' }] }],
  ])('rejects answers with %s', async (_what, answer) => {
    server.respond = (_seen, response) => sendJson(response, answer)
    expect(await failureOf(create().rate('how?', ['abc']))).toBe('bad_response')
  })

  it('rejects pages, errors, redirects and endless answers, and says no more than a code', async () => {
    const reranker = create()
    server.respond = (_seen, response) => response.writeHead(200).end('<html>')
    expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('bad_response')
    server.respond = (_seen, response) => sendJson(response, { message: 'abc' }, 500)
    expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('http_500')
    server.respond = (_seen, response) => response.writeHead(307, { location: server.url }).end()
    expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('http_307')
    server.respond = (_seen, response) => response.writeHead(200).end('x'.repeat(2_000_000))
    expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('too_large')
    expect(await failureOf(create({ url: 'http://127.0.0.1:9/rerank' }).rate('how?', ['abc']))).toBe('unreachable')
  })

  it('rejects ratings that are no finite numbers', async () => {
    server.respond = (_seen, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"results":[{"index":0,"relevance_score":1e999}]}')
    expect(await failureOf(create().rate('how?', ['abc']))).toBe('bad_response')
  })

  it('is left alone, too, if it never rates all texts', async () => {
    const reranker = create({}, () => 0)
    server.respond = (_seen, response) => sendJson(response, { results: [{ index: 0, relevance_score: 1 }] })
    for (let i = 0; i < 5; i++) expect(await failureOf(reranker.rate('how?', ['abc', 'd']))).toBe('bad_response')
    expect(await failureOf(reranker.rate('how?', ['abc', 'd']))).toBe('breaker_open')
  })

  it('waits no longer than its budget', async () => {
    server.respond = () => {}
    expect(await failureOf(create({ budgetMs: 30 }).rate('how?', ['abc']))).toBe('timeout')
  })

  it('is left alone after five failures, and tried again later, but not after refusals', async () => {
    let time = 0
    const reranker = create({}, () => time)
    server.respond = (_seen, response) => sendJson(response, {}, 422)
    for (let i = 0; i < 8; i++) expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('http_422')
    server.respond = (_seen, response) => sendJson(response, {}, 503)
    for (let i = 0; i < 5; i++) expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('http_503')
    server.respond = (_seen, response) => sendJson(response, { results: [{ index: 0, relevance_score: 1 }] })
    expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('breaker_open')
    expect(server.seen).toHaveLength(13)
    time = 1_001
    expect(await reranker.rate('how?', ['abc'])).toEqual([1])
  })
  it('is left alone after incomplete answers too, and as long as it asks', async () => {
    let time = 0
    const reranker = create({}, () => time)
    server.respond = (_seen, response) => sendJson(response, { results: [] })
    for (let i = 0; i < 5; i++) expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('bad_response')
    expect(reranker.isLeftAlone).toBe(true)
    time = 1_001
    expect(reranker.isLeftAlone).toBe(false)
    server.respond = (_seen, response) => response.writeHead(429, { 'retry-after': '30' }).end()
    expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('http_429')
    time = 30_000
    expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('breaker_open')
    time = 31_002
    expect(await failureOf(reranker.rate('how?', ['abc']))).toBe('http_429')
  })
})
