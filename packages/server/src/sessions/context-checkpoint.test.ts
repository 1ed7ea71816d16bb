import { expect, it } from 'vitest'
import { useTestApp, type Answer } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

interface Result {
  index: number
  status: string
  memoryId?: string
  dedupAction?: string
  duplicateOfId?: string
  supersededMemoryId?: string
  error?: string
}

const resultsOf = ({ body }: Answer) => body.results as Result[]
const save = (agent: TestAgent, body: Record<string, unknown>, sessionSummary = 'What happened.') =>
  agent.call('context-checkpoint', { sessionSummary, memories: [], ...body })

eachDialect('context-checkpoint', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const agentIn = (over: Parameters<typeof startAgent>[1] = {}) => startAgent(test(), { agentId: 'ada', ...over })

  const memoriesIn = async (agent: TestAgent) => {
    const { db } = test().app.services
    const rows = await db.read.selectFrom('memories').select('id').where('userId', '=', agent.user.userId).execute()
    return rows.length
  }

  it('stores each memory as write-memory would, in order, and the summary as an episode', async () => {
    const agent = await agentIn()
    const known = await agent.write('known')
    const sent = {
      content: 'first',
      memoryType: 'skill',
      summary: 's',
      importance: 5,
      confidence: 1,
      entities: ['Ada'],
      writeReason: 'because',
      metadata: { a: 1 },
    }
    const answer = await save(agent, {
      memories: [{ ...sent, relatedMemoryIds: [known.toUpperCase()], expiresAt: null }, { content: 'second' }],
      modelId: 'model-7',
    })
    const [first, second] = resultsOf(answer)
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { vaultId: agent.user.vaultId, total: 2, created: 2, skipped: 0, failed: 0, idempotent: false },
    ])
    expect([first, second]).toMatchObject([
      { index: 0, status: 'created', dedupAction: 'none' },
      { index: 1, status: 'created' },
    ])
    expect(await agent.read(first?.memoryId ?? '')).toMatchObject({
      ...sent,
      relatedMemories: [{ memoryId: known, relationType: 'references' }],
      agentId: 'ada',
      modelId: 'model-7',
      source: { route: 'context-checkpoint' },
      externalWriteId: null,
    })
    expect(await agent.read(second?.memoryId ?? '')).toMatchObject({ memoryType: 'fact', importance: 3 })
    expect(await agent.read(String(answer.body.summaryMemoryId))).toMatchObject({
      memoryType: 'episodic',
      content: 'What happened.',
      source: { route: 'context-checkpoint' },
    })
    expect(answer.body).not.toHaveProperty('pendingMessages')
  })

  it('reports an invalid memory and stores the others', async () => {
    const agent = await agentIn()
    const answer = await save(agent, {
      memories: [
        { content: 'good' },
        {},
        { content: '' },
        { content: 'x', importance: 9 },
        { content: 'x', memoryType: 'thought' },
        { content: '𝄞'.repeat(50_001) },
        { content: 'x', relatedMemoryIds: [newId()] },
        { content: 'x', sourceNoteIds: [newId()] },
        { content: 'x', supersededById: newId() },
        { content: 7 },
        'plain text',
        null,
        { content: 'good as well' },
      ],
    })
    expect(answer.body).toMatchObject({ total: 13, created: 2, skipped: 0, failed: 11 })
    const results = resultsOf(answer)
    expect(results.map(({ index, status }) => [index, status])).toEqual(
      results.map((_, index) => [index, index === 0 || index === 12 ? 'created' : 'failed']),
    )
    expect(results.slice(1, 12).map(({ error }) => error)).toEqual([
      'Validation failed: content: required (string)',
      expect.stringMatching(/^Validation failed: content: /),
      expect.stringMatching(/^Validation failed: importance: /),
      expect.stringMatching(/^Validation failed: memoryType: must be one of .*\bpreference\b/),
      'Validation failed: content: must be at most 100000 characters (counted in UTF-16 units)',
      'Memory not found',
      'Note not found',
      'Memory not found',
      expect.stringMatching(/^Validation failed: content: /),
      expect.stringMatching(/^Validation failed: /),
      expect.stringMatching(/^Validation failed: /),
    ])
    expect(await memoriesIn(agent)).toBe(3)
  })

  it('retries after an unexpected failure, and stores nothing twice', async () => {
    const agent = await agentIn()
    const memories = [{ content: 'first' }, { content: 'second', relatedMemoryIds: [await agent.write('there')] }]
    const body = { memories, agentRunId: 'run-1', dedup: false }
    const { db } = test().app.services
    await db.write((tx) => tx.schema.alterTable('links').renameTo('linksAway').execute())
    const broken = await save(agent, body)
    await db.write((tx) => tx.schema.alterTable('linksAway').renameTo('links').execute())
    expect(resultsOf(broken).map(({ status, error }) => [status, error])).toEqual([
      ['created', undefined],
      ['failed', 'could not be stored'],
    ])
    const again = await save(agent, body)
    expect([again.body.created, again.body.failed, again.body.idempotent]).toEqual([2, 0, false])
    expect((await save(agent, body)).body).toMatchObject({ created: 2, idempotent: true })
    expect(await memoriesIn(agent)).toBe(4)
  })

  it('accepts up to fifty memories, and requires a summary', async () => {
    const agent = await agentIn()
    const memories = Array.from({ length: 51 }, (_, n) => ({ content: `memory ${n}` }))
    const many = await save(agent, { memories })
    expect([many.status, Object.keys(many.body.fields as object)]).toEqual([400, ['memories']])
    expect((await save(agent, { memories: memories.slice(1), dedup: false })).body.created).toBe(50)
    const silent = await agent.call('context-checkpoint', { memories: [] })
    expect([silent.status, Object.keys(silent.body.fields as object)]).toEqual([400, ['sessionSummary']])
  })

  it('skips duplicates, also within the same call, unless deduplication is off', async () => {
    const agent = await agentIn()
    const known = await agent.write('The deploy needs the VPN')
    const memories = [
      { content: '  the deploy NEEDS the vpn ' },
      { content: 'Tests run on two databases' },
      { content: 'tests run on two databases' },
    ]
    const answer = await save(agent, { memories })
    const [first, second, third] = resultsOf(answer)
    expect(answer.body).toMatchObject({ created: 1, skipped: 2 })
    expect(first).toMatchObject({
      status: 'skipped',
      memoryId: known,
      dedupAction: 'exact_match',
      duplicateOfId: known,
    })
    expect(third).toMatchObject({ status: 'skipped', memoryId: second?.memoryId })
    expect((await save(agent, { memories, dedup: false })).body).toMatchObject({ created: 3, skipped: 0 })
  })

  it('stores a summary for each session, even if they are equal', async () => {
    const agent = await agentIn()
    const ids = [await save(agent, {}), await save(agent, {})].map(({ body }) => body.summaryMemoryId)
    expect(new Set(ids).size).toBe(2)
  })

  it('returns the first answer to a repeated checkpoint of a run, and stores nothing again', async () => {
    const agent = await agentIn()
    const body = { memories: [{ content: 'one' }, { content: '' }, { content: 'ONE' }], agentRunId: 'run-7' }
    const first = await save(agent, body)
    clock.advance(1000)
    const again = await save(agent, body)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual({ ...first.body, idempotent: true })
    const header = { headers: { 'x-agent-run-id': 'run-7' } }
    const { agentRunId: _run, ...rest } = body
    const byHeader = await agent.call('context-checkpoint', { ...rest, sessionSummary: 'What happened.' }, header)
    expect(byHeader.body).toEqual({ ...first.body, idempotent: true })
    expect(await memoriesIn(agent)).toBe(2)
  })

  it('treats a different payload, run, vault or integration, or a call without a run, as another checkpoint', async () => {
    const agent = await agentIn()
    const vaultId = await makeVault(test(), agent.user)
    const other = await agentIn({ user: agent.user })
    const body = { memories: [{ content: 'one' }], agentRunId: 'run-7', dedup: false }
    const answers = [
      await save(agent, body),
      await save(agent, body, 'Other words.'),
      await save(agent, { ...body, agentRunId: 'run-8' }),
      await save(agent, { ...body, vaultId }),
      await save(agent, { ...body, memories: [{ content: 'two' }] }),
      await save(other, body),
      await save(agent, { ...body, agentRunId: undefined }),
      await save(agent, { ...body, agentRunId: undefined }),
    ]
    expect(answers.map(({ body: answer }) => answer.idempotent)).toEqual(answers.map(() => false))
    expect(new Set(answers.map(({ body: answer }) => answer.summaryMemoryId)).size).toBe(answers.length)
  })

  it('completes an interrupted call', async () => {
    const agent = await agentIn()
    const known = await agent.write('known before')
    const body = {
      memories: [{ content: 'one' }, { content: 'Known before' }, { content: 'two' }],
      agentRunId: 'run-7',
    }
    const first = await save(agent, body)
    const before = await memoriesIn(agent)
    const { db } = test().app.services
    // As if the server had died before it could answer: what it stored is there, the answer is not.
    await db.write((tx) => tx.deleteFrom('checkpoints').where('userId', '=', agent.user.userId).execute())
    const again = await save(agent, body)
    expect(again.body).toMatchObject({ created: 2, skipped: 1, summaryMemoryId: first.body.summaryMemoryId })
    expect(resultsOf(again)).toEqual(
      resultsOf(first).map(({ index, status, memoryId }) => ({ index, status, memoryId })),
    )
    expect(resultsOf(again)[1]?.memoryId).toBe(known)
    expect(await memoriesIn(agent)).toBe(before)
  })

  it('deletes its answer after a month, and even then stores nothing twice', async () => {
    const agent = await agentIn()
    const body = { memories: [{ content: 'one' }], agentRunId: 'run-7' }
    const first = await save(agent, body)
    clock.advance(31 * 86_400_000)
    await save(agent, { ...body, agentRunId: 'run-8' })
    const rows = () =>
      test()
        .app.services.db.read.selectFrom('checkpoints')
        .select('tag')
        .where('userId', '=', agent.user.userId)
        .execute()
    expect(await rows()).toHaveLength(1)
    const again = await save(agent, body)
    expect(again.body).toMatchObject({ idempotent: false, created: 1, summaryMemoryId: first.body.summaryMemoryId })
    expect(resultsOf(again)[0]?.memoryId).toBe(resultsOf(first)[0]?.memoryId)
  })

  it('stores concurrent identical calls once', async () => {
    const agent = await agentIn()
    const body = { memories: [{ content: 'one' }, { content: 'two' }], agentRunId: 'run-7', dedup: false }
    const answers = await Promise.all(Array.from({ length: 6 }, () => save(agent, body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const ids = answers.map((answer) => [answer.body.summaryMemoryId, ...resultsOf(answer).map((one) => one.memoryId)])
    expect(new Set(ids.map((list) => list.join(' '))).size).toBe(1)
    expect(await memoriesIn(agent)).toBe(3)
  })

  it('returns pending messages without acknowledging them', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    await bob.call('send-message', { targetId: 'ada', content: 'hello' })
    const { body } = await save(ada, {})
    expect(body.pendingMessages).toMatchObject([{ content: 'hello', source: { agentId: 'bob' } }])
    expect((await ada.call('pending-messages')).body.count).toBe(1)
  })

  it('marks where the next session begins: its full summary in a handoff, and changes since', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const summary = 'It began well. '.repeat(40).trim()
    clock.advance(1000)
    const { body } = await save(ada, { memories: [{ content: 'one' }] }, summary)
    const since = clock.iso()
    clock.advance(1000)
    await bob.write({ content: 'a later episode', memoryType: 'episodic' })
    const handoff = (await bob.call('session-start', { mode: 'handoff' })).body
    expect(handoff.sessionContext).toMatchObject({
      episodic: [{ memoryId: body.summaryMemoryId, content: summary }, { summary: 'a later episode' }],
    })
    const next = (await ada.call('session-start', {})).body
    expect(next.changesSinceLastSession).toMatchObject({ since, created: 1 })
    expect(next.sessionContext).toMatchObject({
      episodic: [{ summary: 'a later episode' }, { memoryId: body.summaryMemoryId, clipped: true }],
    })
    const fitting = await bob.call('session-start', { mode: 'handoff', maxResponseChars: 2000 })
    expect(fitting.text.length).toBeLessThanOrEqual(2000)
  })

  it('hands over the latest summary that is not archived', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const summary = 'It began well. '.repeat(40).trim()
    const kept = await save(bob, { memories: [] }, summary)
    clock.advance(1000)
    const archived = await save(ada, { memories: [] }, 'Gone.')
    await ada.call('archive-memory', { memoryId: archived.body.summaryMemoryId })
    const { sessionContext } = (await ada.call('session-start', { mode: 'handoff' })).body
    expect(sessionContext).toMatchObject({ episodic: [{ memoryId: kept.body.summaryMemoryId, content: summary }] })
  })
})
