import { operations } from '../api/registry.ts'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { applyRetention } from '../jobs/apply-retention.ts'
import { listCalledRecords } from '../calls/runs.ts'

const dayMs = 86_400_000
type Rows = Record<string, unknown>[]

const listRunPage = async (person: TestPerson, query: Record<string, unknown> = {}) => {
  const { body, text } = await person.call('list-runs', query)
  expect(body.runs, text).toBeDefined()
  return body.runs as Rows
}

const callsOf = async (person: TestPerson, query: Record<string, unknown> = {}) => {
  const [run] = await listRunPage(person)
  return (await person.call('list-run-calls', { runId: run?.id, ...query })).body
}

eachDialect('calls of runs', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, agentId: 'ada' })
    const call = (name: string, body: Record<string, unknown> = {}) => {
      clock.advance(1000)
      return agent.call(name, { agentRunId: 'one', ...body })
    }
    return { person, agent, call }
  }

  it('are counted by result', async () => {
    const { person, call } = await start()
    await call('write-memory', { content: 'The violets want shade.' })
    await call('search-memories', { query: 'violets' })
    await call('search-memories', { query: '' })
    await call('update-memory', { memoryId: newId(), importance: 2 })
    expect(await listRunPage(person)).toMatchObject([
      { toolCalls: 4, reads: 1, writes: 1, failures: 2, checkpointAt: null },
    ])
    await call('context-checkpoint', { memories: [], sessionSummary: 'Looked after the violets.' })
    expect(await listRunPage(person)).toMatchObject([{ toolCalls: 5, writes: 2, checkpointAt: clock.iso() }])
  })

  it('are listed with time, status and records, latest first', async () => {
    const { person, call } = await start()
    const { memoryId } = (await call('write-memory', { content: 'The violets want shade.' })).body
    const { noteId } = (await call('create-note', { title: 'Violets' })).body
    await listRunPage(person)
    await call('read-memories', { memoryIds: [memoryId] })
    await call('read-note', { noteId: newId() })
    await call('session-track', { event: 'heartbeat' })
    const { calls, total } = await callsOf(person)
    expect(total).toBe(4)
    expect(calls).toMatchObject([
      { operation: 'read-note', isWrite: false, status: 404, records: [], recordCount: 0, at: clock.iso(-1000) },
      {
        operation: 'read-memories',
        status: 200,
        records: [{ kind: 'memory', id: memoryId, title: 'The violets want shade.', live: true }],
        recordCount: 1,
      },
      {
        operation: 'create-note',
        isWrite: true,
        status: 201,
        records: [{ kind: 'note', id: noteId, title: 'Violets' }],
      },
      { operation: 'write-memory', status: 201, durationMs: expect.any(Number), records: [{ id: memoryId }] },
    ])
    const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => callsOf(person, { offset, limit: 2 })))
    expect(pages.map((page) => (page.calls as Rows).map(({ operation }) => operation))).toEqual([
      ['read-note', 'read-memories'],
      ['read-memories', 'create-note'],
      ['create-note', 'write-memory'],
      ['write-memory'],
      [],
    ])
    const [run] = await listRunPage(person)
    expect((await person.call('list-runs', { id: run?.id })).body.operations).toEqual([
      { operation: 'create-note', isWrite: true, done: 1, failed: 0 },
      { operation: 'read-memories', isWrite: false, done: 1, failed: 0 },
      { operation: 'read-note', isWrite: false, done: 0, failed: 1 },
      { operation: 'write-memory', isWrite: true, done: 1, failed: 0 },
    ])
  })

  it('do not reveal operations or records in the database', async () => {
    const { person, call } = await start()
    const { memoryId } = (await call('write-memory', { content: 'secret' })).body
    await listRunPage(person)
    const rows = await test().app.services.db.read.selectFrom('runCalls').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    for (const { body } of rows)
      for (const word of ['write-memory', String(memoryId)]) expect(Buffer.from(body).includes(word)).toBe(false)
  })

  it('narrow the list of runs', async () => {
    const { person, call } = await start()
    await call('search-memories', { query: 'x', agentRunId: 'good' })
    await call('context-checkpoint', { memories: [], sessionSummary: 'Done.', agentRunId: 'saved' })
    const middle = clock.iso(500)
    await call('search-memories', { query: '', agentRunId: 'bad' })
    const named = async (query: Record<string, unknown>) =>
      (await listRunPage(person, query)).map(({ agentRunId }) => agentRunId)
    expect(await named({ failed: 'true' })).toEqual(['bad'])
    expect(await named({ checkpoint: 'true' })).toEqual(['saved'])
    expect(await named({ checkpoint: 'false' })).toEqual(['bad', 'good'])
    expect(await named({ seenFrom: middle })).toEqual(['bad'])
    expect(await named({ startedBefore: middle })).toEqual(['saved', 'good'])
  })

  it("are deleted after 30 days, and with the vault's turns; the counts stay", async () => {
    const { person, agent, call } = await start()
    await call('search-memories', { query: 'x' })
    await listRunPage(person)
    const retain = () => applyRetention(test().app.services).run(new AbortController().signal)
    clock.advance(29 * dayMs)
    await retain()
    expect((await callsOf(person)).total).toBe(1)
    clock.advance(2 * dayMs)
    await retain()
    expect((await callsOf(person)).total).toBe(0)
    expect(await listRunPage(person)).toMatchObject([{ toolCalls: 1, reads: 1 }])
    const admin = await startAgent(test(), { user: agent.user, preset: 'admin' })
    await call('search-memories', { query: 'x' })
    await admin.call('update-settings', { vaultId: agent.user.vaultId, settings: { retention: { turnsDays: 1 } } })
    expect(await listRunPage(person)).toMatchObject([{ reads: 2 }])
    clock.advance(2 * dayMs)
    await retain()
    expect(await listRunPage(person)).toEqual([])
    const rows = test().app.services.db.read.selectFrom('runCalls').selectAll()
    expect(await rows.where('userId', '=', person.user.userId).execute()).toEqual([])
  })

  it('cannot be read by another user', async () => {
    const [{ person, call }, stranger] = [await start(), await makePerson(test())]
    await call('search-memories', { query: 'x' })
    const [run] = await listRunPage(person)
    for (const runId of [run?.id, newId()])
      for (const [name, input] of [
        ['list-run-calls', { runId }],
        ['revert-run', { id: runId, dryRun: true }],
        ['revert-run', { id: runId }],
      ] as const)
        expect(await stranger.call(name, input)).toMatchObject({ status: 404, body: { error: 'Run not found' } })
    expect((await stranger.call('list-run-calls', { runId: run?.id, vaultId: person.user.vaultId })).status).toBe(404)
  })
})

