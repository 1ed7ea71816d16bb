import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createOpenAiCompatible, maxResponseBytes } from './openai-compatible.ts'
import { EmbeddingError } from './provider.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { goodAnswer, startFakeEndpoint } from './testing/fake-endpoint.ts'
import type { FakeEndpoint, Respond } from './testing/fake-endpoint.ts'

let endpoint: FakeEndpoint
beforeAll(async () => {
  endpoint = await startFakeEndpoint()
})
afterEach(() => endpoint.reset())
afterAll(() => endpoint.close())

const secret = 'the text nobody may see'
const key = 'sk-nobody-may-see-this-either'
const make = (url = endpoint.url) =>
  createOpenAiCompatible({ url, key, model: 'hashed', timeoutsMs: { query: 5000, document: 5000 } })

async function failureOf(answer: Promise<unknown>): Promise<EmbeddingError> {
  const error = await answer.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  )
  if (error instanceof EmbeddingError) return error
  throw error
}

const sendText =
  (text: string, status = 200): Respond =>
  (_, response) =>
    void response.writeHead(status).end(text)
const sendData =
  (data: unknown): Respond =>
  (_, response) =>
    sendJson(response, { data })

describe('faults', () => {
  it.each<[string, Respond, string, string]>([
    ['status 500', sendText(secret, 500), 'unavailable', 'http_500'],
    ['status 401', sendText(secret, 401), 'unavailable', 'http_401'],
    ['status 404', sendText(secret, 404), 'unavailable', 'http_404'],
    ['status 400', sendText(secret, 400), 'refused', 'http_400'],
    ['status 413', sendText(secret, 413), 'refused', 'http_413'],
    ['too few vectors', sendData([{ index: 0, embedding: [1, 2] }]), 'bad_response', 'wrong_count'],
    [
      'too many vectors',
      sendData([0, 1, 2].map((index) => ({ index, embedding: [1, 2] }))),
      'bad_response',
      'wrong_count',
    ],
    [
      'the same index twice',
      sendData([0, 0].map((index) => ({ index, embedding: [1, 2] }))),
      'bad_response',
      'wrong_index',
    ],
    [
      'an index that is out of range',
      sendData([0, 7].map((index) => ({ index, embedding: [1, 2] }))),
      'bad_response',
      'wrong_index',
    ],
    [
      'vectors of different lengths',
      sendData([{ embedding: [1, 2] }, { embedding: [1] }]),
      'bad_response',
      'mixed_dims',
    ],
    [
      'vectors that are too long to store',
      sendData([0, 1].map((index) => ({ index, embedding: Array(4097).fill(1) }))),
      'bad_response',
      'too_many_dims',
    ],
    ['zeros', sendData([{ embedding: [1, 2] }, { embedding: [0, 0] }]), 'bad_response', 'zero_vector'],
    [
      'NaN, which is not JSON',
      sendText('{"data":[{"embedding":[NaN]},{"embedding":[1]}]}'),
      'bad_response',
      'not_json',
    ],
    [
      'null instead of a number',
      sendText('{"data":[{"embedding":[null]},{"embedding":[1]}]}'),
      'bad_response',
      'not_embeddings',
    ],
    [
      'an infinite number',
      sendText('{"data":[{"embedding":[1e999]},{"embedding":[1]}]}'),
      'bad_response',
      'not_embeddings',
    ],
    [
      'text instead of a number',
      sendData([{ embedding: ['1'] }, { embedding: ['2'] }]),
      'bad_response',
      'not_embeddings',
    ],
    ['a page of HTML', sendText(`<html>${secret}</html>`), 'bad_response', 'not_json'],
    ['truncated JSON', sendText('{"data":[{"embedding":[0.1,0.2'), 'bad_response', 'not_json'],
    ['nothing', sendText(''), 'bad_response', 'not_json'],
    ['other JSON', sendText(JSON.stringify({ error: secret })), 'bad_response', 'not_embeddings'],
    [
      'a connection that breaks',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{"data":', () => response.destroy())
      },
      'unavailable',
      'UND_ERR_SOCKET',
    ],
  ])('reports %s', async (_, respond, reason, code) => {
    endpoint.respond = respond
    expect(await failureOf(make().embed([secret, 'two'], 'document'))).toMatchObject({ reason, code })
  })

  it('fails if the dimensions change', async () => {
    const provider = make()
    await provider.embed(['one'], 'document')
    endpoint.respond = ({ body }, response) => sendJson(response, goodAnswer(body.input, 128))
    expect(await failureOf(provider.embed(['two'], 'query'))).toMatchObject({
      reason: 'bad_response',
      code: 'wrong_dims',
    })
    expect(provider.dims).toBe(256)
  })

  it('ignores a bad first answer', async () => {
    const provider = make()
    endpoint.respond = sendData([{ embedding: [0, 0, 0] }])
    await failureOf(provider.embed(['one'], 'document'))
    expect(provider.dims).toBeUndefined()
    endpoint.reset()
    await provider.embed(['one'], 'document')
    expect(provider.dims).toBe(256)
  })

  it('does not trust the length in a first answer if the next one differs', async () => {
    const provider = make()
    endpoint.respond = ({ body }, response) =>
      sendJson(response, goodAnswer(body.input, endpoint.seen.length === 1 ? 3 : 256))
    expect(await failureOf(provider.embed(['one'], 'document'))).toMatchObject({ code: 'mixed_dims' })
    expect(provider.dims).toBeUndefined()
    await provider.embed(['one'], 'document')
    expect(provider.dims).toBe(256)
  })

  it('fails as a whole if a later batch fails', async () => {
    const provider = make()
    endpoint.respond = ({ body }, response) =>
      endpoint.seen.length < 2 ? sendJson(response, goodAnswer(body.input)) : sendJson(response, {}, 503)
    const texts = Array.from({ length: provider.batchSize + 1 }, (_, i) => `text ${i}`)
    expect(await failureOf(provider.embed(texts, 'document'))).toMatchObject({ code: 'http_503' })
  })

  it.each([
    ['seconds', '7', 7000, 7000],
    ['a date', new Date(Date.now() + 60_000).toUTCString(), 50_000, 60_000],
    ['a past date', 'Thu, 01 Jan 1970 00:00:00 GMT', 0, 0],
  ])('passes on a Retry-After in %s', async (_, value, leastMs, mostMs) => {
    endpoint.respond = (__, response) => void response.writeHead(429, { 'retry-after': value }).end()
    const error = await failureOf(make().embed(['one'], 'document'))
    expect(error).toMatchObject({ reason: 'unavailable', code: 'http_429' })
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(leastMs)
    expect(error.retryAfterMs).toBeLessThanOrEqual(mostMs)
  })

  it('ignores an invalid Retry-After', async () => {
    endpoint.respond = (_, response) => void response.writeHead(429, { 'retry-after': 'soon' }).end()
    expect((await failureOf(make().embed(['one'], 'document'))).retryAfterMs).toBeUndefined()
  })

  it('says unavailable if nothing is listening', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const error = await failureOf(make(`http://127.0.0.1:${port}/v1`).embed([secret], 'document'))
    expect(error).toMatchObject({ reason: 'unavailable', code: 'ECONNREFUSED' })
  })

  it('does not follow a redirect', async () => {
    endpoint.respond = (_, response) => void response.writeHead(307, { location: `${endpoint.url}/elsewhere` }).end()
    expect(await failureOf(make().embed(['one'], 'document'))).toMatchObject({
      reason: 'unavailable',
      code: 'http_307',
    })
    expect(endpoint.seen).toHaveLength(1)
  })

  it('keeps text and key out of its errors', async () => {
    for (const respond of [sendText(`${secret} ${key}`, 500), sendText(`${secret} ${key}`), sendData([])]) {
      endpoint.respond = respond
      const error = await failureOf(make().embed([secret], 'document'))
      const shown = `${String(error)} ${error.stack} ${JSON.stringify(error)} ${JSON.stringify(Object.getOwnPropertyDescriptors(error))}`
      expect(shown).not.toContain(secret)
      expect(shown).not.toContain(key)
      expect(error.cause).toBeUndefined()
    }
  })
})

