import { describe, expect, it, vi } from 'vitest'
import { startTestApp, useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import type { ChangeNews } from '../calls/news.ts'
import { defaultSettings } from '../vaults/settings.ts'
import { createLanguageModel } from '../turns/language-model.ts'
import { storeExtracted } from '../turns/store-extracted.ts'
import { complete, saidIn, useFakeModel } from '../turns/testing/fake-model.ts'
import { findTurn, insertTurn, type Turn } from '../turns/turn-store.ts'
import { extractTurns } from './extract-turns.ts'
import { unlockVault } from './each-vault.ts'

const model = useFakeModel()
const answerNormally = model.respond

eachDialect('turns queued for a language model', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const idle = new AbortController().signal
  const job = () => {
    const options = { url: model.url, key: undefined, model: 'small', timeoutMs: 5000 }
    return extractTurns(test().app.services, createLanguageModel(options))
  }

  async function unlock({ user }: TestAgent) {
    const vault = await unlockVault(test().app.services, user.userId, user.vaultId)
    if (vault === undefined) throw new Error('the vault is there')
    return vault
  }

  async function queue(agent: TestAgent, content: string): Promise<Turn> {
    const vault = await unlock(agent)
    const turn: Turn = {
      turnId: newId(),
      integrationId: undefined,
      score: 5,
      status: 'queued',
      content,
      role: 'user',
      agentId: 'gardener',
      occurredAt: clock.now(),
      createdAt: clock.now(),
    }
    await test().app.services.db.write((tx) => insertTurn(tx, vault, turn))
    return turn
  }

  const statusOf = async (agent: TestAgent, { turnId }: Turn) =>
    (await findTurn(test().app.services.db.read, await unlock(agent), turnId))?.status
  const waiting = async () =>
    (await test().app.services.db.read.selectFrom('extractionJobs').selectAll().execute()).length

  it('become memories', async () => {
    const agent = await startAgent(test())
    const turns = [await queue(agent, 'The user keeps bees.'), await queue(agent, 'The hive stands in Linz.')]
    await job().run(idle)
    expect(await Promise.all(turns.map((turn) => statusOf(agent, turn)))).toEqual(['extracted', 'extracted'])
    const [found] = await agent.search('hive')
    expect(await agent.read(found ?? '')).toMatchObject({
      content: 'The hive stands in Linz.',
      agentId: 'gardener',
      metadata: { turnId: turns[1]?.turnId },
      source: { route: 'ingest-turn', integrationId: null },
    })
    expect(await waiting()).toBe(0)
  })

  it('are kept if they contain nothing to remember', async () => {
    const agent = await startAgent(test())
    const turn = await queue(agent, 'Hm.')
    model.respond = (_, response) => complete(response, { memories: [] })
    const told: ChangeNews[] = []
    const { leave } = test().app.services.news.listen(agent.user.userId, (news) => told.push(news), undefined)
    await job().run(idle)
    expect(await statusOf(agent, turn)).toBe('stored')
    // The dashboard showed it as queued.
    await expect.poll(() => told.flatMap(({ types }) => types)).toEqual(['runs'])
    leave()
  })

  it('are retried with growing delays, and fail after a day and a half', async () => {
    const agent = await startAgent(test())
    const turn = await queue(agent, 'The user keeps bees.')
    model.respond = (_, response) => void response.writeHead(503).end()
    await job().run(idle)
    const delaysSeconds = [30, 120, 600, 3600, 6 * 3600, 24 * 3600]
    for (const [tried, seconds] of delaysSeconds.entries()) {
      clock.advance(seconds * 1000 - 1)
      await job().run(idle)
      expect(model.seen).toHaveLength(tried + 1)
      clock.advance(1)
      await job().run(idle)
      expect(model.seen).toHaveLength(tried + 2)
    }
    expect(await statusOf(agent, turn)).toBe('failed')
    expect(await waiting()).toBe(0)
    expect(test().log()).toContain('http_503')
    expect(test().log()).not.toContain('bees')
  })

  it('wait as long as the model asks', async () => {
    const agent = await startAgent(test())
    const turn = await queue(agent, 'The user keeps bees.')
    model.respond = (_, response) => void response.writeHead(429, { 'retry-after': '300' }).end()
    await job().run(idle)
    model.respond = answerNormally
    clock.advance(299_000)
    await job().run(idle)
    expect(await statusOf(agent, turn)).toBe('queued')
    clock.advance(1000)
    await job().run(idle)
    expect(await statusOf(agent, turn)).toBe('extracted')
  })

  it('fail at once if the model rejects them', async () => {
    const agent = await startAgent(test())
    const [bad, good] = [await queue(agent, 'bad'), await queue(agent, 'The user keeps bees.')]
    model.respond = (seen, response) =>
      saidIn(seen) === 'bad' ? void response.writeHead(400).end() : answerNormally(seen, response)
    await job().run(idle)
    expect([await statusOf(agent, bad), await statusOf(agent, good)]).toEqual(['failed', 'extracted'])
  })

  it('are each processed by only one of several workers', async () => {
    const agent = await startAgent(test())
    const turns = await Promise.all(Array.from({ length: 12 }, (_, n) => queue(agent, `Fact number ${n} is here.`)))
    await Promise.all([job().run(idle), job().run(idle), job().run(idle)])
    while ((await waiting()) > 0) await job().run(idle)
    expect(model.seen.map(saidIn).toSorted()).toEqual(turns.map(({ content }) => content).toSorted())
  })

  it('are returned by a worker that stops', async () => {
    const agent = await startAgent(test())
    const turn = await queue(agent, 'The user keeps bees.')
    const stop = new AbortController()
    model.respond = () => stop.abort()
    await job().run(stop.signal)
    model.respond = answerNormally
    await job().run(idle)
    expect(await statusOf(agent, turn)).toBe('extracted')
  })

  it('create nothing twice if a worker is interrupted', async () => {
    const agent = await startAgent(test())
    const turn = await queue(agent, 'The user keeps bees.')
    const { services } = test().app
    const ctx = { ...services, vault: await unlock(agent), actor: { integrationId: undefined } }
    const options = { dedup: defaultSettings.dedup, by: 'a test', permit: undefined }
    const memory = { memoryType: 'fact', importance: 3, confidence: 3, entities: [] } as const
    const cut = { ...memory, entities: [], content: 'Bees are kept by the user.' }
    const first = await storeExtracted(ctx, turn, [cut], options)
    const again = await storeExtracted(ctx, turn, [cut, { ...cut, content: 'The user sells honey.' }], options)
    expect(again).toEqual([...first, expect.any(String)])
    await job().run(idle)
    expect(await agent.search('bees')).toEqual(first)
  })

  it('fail at once if they cannot be decrypted, and don’t block others', async () => {
    const agent = await startAgent(test())
    const [damaged, good] = [await queue(agent, 'damaged'), await queue(agent, 'The user keeps bees.')]
    const { db } = test().app.services
    const body = asSealed(new Uint8Array(60))
    await db.write((tx) => tx.updateTable('turns').set({ body }).where('id', '=', damaged.turnId).execute())
    await job().run(idle)
    const row = await db.read.selectFrom('turns').select('status').where('id', '=', damaged.turnId).executeTakeFirst()
    expect([row?.status, await statusOf(agent, good), await waiting()]).toEqual(['failed', 'extracted', 0])
  })

  it('are deleted with their vault', async () => {
    const agent = await startAgent(test())
    await queue(agent, 'The user keeps bees.')
    const { db } = test().app.services
    await db.write((tx) => tx.deleteFrom('vaultKeys').where('scopeId', '=', agent.user.vaultId).execute())
    await job().run(idle)
    expect([model.seen, await waiting()]).toEqual([[], 0])
  })
})

