import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { unlockVault } from '../jobs/each-vault.ts'
import { findTurn, purgeTurns } from './turn-store.ts'

eachDialect('ingest-turn', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = (more = {}) => startAgent(test(), { preset: 'admin', agentId: 'gardener', ...more })
  const say = async (agent: TestAgent, content: string, more: Record<string, unknown> = {}) => {
    const { status, body, text } = await agent.call('ingest-turn', { role: 'user', content, ...more })
    expect([201, text]).toEqual([status, text])
    return body as { turnId: string; memoryIds: string[]; extractionStatus: string; signalScore: number }
  }
  const turnOf = async ({ user }: TestAgent, turnId: string) => {
    const scope = await unlockVault(test().app.services, user.userId, user.vaultId)
    return scope && findTurn(test().app.services.db.read, scope, turnId)
  }

  it('stores memories found in a turn', async () => {
    const agent = await start()
    const said = 'Thanks! I prefer tabs over spaces. Never push to main.'
    const answer = await say(agent, said, { agentRunId: 'run-1', modelId: 'gpt' })
    expect(answer).toEqual({
      turnId: expect.any(String),
      signalScore: 6,
      signalKeywords: ['never', 'prefer'],
      extractionStatus: 'extracted',
      memoryIds: [expect.any(String), expect.any(String)],
      vaultId: agent.user.vaultId,
    })
    expect(await agent.read(answer.memoryIds[0] ?? '')).toMatchObject({
      content: 'The user prefers tabs over spaces.',
      memoryType: 'preference',
      metadata: { turnId: answer.turnId },
      agentId: 'gardener',
      agentRunId: 'run-1',
      modelId: 'gpt',
      source: { route: 'ingest-turn' },
    })
    expect(await agent.search('tabs or spaces')).toContain(answer.memoryIds[0])
    expect(await turnOf(agent, answer.turnId)).toMatchObject({
      content: said,
      role: 'user',
      status: 'extracted',
      score: 6,
    })
  })

  it('extracts nothing from a turn without signals, and keeps the turn', async () => {
    const agent = await start()
    const answer = await say(agent, 'Thanks!')
    expect(answer).toMatchObject({ signalScore: 0, signalKeywords: [], extractionStatus: 'skipped', memoryIds: [] })
    expect(await turnOf(agent, answer.turnId)).toMatchObject({ content: 'Thanks!', status: 'skipped' })
  })

  it('keeps a turn with signals in which the rules find nothing', async () => {
    expect(await say(await start(), 'Should we always do that?')).toMatchObject({
      extractionStatus: 'stored',
      memoryIds: [],
    })
  })

  it("uses the threshold of the call, or else the vault's", async () => {
    const agent = await start()
    const text = 'Never push to main.'
    expect(await say(agent, text, { signalThreshold: 4 })).toMatchObject({ extractionStatus: 'skipped' })
    await agent.call('update-settings', { settings: { signalThreshold: 4 } })
    expect(await say(agent, text)).toMatchObject({ extractionStatus: 'skipped' })
    expect(await say(agent, text, { signalThreshold: 3 })).toMatchObject({ extractionStatus: 'extracted' })
    expect(await say(agent, 'ok', { signalThreshold: 0 })).toMatchObject({ extractionStatus: 'stored' })
  })

  it('uses the signal words of the vault and of the call', async () => {
    const agent = await start()
    await agent.call('update-settings', { settings: { customSignalKeywords: ['ticket'] } })
    expect(await say(agent, 'The ticket about .* is open', { customSignalKeywords: ['.*', 'absent'] })).toMatchObject({
      signalScore: 6,
      signalKeywords: ['ticket', '.*'],
    })
  })

  it('stores no memories if extraction is off', async () => {
    const agent = await start()
    await agent.call('update-settings', { settings: { extraction: 'off' } })
    expect(await say(agent, 'Never push to main.')).toMatchObject({
      extractionStatus: 'stored',
      memoryIds: [],
      signalScore: 3,
    })
  })

  it('does not store recalled memories again', async () => {
    const agent = await start()
    const recalled = '<holdfast-recall>Never push to main. I prefer tabs.</holdfast-recall>'
    expect(await say(agent, recalled, { signalThreshold: 0 })).toMatchObject({
      signalScore: 0,
      extractionStatus: 'skipped',
    })
    expect(await say(agent, `${recalled}\nRemember that the port is 5433.`)).toMatchObject({
      signalScore: 4,
      memoryIds: [expect.any(String)],
    })
  })

  it('returns the existing memory if the same thing is said again', async () => {
    const agent = await start()
    const [first] = (await say(agent, 'Never push to main.')).memoryIds
    expect((await say(agent, 'never push to main')).memoryIds).toEqual([first])
  })

  it('dates turn and memories by when it was said', async () => {
    const agent = await start()
    const occurredAt = '2026-01-02T03:04:05.000Z'
    const { turnId, memoryIds } = await say(agent, 'We decided to use Go.', { occurredAt })
    expect(await agent.read(memoryIds[0] ?? '')).toMatchObject({ occurredAt })
    expect(await turnOf(agent, turnId)).toMatchObject({ occurredAt: Date.parse(occurredAt) })
  })

  it('stays within its vault', async () => {
    const agent = await start()
    const vaultId = await makeVault(test(), agent.user)
    const { memoryIds } = await say(agent, 'Never push to main.', { vaultId })
    expect(await agent.search('push')).toEqual([])
    expect(await agent.search('push', { vaultId })).toEqual(memoryIds)
  })

  it('keeps the turn if its memories cannot be stored', async () => {
    const agent = await start()
    const { db } = test().app.services
    const rename = (from: string, to: string) => db.write((tx) => tx.schema.alterTable(from).renameTo(to).execute())
    await rename('memories', 'memoriesAway')
    const answer = await say(agent, 'Never push to main.').finally(() => rename('memoriesAway', 'memories'))
    expect(answer).toMatchObject({ extractionStatus: 'failed', memoryIds: [] })
    expect(await turnOf(agent, answer.turnId)).toMatchObject({ status: 'failed' })
    expect(test().log()).not.toContain('push to main')
  })

  it('deletes old turns, except queued ones', async () => {
    const agent = await start()
    const { db } = test().app.services
    const { turnId: old } = await say(agent, 'One')
    const { turnId: waiting } = await say(agent, 'Two')
    await db.write((tx) => tx.updateTable('turns').set({ status: 'queued' }).where('id', '=', waiting).execute())
    clock.advance(1000)
    const { turnId: young } = await say(agent, 'Three')
    expect(await purgeTurns(db, { userId: agent.user.userId, id: agent.user.vaultId }, clock.now())).toBe(1)
    const left = await Promise.all([old, waiting, young].map((turnId) => turnOf(agent, turnId)))
    expect(left.map((turn) => turn?.content)).toEqual([undefined, 'Two', 'Three'])
  })
})
