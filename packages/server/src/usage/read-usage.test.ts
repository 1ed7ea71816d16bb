import { describe, expect, it } from 'vitest'
import { startTestApp, useTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { dayMs } from '../core/time.ts'
import { applyRetention } from '../jobs/apply-retention.ts'
import type { AgentActor } from '../auth/actor.ts'
import { newId } from '../core/ids.ts'
import { createCallCounts } from '../calls/call-counts.ts'

const none = { read: 0, write: 0, search: 0, ingest: 0 }

async function ask(test: TestApp, token: string, input: Record<string, unknown> = {}) {
  const { status, body, text } = await test.call('read-usage', { parts: ['calls'], ...input }, { key: token })
  expect([status, text]).toEqual([200, text])
  return body.calls as {
    total: Record<string, unknown>
    series: { start: string; calls: number }[]
    rows: { operation: string | null; label: string | null; integrationId: string; calls: number; p50Ms: number }[]
    rowCount: number
    sessionStart: { answers: number; p50Chars: number | null; p95Chars: number | null }
  }
}

const callsOf = (rows: { operation: string | null; calls: number }[]) =>
  Object.fromEntries(rows.map(({ operation, calls }) => [operation, calls]))

eachDialect('what agents have called', (dialect) => {
  const clock = makeClock(Date.parse('2026-11-21T23:00:00.000Z'))
  const test = useTestApp({ dialect, now: clock.now })

  it('is counted by operation, with errors and times', async () => {
    const { call, user } = await startAgent(test())
    await call('write-memory', { content: 'The tide is high at nine.' })
    await call('write-memory', { content: 'The boat is blue.' })
    expect((await call('write-memory', {})).status).toBe(400)
    await call('info')
    const { total, rows, rowCount } = await ask(test(), user.dashboardToken)
    expect(rows).toMatchObject([
      { operation: 'write-memory', integrationId: null, label: null, calls: 3, errors: 1, refused: 0 },
      { operation: 'info', calls: 1, errors: 0, refused: 0 },
    ])
    expect(total).toMatchObject({ calls: 4, errors: 1, refused: 0, p95Ms: expect.any(Number) })
    expect(rows[0]?.p50Ms).toBeGreaterThan(0)
    expect(rowCount).toBe(2)
  })

  it('is counted by agent, and can be filtered by agent or operation', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [
      await startAgent(test(), { user, label: 'Ada' }),
      await startAgent(test(), { user, label: 'Bob' }),
    ]
    for (let n = 0; n < 2; n++) await ada.call('info')
    await bob.call('info')
    await bob.call('write-memory', { content: 'x' })
    await bob.call('list-vaults')
    const byAgent = await ask(test(), user.dashboardToken, { by: 'agent' })
    expect(byAgent.rows).toMatchObject([
      { operation: null, label: 'Bob', calls: 3 },
      { operation: null, label: 'Ada', calls: 2 },
    ])
    const integrationId = byAgent.rows[0]?.integrationId.toUpperCase()
    const ofBob = await ask(test(), user.dashboardToken, { integrationId })
    expect(callsOf(ofBob.rows)).toEqual({ info: 1, 'write-memory': 1, 'list-vaults': 1 })
    const ofInfo = await ask(test(), user.dashboardToken, { by: 'agent', operation: 'info' })
    expect(ofInfo.rows).toMatchObject([
      { label: 'Ada', calls: 2 },
      { label: 'Bob', calls: 1 },
    ])
    await test().call('delete-integration', { id: integrationId }, { key: user.dashboardToken })
    const gone = await ask(test(), user.dashboardToken, { by: 'agent' })
    expect(gone.rows.map(({ label }) => label)).toEqual([null, 'Ada'])
  })

  it('is counted by day, week and month in UTC, including empty ones', async () => {
    const { call, user } = await startAgent(test())
    await call('info')
    clock.advance(2 * dayMs)
    await call('info')
    await call('info')
    const series = async (input: object) =>
      (await ask(test(), user.dashboardToken, { ...input })).series.map(({ start, calls }) => [start, calls])
    expect(await series({ from: '2026-11-20', to: '2026-11-23' })).toEqual([
      ['2026-11-20', 0],
      ['2026-11-21', 1],
      ['2026-11-22', 0],
      ['2026-11-23', 2],
    ])
    expect(await series({ from: '2026-11-20', to: '2026-11-23', bucket: 'week' })).toEqual([
      ['2026-11-16', 1],
      ['2026-11-23', 2],
    ])
    expect(await series({ from: '2026-10-20', to: '2026-11-22', bucket: 'month' })).toEqual([
      ['2026-10-01', 0],
      ['2026-11-01', 1],
    ])
    expect(await series({})).toHaveLength(30)
    clock.advance(-2 * dayMs)
  })

  it('includes the length of session-start answers', async () => {
    const { call, user } = await startAgent(test())
    for (let n = 0; n < 3; n++) expect((await call('session-start', {})).status).toBe(200)
    const { sessionStart, rows } = await ask(test(), user.dashboardToken)
    expect(sessionStart.answers).toBe(3)
    expect(sessionStart.p50Chars).toBeGreaterThan(200)
    expect(sessionStart.p50Chars).toBeLessThan(16_000 * 1.2)
    expect(callsOf(rows)).toEqual({ 'session-start': 3 })
  })

  it('excludes other users, and calls by people', async () => {
    const [{ call, user }, other] = [await startAgent(test()), await makeUser(test())]
    await call('info')
    await test().call('read-session', {}, { key: user.dashboardToken })
    expect((await ask(test(), other.dashboardToken)).rows).toEqual([])
    expect(callsOf((await ask(test(), user.dashboardToken)).rows)).toEqual({ info: 1 })
  })

  it('can be read for at most 400 days, and only from an earlier to a later day', async () => {
    const user = await makeUser(test())
    const problem = async (input: object) => {
      const asked = { parts: ['calls'], ...input }
      const { status, body } = await test().call('read-usage', asked, { key: user.dashboardToken })
      return [status, body.fields]
    }
    const days = { from: '2025-10-17', to: '2026-11-20' }
    expect(await problem(days)).toEqual([200, undefined])
    expect(await problem({ ...days, to: '2026-11-21' })).toEqual([
      400,
      { from: 'must be at most 400 days from the last one, 2026-11-21' },
    ])
    expect(await problem({ from: '2026-11-21', to: '2026-11-20' })).toEqual([
      400,
      { from: 'must not be after the last day, 2026-11-20' },
    ])
    expect((await problem({ from: 'yesterday' }))[0]).toBe(400)
    expect(await problem({ to: '1999-12-31' })).toEqual([400, { to: 'must be a date from 2000 to 2999' }])
  })

  it('is summed over servers, and deleted after 400 days', async () => {
    const { call, user } = await startAgent(test())
    await call('info')
    const { db, log, now } = test().app.services
    const second = createCallCounts({ db, log })
    const [{ integrationId } = { integrationId: '' }] = (await ask(test(), user.dashboardToken, { by: 'agent' })).rows
    second.add({
      id: newId(),
      operation: { name: 'info', isWrite: false, isCheckpoint: false, changes: [], class: 'read' },
      actor: { kind: 'agent', userId: user.userId, integrationId } as AgentActor,
      address: '127.0.0.1',
      at: now(),
      vault: undefined,
      vaultId: undefined,
      run: undefined,
      about: [],
      returns: [],
      stored: undefined,
      tokens: 0,
      durationMs: 900,
      status: 200,
      answerChars: undefined,
    })
    await second.stop()
    expect(callsOf((await ask(test(), user.dashboardToken)).rows)).toEqual({ info: 2 })
    const days = { from: '2026-11-21', to: '2026-11-21' }
    const forget = () => applyRetention(test().app.services).run(new AbortController().signal)
    clock.advance(399 * dayMs)
    await forget()
    expect((await ask(test(), user.dashboardToken, days)).rows).toHaveLength(1)
    clock.advance(dayMs)
    await forget()
    expect((await ask(test(), user.dashboardToken, days)).rows).toEqual([])
    clock.advance(-400 * dayMs)
  })
})