describe('a server with a language model', () => {
  const test = useTestApp({ config: { extraction: { url: 'http://127.0.0.1:9', key: undefined, model: 'small' } } })

  it('queues turns with signals, and respects the vault’s setting', async () => {
    const agent = await startAgent(test(), { preset: 'admin' })
    const { status } = await agent.call('update-settings', { settings: { extraction: 'llm' } })
    expect(status).toBe(200)
    const said = await agent.call('ingest-turn', { role: 'user', content: 'We decided to keep bees.' })
    expect(said.body).toMatchObject({ extractionStatus: 'queued', memoryIds: [] })
    expect((await agent.call('ingest-turn', { role: 'user', content: 'Hm.' })).body).toMatchObject({
      extractionStatus: 'skipped',
    })
  })
})

describe('the job', () => {
  it('runs by itself', async () => {
    const test = await startTestApp({ config: { extraction: { url: model.url, key: undefined, model: 'small' } } })
    const agent = await startAgent(test, { preset: 'admin' })
    await agent.call('update-settings', { settings: { extraction: 'llm' } })
    await agent.call('ingest-turn', { role: 'user', content: 'We decided to keep bees.' })
    await vi.waitFor(async () => expect(await agent.search('bees')).toHaveLength(1), { timeout: 15_000, interval: 250 })
  })
})
