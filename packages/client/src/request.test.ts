import { describe, expect, it } from 'vitest'
import { startAnsweringServer, type Answer } from '../test/answering-server.ts'
import { createClient, HoldfastError, type ClientOptions } from './index.ts'

const key = 'svc_of_a_test'
const done: Answer = { status: 200, body: { memories: [] } }
const outage: Answer = {
  status: 503,
  body: { error: 'Temporarily unavailable: overload' },
  headers: { 'Retry-After': '0' },
}
const badGateway: Answer = { status: 502, body: '<html>Bad gateway</html>' }
const tooMany: Answer = { status: 429, body: { error: 'Too many requests', retryAfter: 0 } }

const search = { query: 'tabs or spaces?' }
const plainWrite = { content: 'Tabs.' }
const keyedWrite = { content: 'Tabs.', externalWriteId: 'w1' }
const archive = { memoryId: 'm1' }
const checkpoint = { memories: [], sessionSummary: 'Watered the tomatoes.' }

const clientOf = (server: { url: string }, options: Partial<ClientOptions> = {}) =>
  createClient({ url: server.url, key, ...options })

const catchError = async (call: PromiseLike<unknown>): Promise<HoldfastError> => {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof HoldfastError)) throw error
  return error
}

describe('an answer from another server', () => {
  it('is read only up to the size limit', async () => {
    const chunk = new Uint8Array(8 * 1024 ** 2).fill(0x20)
    let chunks = 0
    const body = () => new ReadableStream({ pull: (stream) => (chunks++, stream.enqueue(chunk)) })
    const client = createClient({ key, fetch: async () => new Response(body()) })
    expect(await catchError(client.memories.search(search))).toMatchObject({
      message: 'The answer is larger than 256 MiB',
      status: 200,
    })
    expect(chunks).toBeLessThan(40)
  })

  it.each([-5, '3', null, Number.MAX_VALUE])('ignores an invalid wait: %j', async (retryAfter) => {
    const odd = { status: 429, body: { error: 'Too many requests', retryAfter } }
    await using server = await startAnsweringServer(odd, odd, done)
    const warnings: Error[] = []
    const keep = (warning: Error) => void warnings.push(warning)
    process.on('warning', keep)
    const begin = performance.now()
    const failed = await catchError(clientOf(server, { maxRetries: 1 }).memories.search(search))
    process.off('warning', keep)
    expect(failed.retryAfter).toBe(retryAfter === Number.MAX_VALUE ? retryAfter : undefined)
    expect(performance.now() - begin).toBeGreaterThan(retryAfter === Number.MAX_VALUE ? 0 : 120)
    expect(warnings).toEqual([])
  })
})

describe('a rejected call', () => {
  it('rejects with the error of the server, after one attempt', async () => {
    await using server = await startAnsweringServer({
      status: 400,
      body: { error: 'Validation failed: content: required (string)', fields: { content: 'required (string)' } },
      headers: { 'X-Request-Id': 'r1' },
    })
    const error = await catchError(clientOf(server).memories.write(keyedWrite))
    expect(error).toMatchObject({
      name: 'BadRequestError',
      message: 'Validation failed: content: required (string)',
      status: 400,
      fields: { content: 'required (string)' },
      retryAfter: undefined,
      requestId: 'r1',
    })
    expect(server.received).toHaveLength(1)
  })

  it.each([
    [401, 'Invalid or missing agent key', 'AuthenticationError', {}],
    [403, 'SCOPE_DENIED: this key lacks the "write" permission', 'ScopeDeniedError', { scope: 'write' }],
    [403, 'SCOPE_DENIED: this key has no access to the vault', 'ScopeDeniedError', { scope: undefined }],
    [403, 'Integration is inactive', 'PermissionError', {}],
    [404, 'Memory not found', 'NotFoundError', {}],
    [409, 'The version is 3', 'ConflictError', {}],
    [413, 'Request body is larger than 1048576 bytes', 'BadRequestError', { fields: {} }],
    [415, 'Send the body as Content-Type: application/json', 'BadRequestError', {}],
    [418, 'I am a teapot', 'HoldfastError', {}],
    [429, 'Quota exceeded: 1000 searches a month', 'QuotaError', {}],
    [500, 'Internal server error', 'ServerError', {}],
  ])('is not tried again after %i "%s", a %s', async (status, message, name, more) => {
    await using server = await startAnsweringServer({ status, body: { error: message } })
    const error = await catchError(clientOf(server).memories.search(search))
    expect(error).toMatchObject({ status, message, name, ...more })
    expect(server.received).toHaveLength(1)
  })

  it('reports an answer that is not from Holdfast', async () => {
    await using server = await startAnsweringServer(badGateway, { status: 200, body: '<html>Log in</html>' })
    const client = clientOf(server, { maxRetries: 0 })
    expect(await catchError(client.info())).toMatchObject({ status: 502, message: 'The server answered 502' })
    expect(await catchError(client.info())).toMatchObject({ status: 200, message: 'The answer is not JSON' })
  })

  it('follows no redirect, which could send the key elsewhere', async () => {
    await using other = await startAnsweringServer(done)
    await using server = await startAnsweringServer({ status: 307, body: '', headers: { Location: other.url } })
    expect(await catchError(clientOf(server).memories.search(search))).toMatchObject({
      status: 307,
      message: expect.stringContaining('redirects to another URL') as string,
    })
    expect([server.received.length, other.received.length]).toEqual([1, 0])
  })
})

