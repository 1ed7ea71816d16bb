import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as errors from '../core/errors.ts'
import { createLog } from '../core/log.ts'
import { useTestApp } from '../../test/app.ts'
import { createFailureLog } from './failure-log.ts'

interface Line {
  event: string
  operation: string
  status: number
  count?: number
}

function startLog() {
  const lines: Line[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  const { logFailure, flush } = createFailureLog(log, () => {})
  const fail = (error: Error, operation = 'log-in') => logFailure(error, { requestId: 'r', operation })
  return { lines, fail, flush }
}

const refused = (operation: string, count: number) => ({ event: 'requests refused', operation, count })

describe('refused callers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('are logged at once, and the others of a minute at its end, by operation and reason', () => {
    const { lines, fail } = startLog()
    for (let attempt = 0; attempt < 1000; attempt++) fail(errors.wrongLogIn())
    fail(errors.missingScope('write'), 'write-memory')
    for (let search = 0; search < 100; search++) fail(errors.overloaded('too many searches', 2), 'search-memories')
    expect(lines).toMatchObject([
      { ...refused('log-in', 1), status: 401, code: 'unauthenticated', level: 30 },
      { ...refused('write-memory', 1), status: 403, code: 'scope_denied', level: 30 },
      { ...refused('search-memories', 1), status: 503, code: 'too_many_requests', level: 40 },
    ])
    vi.advanceTimersByTime(60_000)
    expect(lines.slice(3)).toMatchObject([refused('log-in', 999), refused('search-memories', 99)])
    fail(errors.wrongLogIn())
    vi.advanceTimersByTime(59_999)
    expect(lines).toHaveLength(5)
    vi.advanceTimersByTime(1)
    expect(lines.slice(5)).toMatchObject([refused('log-in', 1)])
  })

  it('are logged at once again after a quiet minute', () => {
    const { lines, fail } = startLog()
    fail(errors.wrongLogIn())
    vi.advanceTimersByTime(60_000)
    fail(errors.wrongLogIn())
    expect(lines).toMatchObject([refused('log-in', 1), refused('log-in', 1)])
  })

  it('are all logged when the server stops', () => {
    const { lines, fail, flush } = startLog()
    for (let attempt = 0; attempt < 5; attempt++) fail(errors.wrongLogIn())
    flush()
    flush()
    vi.advanceTimersByTime(600_000)
    expect(lines).toMatchObject([refused('log-in', 1), refused('log-in', 4)])
  })
})

it('other mistakes of callers are not logged, and each outage and bug is', () => {
  const { lines, fail } = startLog()
  for (const error of [errors.invalid({ a: 'wrong' }), errors.notFound('Memory'), errors.rateLimited(1)]) fail(error)
  expect(lines).toEqual([])
  for (const error of [new Error('planted'), new Error('planted'), errors.unavailable('no disk')]) fail(error)
  expect(lines.map(({ status }) => status)).toEqual([500, 500, 503])
  expect(JSON.stringify(lines)).not.toContain('planted')
})

const test = useTestApp()

it('callers with wrong credentials and from foreign pages are in the log, over every way in, without what they sent', async () => {
  const { server } = test().app
  const authorization = 'Bearer svc_planted'
  const json = { 'content-type': 'application/json' }
  await server.inject({ method: 'GET', url: '/api/agent/info', headers: { authorization } })
  await server.inject({ method: 'POST', url: '/mcp', headers: { ...json, authorization }, body: '{}' })
  const attempt = { email: 'planted@example.org', password: 'planted password' }
  await server.inject({ method: 'POST', url: '/api/auth/login', headers: json, body: attempt })
  await server.inject({ method: 'GET', url: '/docs', headers: { host: 'planted.example' } })
  const found = test()
    .log()
    .split('\n')
    .filter((line) => line.includes('requests refused'))
    .map((line) => JSON.parse(line) as Line)
  expect(found.map(({ operation, status }) => [operation, status])).toEqual([
    ['info', 401],
    ['mcp', 401],
    ['log-in', 401],
    ['/docs', 403],
  ])
  expect(JSON.stringify(found)).not.toContain('planted')
})
