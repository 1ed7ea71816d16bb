import * as errors from '../core/errors.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { startAgent } from '../../test/scenarios.ts'
import { errorResponse, successStatus, readJsonBody } from './payloads.ts'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { countTurns } from '../core/testing/count-turns.ts'

describe('errorResponse', () => {
  it.each([
    [errors.invalid({ a: 'wrong' }), 400, { error: 'Validation failed: a: wrong', fields: { a: 'wrong' } }],
    [errors.unauthenticated(), 401, { error: 'Invalid or missing agent key' }],
    [errors.missingScope('admin'), 403, { error: 'SCOPE_DENIED: this key lacks the "admin" permission' }],
    [errors.vaultDenied(), 403, { error: 'SCOPE_DENIED: this key has no access to the requested vault' }],
    [errors.inactiveIntegration(), 403, { error: 'Integration is inactive' }],
    [errors.forbidden('not you'), 403, { error: 'not you' }],
    [errors.notFound('Memory'), 404, { error: 'Memory not found' }],
    [errors.conflict('too late'), 409, { error: 'too late' }],
    [errors.tooLarge(7), 413, { error: 'Request body is larger than 7 bytes' }],
    [errors.notJson(), 415, { error: 'Send the body as Content-Type: application/json' }],
    [errors.rateLimited(9), 429, { error: 'Too many requests', retryAfter: 9 }],
    [errors.unavailable('the disk is full'), 503, { error: 'Temporarily unavailable: the disk is full' }],
  ])('of %s', (error, status, body) => {
    expect(errorResponse(error)).toEqual({ status, body, retryAfterSeconds: error.retryAfterSeconds })
  })

  it('says nothing about internal errors', () => {
    for (const error of [new Error('planted'), new TypeError('planted'), 'planted', { planted: 1 }, undefined])
      expect(errorResponse(error)).toEqual({
        status: 500,
        body: { error: 'Internal server error' },
        retryAfterSeconds: undefined,
      })
  })
})

it('uses 201 for a new record and 200 for an existing one', () => {
  expect([successStatus(true), successStatus(false)]).toEqual([201, 200])
})

describe('an internal error', () => {
  const test = useTestApp()

  it('is a plain 500, and its cause is in the log under the request id, without content', async () => {
    const agent = await startAgent(test())
    const { db } = test().app.services
    const write = db.write
    db.write = () => Promise.reject(new TypeError('planted-content'))
    const { status, body, headers } = await agent.call('write-memory', { content: 'planted-content' })
    db.write = write
    expect([status, body]).toEqual([500, { error: 'Internal server error' }])
    const lines = test()
      .log()
      .split('\n')
      .filter((line) => line.includes(String(headers['x-request-id'])) && line.includes('request failed'))
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 50, error: { name: 'TypeError' } },
    ])
    expect(test().log()).not.toContain('planted')
  })

  it('is an outage with a retry time if the database causes it', async () => {
    const agent = await startAgent(test())
    const { db } = test().app.services
    const write = db.write
    db.write = () => Promise.reject(Object.assign(new Error('planted'), { code: 'SQLITE_FULL' }))
    const { status, body, headers } = await agent.call('write-memory', { content: 'x' })
    db.write = write
    expect([status, body.error]).toEqual([503, 'Temporarily unavailable: the disk is full'])
    expect(headers['retry-after']).toBe('5')
    const lines = test()
      .log()
      .split('\n')
      .filter((line) => line.includes('SQLITE_FULL'))
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 50, requestId: headers['x-request-id'], error: { name: 'ServiceError' } },
    ])
    expect(test().log()).not.toContain('planted')
    await agent.write('x')
  })
})

/** What the server has received when the connection breaks after the first half of the body. */
async function receiveHalf(): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":',
  )
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  socket.destroy()
  return request
}

const cutOff = { code: 'invalid', fields: { '': 'the body is incomplete' } }

describe('a body whose sender disconnects', () => {
  it('is rejected while it is being read', async () => {
    const request = await receiveHalf()
    await expect(readJsonBody(request, request.headers, 100)).rejects.toMatchObject(cutOff)
  })

  it('is rejected if the sender disconnected before reading began', async () => {
    const request = await receiveHalf()
    await new Promise((resolve) => request.once('close', resolve))
    await expect(readJsonBody(request, request.headers, 100)).rejects.toMatchObject(cutOff)
  })
})

describe('many bodies at once', () => {
  const headers = { 'content-type': 'application/json' }

  /** The turns of the event loop in which they are parsed. */
  async function turnsFor(content: string): Promise<Set<number>> {
    const turn = countTurns()
    const streams = Array.from({ length: 200 }, () => Readable.from([Buffer.from(`{"content":"${content}"}`)]))
    const turns = await Promise.all(
      streams.map(async (stream) => {
        await readJsonBody(stream, headers, 2 ** 20)
        return turn()
      }),
    )
    return new Set(turns)
  }

  it('are parsed in several turns of the event loop if they are large, and in one if they are small', async () => {
    expect((await turnsFor('\\u00e4'.repeat(20_000))).size).toBeGreaterThan(2)
    expect((await turnsFor('\\u00e4'.repeat(20))).size).toBe(1)
  })

  it('are refused one by one if they are no JSON', async () => {
    const bodies = ['{', '{}', '['].map((begin) => Readable.from([Buffer.from(begin + ' '.repeat(20_000))]))
    const answers = await Promise.allSettled(bodies.map((body) => readJsonBody(body, headers, 2 ** 20)))
    const refused = { status: 'rejected', reason: { code: 'invalid' } }
    expect(answers).toMatchObject([refused, { value: {} }, refused])
  })
})