describe('a rate-limited call', () => {
  it('is always retried', async () => {
    await using server = await startAnsweringServer(tooMany, tooMany, done)
    await clientOf(server).memories.archive(archive)
    expect(server.received.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(archive)))
  })

  it('fails after three attempts, or after maxRetries', async () => {
    await using server = await startAnsweringServer(tooMany)
    const refused = { name: 'RateLimitError', status: 429, retryAfter: 0 }
    expect(await catchError(clientOf(server).memories.search(search))).toMatchObject(refused)
    expect(server.received).toHaveLength(3)
    await catchError(clientOf(server, { maxRetries: 1 }).memories.search(search))
    expect(server.received).toHaveLength(5)
    await catchError(clientOf(server).memories.search(search, { maxRetries: 0 }))
    expect(server.received).toHaveLength(6)
  })

  it('waits as long as the server asks', async () => {
    await using server = await startAnsweringServer({ ...tooMany, body: {}, headers: { 'Retry-After': '1' } }, done)
    const startedAt = performance.now()
    await clientOf(server).memories.search(search)
    expect(performance.now() - startedAt).toBeGreaterThan(1000)
  })

  it('fails at once if the wait exceeds the timeout', async () => {
    await using server = await startAnsweringServer({
      status: 429,
      body: { error: 'Too many requests', retryAfter: 60 },
    })
    const startedAt = performance.now()
    const error = await catchError(clientOf(server).memories.search(search))
    expect(error).toMatchObject({ status: 429, retryAfter: 60 })
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect(server.received).toHaveLength(1)
  })
})