describe('usage', () => {
  it('has the parts that are asked for, and at least one', async () => {
    const test = await startTestApp()
    const { dashboardToken: key } = await makeUser(test)
    const read = (parts?: string[]) => test.call('read-usage', { parts }, { key })
    for (const parts of [['units'], ['calls', 'memories'], ['memories', 'storage', 'calls', 'units']])
      expect(Object.keys((await read(parts)).body).toSorted()).toEqual(parts.toSorted())
    for (const parts of [undefined, ['days']])
      expect(await read(parts)).toMatchObject({ status: 400, body: { fields: expect.any(Object) } })
  })
})

describe('calls', () => {
  it('refused by a limit are counted separately from failed ones', async () => {
    const test = await startTestApp({ config: { rateLimits: { ...none, read: 1 } } })
    const { call, user } = await startAgent(test)
    for (let n = 0; n < 3; n++) await call('info')
    expect((await ask(test, user.dashboardToken)).rows).toMatchObject([{ calls: 3, errors: 0, refused: 2 }])
  })

  it('by MCP are counted as the operations that they call', async () => {
    const test = await startTestApp()
    const { key, user } = await startAgent(test)
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tasks', arguments: {} } }
    const { statusCode } = await test.app.server.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        host: 'localhost',
      },
      payload: message,
    })
    expect(statusCode).toBe(200)
    expect(callsOf((await ask(test, user.dashboardToken)).rows)).toMatchObject({ 'list-tasks': 1 })
  })

  it('that cannot be written are kept for the next write', async () => {
    const test = await startTestApp()
    const { call, user } = await startAgent(test)
    const { db, calls } = test.app.services
    await call('info')
    const write = db.write.bind(db)
    db.write = () => Promise.reject(new Error('planted'))
    await calls.flush()
    db.write = write
    await call('info')
    expect(callsOf((await ask(test, user.dashboardToken)).rows)).toEqual({ info: 2 })
    expect(test.log()).toContain('calls were not counted yet')
  })
})
