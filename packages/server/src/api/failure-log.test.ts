import { expect, it } from 'vitest'
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
  const clock = { now: 0 }
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  const logFailure = createFailureLog(log, () => clock.now)
  const fail = (error: Error, operation = 'log-in') => logFailure(error, { requestId: 'r', operation })
  return { lines, clock, fail }
}

it('refused callers are logged once a minute for each operation and reason, with their number', () => {
  const { lines, clock, fail } = startLog()
  for (let attempt = 0; attempt < 1000; attempt++) fail(errors.wrongLogIn())
  fail(errors.missingScope('write'), 'write-memory')
  clock.now = 60_000
  fail(errors.wrongLogIn())
  expect(lines).toMatchObject([
    { event: 'requests refused', operation: 'log-in', status: 401, code: 'unauthenticated', count: 1 },
    { event: 'requests refused', operation: 'write-memory', status: 403, code: 'scope_denied', count: 1 },
    { event: 'requests refused', operation: 'log-in', status: 401, count: 1000 },
  ])
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
  const refused = test()
    .log()
    .split('\n')
    .filter((line) => line.includes('requests refused'))
    .map((line) => JSON.parse(line) as Line)
  expect(refused.map(({ operation, status }) => [operation, status])).toEqual([
    ['info', 401],
    ['mcp', 401],
    ['log-in', 401],
    ['/docs', 403],
  ])
  expect(JSON.stringify(refused)).not.toContain('planted')
})