describe.each([
  ['an outage', outage, 503],
  ['an outage behind a proxy', badGateway, 502],
  ['a lost connection', 'drop', 0],
] as const)('after %s', (_name, failure, status) => {
  it('a read is retried', async () => {
    await using server = await startAnsweringServer(failure, failure, done)
    expect(await clientOf(server).memories.search(search)).toEqual({ memories: [] })
    expect(server.received).toHaveLength(3)
  })

  it('a write with an externalWriteId is retried', async () => {
    await using server = await startAnsweringServer(failure, done)
    await clientOf(server).memories.write(keyedWrite)
    expect(server.received.map(({ body }) => body)).toEqual(Array(2).fill(JSON.stringify(keyedWrite)))
  })

  it('a write without one is retried under an id from the client', async () => {
    await using server = await startAnsweringServer(failure, done)
    await clientOf(server).memories.write(plainWrite)
    const [first, second] = server.received.map(({ body }) => body)
    expect(first).toMatch(/"externalWriteId":"[0-9a-f-]{36}"/)
    expect(second).toBe(first)
  })

  it('a checkpoint is retried only within a run', async () => {
    await using server = await startAnsweringServer(failure, done)
    await clientOf(server).run().session.checkpoint(checkpoint)
    await using second = await startAnsweringServer(failure, done)
    await clientOf(second).session.checkpoint({ ...checkpoint, agentRunId: 'mine' })
    await using third = await startAnsweringServer(failure, done)
    expect(await catchError(clientOf(third).session.checkpoint(checkpoint))).toMatchObject({ status })
    expect([server, second, third].map(({ received }) => received.length)).toEqual([2, 2, 1])
  })

  it('a session starts in the same run, given or created by the client', async () => {
    const answer: Answer = { status: 200, body: { agentRunId: 'as sent' } }
    await using server = await startAnsweringServer(failure, answer)
    await clientOf(server).session.start({})
    const [first, second] = server.received.map(({ body }) => body)
    expect(first).toMatch(/^{"agentRunId":"[0-9a-f-]{36}"}$/)
    expect(second).toBe(first)
    await using others = await startAnsweringServer(failure, answer)
    await clientOf(others).run('mine').session.start({})
    await clientOf(others).session.start({ agentRunId: 'given' })
    await clientOf(others).session.start({}, { maxRetries: 0 })
    expect(others.received.map(({ body }) => body)).toEqual(['{}', '{}', '{"agentRunId":"given"}', '{}'])
  })

  it('another write is not retried, because it may have happened', async () => {
    await using server = await startAnsweringServer(failure, done)
    const unknownThere = { ...archive, externalWriteId: 'not known here' }
    expect(await catchError(clientOf(server).memories.archive(unknownThere))).toMatchObject({ status })
    expect(server.received).toHaveLength(1)
  })
})

describe('a slow call', () => {
  it('ends at the timeout of the client or the call', async () => {
    await using server = await startAnsweringServer('hang')
    const slow = { name: 'TimeoutError', status: 0, message: 'No answer within 80 ms' }
    expect(await catchError(clientOf(server, { timeoutMs: 80 }).memories.search(search))).toMatchObject(slow)
    expect(await catchError(clientOf(server).memories.search(search, { timeoutMs: 80 }))).toMatchObject(slow)
    expect(server.received).toHaveLength(2)
  })

  it('ends with the reason of its signal, during a request', async () => {
    await using server = await startAnsweringServer('hang')
    const reason = new Error('the user left')
    const controller = new AbortController()
    const call = clientOf(server).memories.search(search, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 50)
    await expect(call).rejects.toBe(reason)
  })

  it('ends with the reason of its signal, between attempts', async () => {
    await using server = await startAnsweringServer({ status: 429, body: { retryAfter: 20 } })
    const reason = new Error('the user left')
    const controller = new AbortController()
    const call = clientOf(server).memories.search(search, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 150)
    await expect(call).rejects.toBe(reason)
    expect(server.received).toHaveLength(1)
  })

  it('sends nothing if its signal is already aborted', async () => {
    await using server = await startAnsweringServer(done)
    const reason = new Error('the user left')
    await expect(clientOf(server).info({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(server.received).toEqual([])
  })

  it('removes its listeners from the signal', async () => {
    await using server = await startAnsweringServer(done)
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, args)
    }
    await clientOf(server).memories.search(search, { signal })
    expect(listeners).toBe(0)
  })
})

it('an error never contains the key or what was sent', async () => {
  await using server = await startAnsweringServer('drop')
  const error = await catchError(clientOf(server).memories.archive({ ...archive, reason: 'Tabs.' }))
  const { cause, message, stack } = error
  expect(`${message} ${stack} ${String(cause)} ${JSON.stringify(error)}`).not.toMatch(/svc_|Tabs/)
})

it.each([NaN, -1])('rejects maxRetries %s before it sends anything', async (maxRetries) => {
  await using server = await startAnsweringServer(done)
  expect(() => clientOf(server, { maxRetries })).toThrow(new TypeError('maxRetries: must be 0 or more'))
  const call = clientOf(server).memories.write(plainWrite, { maxRetries })
  await expect(call).rejects.toThrow(new TypeError('maxRetries: must be 0 or more'))
  expect(server.received).toEqual([])
})