describe('the records of an answer', () => {
  const recordsOf = (name: string, answer: unknown) =>
    listCalledRecords(operations.find((operation) => operation.name === name)?.returns?.(answer) ?? [])

  it('are the first ten that it contains', () => {
    const memories = Array.from({ length: 12 }, (_, at) => ({ memoryId: `id-${at}`, id: `id-${at}` }))
    const { records, recordCount } = recordsOf('search-memories', { memories })
    expect([records.length, recordCount, records[0]]).toEqual([10, 12, { kind: 'memory', id: 'id-0' }])
  })

  it.each([
    ['read-memories', { memories: [{ memoryId: 'a', relatedMemories: [{ memoryId: 'b' }] }] }, ['memory a']],
    ['create-task', { taskId: 'a', memoryId: 'a' }, ['task a']],
    ['create-note', { noteId: 'a', links: [{ noteId: 'b' }] }, ['note a']],
    ['ingest-turn', { turnId: 'a', memoryIds: ['b', 'c'] }, ['turn a', 'memory b', 'memory c']],
    [
      'context-checkpoint',
      { summaryMemoryId: 's', results: [{ memoryId: 'a' }, { index: 1 }] },
      ['memory s', 'memory a'],
    ],
    [
      'session-start',
      {
        sessionContext: { episodic: [], facts: [{ memoryId: 'a' }], tasks: [{ taskId: 'b' }], constraints: [] },
        pendingMessages: [],
      },
      ['memory a', 'task b'],
    ],
    ['explore-graph', { nodes: [{ type: 'note', id: 'a' }] }, ['note a']],
    ['list-vaults', { vaults: [{ vaultId: 'a' }] }, []],
  ])('of %s in %j are %j', (name, answer, expected) => {
    expect(recordsOf(name, answer).records.map(({ kind, id }) => `${kind} ${id}`)).toEqual(expected)
  })
})
