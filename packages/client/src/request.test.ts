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
const tooMany: Answer = { status: 429, body: { error: 'Too many requests', retryAfter: 0 } }

const search = { query: 'tabs or spaces?' }
const plainWrite = { content: 'Tabs.' }
const keyedWrite = { content: 'Tabs.', externalWriteId: 'w1' }

const clientOf = (server: { url: string }, options: Partial<ClientOptions> = {}) =>
  createClient({ url: server.url, key, ...options })

const failureOf = async (call: Promise<unknown>): Promise<HoldfastError> => {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof HoldfastError)) throw error
  return error
}

describe('a refused call', () => {
  it('rejects with what the service said, after one attempt', async () => {
    await using server = await startAnsweringServer({
      status: 400,
      body: { error: 'Validation failed: content: required (string)', fields: { content: 'required (string)' } },
      headers: { 'X-Request-Id': 'r1' },
    })
    const error = await failureOf(clientOf(server).writeMemory(keyedWrite))
    expect(error).toMatchObject({
      name: 'HoldfastError',
      message: 'Validation failed: content: required (string)',
      status: 400,
      fields: { content: 'required (string)' },
      retryAfter: undefined,
      requestId: 'r1',
    })
    expect(server.received).toHaveLength(1)
  })

  it.each([401, 403, 404, 409, 500])('is not tried again after %i', async (status) => {
    await using server = await startAnsweringServer({ status, body: { error: 'No' } })
    expect(await failureOf(clientOf(server).searchMemories(search))).toMatchObject({ status, message: 'No' })
    expect(server.received).toHaveLength(1)
  })

  it('says so where something else than the service answers', async () => {
    await using server = await startAnsweringServer(
      { status: 502, body: '<html>Bad gateway</html>' },
      { status: 200, body: '<html>Log in</html>' },
    )
    const client = clientOf(server)
    expect(await failureOf(client.info())).toMatchObject({ status: 502, message: 'The service answered 502' })
    expect(await failureOf(client.info())).toMatchObject({ status: 200, message: 'The answer is not JSON' })
  })

  it('follows no redirect, which could carry the key elsewhere', async () => {
    await using other = await startAnsweringServer(done)
    await using server = await startAnsweringServer({ status: 307, body: '', headers: { Location: other.url } })
    expect(await failureOf(clientOf(server).writeMemory(plainWrite))).toMatchObject({ status: 0 })
    expect(other.received).toEqual([])
  })
})

describe('a rate-limited call', () => {
  it('is tried again, whatever it does', async () => {
    await using server = await startAnsweringServer(tooMany, tooMany, done)
    await clientOf(server).writeMemory(plainWrite)
    expect(server.received.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(plainWrite)))
  })

  it('fails after four attempts', async () => {
    await using server = await startAnsweringServer(tooMany)
    expect(await failureOf(clientOf(server).searchMemories(search))).toMatchObject({ status: 429, retryAfter: 0 })
    expect(server.received).toHaveLength(4)
  })

  it('waits as long as the service asks', async () => {
    await using server = await startAnsweringServer({ ...tooMany, body: {}, headers: { 'Retry-After': '1' } }, done)
    const startedAt = performance.now()
    await clientOf(server).searchMemories(search)
    expect(performance.now() - startedAt).toBeGreaterThan(1000)
  })

  it('fails at once where that wait does not fit into the time-out', async () => {
    await using server = await startAnsweringServer({
      status: 429,
      body: { error: 'Too many requests', retryAfter: 60 },
    })
    const startedAt = performance.now()
    const error = await failureOf(clientOf(server).searchMemories(search))
    expect(error).toMatchObject({ status: 429, retryAfter: 60 })
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect(server.received).toHaveLength(1)
  })
})

describe.each([
  ['an outage', outage, 503],
  ['a lost connection', 'drop', 0],
] as const)('after %s', (_name, failure, status) => {
  it('a read is tried again', async () => {
    await using server = await startAnsweringServer(failure, failure, done)
    expect(await clientOf(server).searchMemories(search)).toEqual({ memories: [] })
    expect(server.received).toHaveLength(3)
  })

  it('a write with an externalWriteId is tried again', async () => {
    await using server = await startAnsweringServer(failure, done)
    await clientOf(server).writeMemory(keyedWrite)
    expect(server.received.map(({ body }) => body)).toEqual(Array(2).fill(JSON.stringify(keyedWrite)))
  })

  it('another write is not, since it may have taken place', async () => {
    await using server = await startAnsweringServer(failure, done)
    expect(await failureOf(clientOf(server).writeMemory(plainWrite))).toMatchObject({ status })
    const archive = { memoryId: 'm1', externalWriteId: 'not known here' }
    await using second = await startAnsweringServer(failure, done)
    expect(await failureOf(clientOf(second).archiveMemory(archive))).toMatchObject({ status })
    expect([server.received.length, second.received.length]).toEqual([1, 1])
  })
})

describe('a call that lasts', () => {
  it('ends at the time-out', async () => {
    await using server = await startAnsweringServer('hang')
    const error = await failureOf(clientOf(server, { timeoutMs: 80 }).searchMemories(search))
    expect(error).toMatchObject({ status: 0, message: 'No answer within 80 ms' })
    expect(server.received).toHaveLength(1)
  })

  it('ends with the reason of its signal, under way', async () => {
    await using server = await startAnsweringServer('hang')
    const reason = new Error('the user left')
    const controller = new AbortController()
    const call = clientOf(server).searchMemories(search, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 50)
    await expect(call).rejects.toBe(reason)
  })

  it('ends with the reason of its signal, between attempts', async () => {
    await using server = await startAnsweringServer({ status: 429, body: { retryAfter: 20 } })
    const reason = new Error('the user left')
    const controller = new AbortController()
    const call = clientOf(server).searchMemories(search, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 150)
    await expect(call).rejects.toBe(reason)
    expect(server.received).toHaveLength(1)
  })

  it('sends nothing under a signal that has ended', async () => {
    await using server = await startAnsweringServer(done)
    const reason = new Error('the user left')
    await expect(clientOf(server).info({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(server.received).toEqual([])
  })
})

it('never puts the key or what was sent into an error', async () => {
  await using server = await startAnsweringServer('drop')
  const error = await failureOf(clientOf(server).writeMemory(plainWrite))
  const { cause, message, stack } = error
  expect(`${message} ${stack} ${String(cause)} ${JSON.stringify(error)}`).not.toMatch(/svc_|Tabs/)
})