// Stops when the reader disconnects, and returns how much was sent.
const endless =
  (totalBytes: number, sent: { bytes: number }): Respond =>
  (_, response) => {
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const more = (): void => {
      if (response.destroyed || sent.bytes >= totalBytes) return void response.end()
      sent.bytes += chunk.length
      response.write(chunk, more)
    }
    more()
  }

describe('size', () => {
  it('disconnects on a body of 100 MB', async () => {
    const sent = { bytes: 0 }
    endpoint.respond = endless(100_000_000, sent)
    expect(await failureOf(make().embed(['one'], 'document'))).toMatchObject({
      reason: 'bad_response',
      code: 'too_large',
    })
    expect(sent.bytes).toBeLessThan(maxResponseBytes * 3)
  })

  it('counts the inflated size of a compressed body', async () => {
    const body = gzipSync(Buffer.alloc(maxResponseBytes * 4, ' '))
    expect(body.length).toBeLessThan(maxResponseBytes / 100)
    endpoint.respond = (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
    expect(await failureOf(make().embed(['one'], 'document'))).toMatchObject({ code: 'too_large' })
  })

  it('does not read the body of a failure', async () => {
    const sent = { bytes: 0 }
    const respondEndlessly = endless(100_000_000, sent)
    endpoint.respond = (seen, response) => respondEndlessly(seen, response.writeHead(500))
    expect(await failureOf(make().embed(['one'], 'document'))).toMatchObject({ code: 'http_500' })
    expect(sent.bytes).toBeLessThan(maxResponseBytes * 3)
  })

  it('has room for a full batch of the longest vectors', async () => {
    const longest = Array.from({ length: 4096 }, (_, i) => -Math.PI / (i + 1) / 1e10)
    endpoint.respond = ({ body }, response) =>
      sendJson(response, { data: body.input.map(() => ({ embedding: longest })) })
    const provider = make()
    const { vectors } = await provider.embed(Array<string>(provider.batchSize).fill('same'), 'document')
    expect(vectors).toHaveLength(provider.batchSize)
  })
})
