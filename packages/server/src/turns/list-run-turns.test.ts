import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { applyRetention } from '../jobs/apply-retention.ts'

const dayMs = 86_400_000
type Rows = Record<string, unknown>[]

const runNamed = async (person: TestPerson, agentRunId: string, vaultId = person.user.vaultId) => {
  const { body, text } = await person.call('list-runs', { vaultId })
  const run = (body.runs as Rows).find((one) => one.agentRunId === agentRunId)
  expect(run, text).toBeDefined()
  return String(run?.id)
}

eachDialect('what was said in a run', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, preset: 'admin', agentId: 'ada' })
    const say = async (content: string, more: Record<string, unknown> = {}) => {
      clock.advance(1000)
      const { status, body, text } = await agent.call('ingest-turn', {
        role: 'user',
        content,
        agentRunId: 'one',
        ...more,
      })
      expect([201, text]).toEqual([status, text])
      return body as { turnId: string; memoryIds: string[] }
    }
    const said = async (query: Record<string, unknown> = {}) => {
      const { status, body, text } = await person.call('list-run-turns', {
        runId: await runNamed(person, 'one'),
        ...query,
      })
      expect([200, text]).toEqual([status, text])
      return body
    }
    const contents = async (query: Record<string, unknown> = {}) =>
      ((await said(query)).turns as Rows).map(({ content }) => content)
    return { person, agent, say, said, contents }
  }

  it('is listed in order, with extraction status and memories', async () => {
    const { agent, say, said } = await start()
    const first = await say('I prefer tabs over spaces. Never push to main.', { modelId: 'model-1' })
    await say('I will keep to tabs.', { role: 'assistant' })
    const again = await say('never push to main')
    await say('Should we always do that?')
    await agent.call('archive-memory', { memoryId: first.memoryIds[1] })
    const rule = { memoryId: first.memoryIds[1], memoryType: 'constraint', title: 'Never push to main.', live: false }
    const answer = await said()
    expect(answer).toMatchObject({ total: 4, hasMore: false, keptSince: null })
    expect(answer.turns).toEqual([
      {
        turnId: first.turnId,
        role: 'user',
        content: 'I prefer tabs over spaces. Never push to main.',
        isWhole: true,
        signalScore: 6,
        extractionStatus: 'extracted',
        memories: [
          {
            memoryId: first.memoryIds[0],
            memoryType: 'preference',
            title: 'The user prefers tabs over spaces.',
            live: true,
          },
          rule,
        ],
        agentId: 'ada',
        modelId: 'model-1',
        occurredAt: clock.iso(-3000),
        createdAt: clock.iso(-3000),
      },
      expect.objectContaining({ role: 'assistant', extractionStatus: 'skipped', memories: [], modelId: null }),
      expect.objectContaining({ turnId: again.turnId, extractionStatus: 'extracted', memories: [rule] }),
      expect.objectContaining({ extractionStatus: 'stored', memories: [] }),
    ])
  })

  it('is ordered by when it was said, not by when it was recorded', async () => {
    const { say, contents } = await start()
    await say('late')
    await say('early', { occurredAt: '2026-01-02T03:04:05.000Z' })
    expect(await contents()).toEqual(['early', 'late'])
  })

  it('leaves out memories that were deleted permanently', async () => {
    const { person, agent, say, said } = await start()
    const { memoryIds } = await say('Never push to main.')
    await agent.call('archive-memory', { memoryId: memoryIds[0] })
    await person.call('erase-memory', { id: memoryIds[0], withTurns: false })
    expect((await said()).turns).toMatchObject([{ extractionStatus: 'extracted', memories: [] }])
  })

  it('is paged, with each turn on one page', async () => {
    const { say, contents, said } = await start()
    const all = Array.from({ length: 7 }, (_, at) => `Turn ${at}`)
    for (const content of all) await say(content)
    const pages = await Promise.all([0, 3, 6, 9].map((offset) => contents({ limit: 3, offset })))
    expect(pages).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6), []])
    expect(await said({ limit: 3, offset: 3 })).toMatchObject({ total: 7, hasMore: true })
  })

  it('is cut in lists if it is long; one turn is returned in full, with its run', async () => {
    const { person, say, said } = await start()
    const content = 'A word. '.repeat(2_000)
    const { turnId } = await say(content)
    const [turn] = (await said()).turns as Rows
    expect(turn).toMatchObject({ turnId, isWhole: false })
    expect(content.startsWith(String(turn?.content))).toBe(true)
    expect(String(turn?.content).length).toBeLessThanOrEqual(4_000)
    const { body } = await person.call('list-run-turns', { id: turnId })
    expect(body).toMatchObject({
      turn: { turnId, content, isWhole: true },
      runId: await runNamed(person, 'one'),
    })
  })

  it('separates runs with the same name by integration and by vault', async () => {
    const { person, agent, say, contents } = await start()
    const other = await startAgent(test(), { user: person.user, preset: 'admin', agentId: 'bob' })
    const vaultId = await makeVault(test(), person.user)
    await say('mine')
    await say('elsewhere', { vaultId })
    const { body } = await other.call('ingest-turn', { role: 'user', content: 'theirs', agentRunId: 'one' })
    await agent.call('ingest-turn', { role: 'user', content: 'of no run' })
    await say('of another run', { agentRunId: 'two' })
    const { body: listed } = await person.call('list-runs')
    const runs = (listed.runs as Rows).filter(({ agentRunId }) => agentRunId === 'one')
    const told = await Promise.all(
      runs.map(async ({ id, agentId }) => [String(agentId), await contents({ runId: id })] as const),
    )
    expect(Object.fromEntries(told)).toEqual({ ada: ['mine'], bob: ['theirs'] })
    const elsewhere = await runNamed(person, 'one', vaultId)
    expect(await contents({ vaultId, runId: elsewhere })).toEqual(['elsewhere'])
    const mine = runs.find(({ agentId }) => agentId === 'ada')?.id
    for (const query of [
      { runId: elsewhere },
      { runId: newId() },
      { id: newId() },
      { id: body.turnId, runId: mine },
      { id: body.turnId, vaultId },
    ])
      expect((await person.call('list-run-turns', query)).status).toBe(404)
  })

  it('can be read by id for a turn without a run', async () => {
    const { person, agent } = await start()
    const { body } = await agent.call('ingest-turn', { role: 'user', content: 'of no run' })
    expect((await person.call('list-run-turns', { id: body.turnId })).body).toMatchObject({
      turn: { content: 'of no run' },
      runId: null,
    })
    const { status, body: refused } = await person.call('list-run-turns')
    expect([status, refused.fields]).toEqual([400, { runId: 'required without id or memoryId' }])
  })

  it('cannot be read by another user', async () => {
    const [{ person, say }, stranger] = [await start(), await makePerson(test())]
    const { turnId } = await say('mine')
    const runId = await runNamed(person, 'one')
    const { vaultId } = person.user
    for (const query of [{ runId }, { id: turnId }, { runId, vaultId }, { id: turnId, vaultId }])
      expect((await stranger.call('list-run-turns', query)).status).toBe(404)
    expect((await stranger.call('list-run-turns', { runId })).body).toMatchObject({ error: 'Run not found' })
  })

  it('is deleted as set in the vault, and the list says since when it is kept', async () => {
    const { agent, say, said, contents } = await start()
    await say('long ago')
    await agent.call('update-settings', { settings: { retention: { turnsDays: 7 } } })
    clock.advance(8 * dayMs)
    await say('just now')
    await applyRetention(test().app.services).run(new AbortController().signal)
    expect(await contents()).toEqual(['just now'])
    expect(await said()).toMatchObject({ keptSince: clock.iso(-7 * dayMs), total: 1 })
  })
})
