import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startAgent } from '../../test/scenarios.ts'
import { asSealed } from '../crypto/cell.ts'
import { plainCosines } from '../embeddings/calibration.ts'
import { EmbeddingError, toUnitVectors, type EmbeddingProvider } from '../embeddings/provider.ts'
import { forgetOtherModel } from '../vault-index/stored/model-store.ts'
import { backfillVectors, forgetOthers } from './backfill-vectors.ts'

eachDialect('filling in vectors', (dialect) => {
  it('embeds nothing that another server has embedded in the meantime', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    for (const content of ['violets', 'wet stone', 'falcon']) await agent.write(content)
    const { db } = test.app.services
    await db.write((tx) => tx.updateTable('indexEntries').set({ vectorsMissing: 1 }).execute())
    let embedded = 0
    const provider: EmbeddingProvider = {
      id: 'test',
      dims: 2,
      calibration: plainCosines,
      isMeanOfWords: false,
      maxTokens: undefined,
      maxInputChars: 1000,
      batchSize: 10,
      async embed(texts) {
        embedded++
        // The other server embeds all of them while the first one waits for its vector.
        await db.write((tx) => tx.updateTable('indexEntries').set({ vectorsMissing: 0 }).execute())
        return { vectors: texts.map(() => Float32Array.of(1, 0)), tokens: 0 }
      },
    }
    await backfillVectors(test.app.services, provider).run(new AbortController().signal)
    expect(embedded).toBe(1)
  })

  it('embeds notes as well as memories, each once', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    await agent.write('violets')
    await agent.call('create-note', { title: 'Stones', content: 'wet stone' })
    await agent.call('create-note', { title: 'Empty' })
    const { db } = test.app.services
    await db.write((tx) => tx.updateTable('indexEntries').set({ vectorsMissing: 1 }).execute())
    const embedded: string[] = []
    const provider: EmbeddingProvider = {
      id: 'test',
      dims: 2,
      calibration: plainCosines,
      isMeanOfWords: false,
      maxTokens: undefined,
      maxInputChars: 1000,
      batchSize: 10,
      async embed(texts) {
        embedded.push(...texts)
        return { vectors: texts.map(() => Float32Array.of(1, 0)), tokens: 0 }
      },
    }
    for (let round = 0; round < 2; round++) {
      await backfillVectors(test.app.services, provider).run(new AbortController().signal)
    }
    expect(embedded.map((text) => text.trim()).toSorted()).toEqual(['Empty', 'Stones\n\nwet stone', 'violets'])
    const left = await db.read.selectFrom('indexEntries').select('itemId').where('vectorsMissing', '=', 1).execute()
    expect(left).toEqual([])
  })

  /** Encodes only lengths. `meanwhile` runs while each record waits for its vectors. */
  const providerOf = (id: string, meanwhile = async () => {}): EmbeddingProvider => ({
    id,
    dims: 2,
    calibration: plainCosines,
    isMeanOfWords: false,
    maxTokens: undefined,
    maxInputChars: 1000,
    batchSize: 10,
    async embed(texts, kind) {
      if (kind === 'document') await meanwhile()
      return { vectors: texts.map(() => Float32Array.of(1, 0)), tokens: 0 }
    },
  })

  const start = async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const { services } = test.app
    const use = (provider: EmbeddingProvider) => Object.assign(services, { embeddings: provider })
    const fill = (provider: EmbeddingProvider) => backfillVectors(services, provider).run(new AbortController().signal)
    const job = (provider: EmbeddingProvider) => backfillVectors(services, provider)
    const waiting = async () =>
      (
        await services.db.read.selectFrom('indexEntries').select('itemId').where('vectorsMissing', '=', 1).execute()
      ).map(({ itemId }) => itemId)
    return { test, agent: await startAgent(test), db: services.db, use, job, fill, waiting }
  }

  it('queues nothing without a provider, and finds those records once one is configured', async () => {
    const { agent, fill, use, waiting } = await start()
    const ids = [await agent.write('violets'), await agent.write('wet stone')]
    expect(await waiting()).toEqual([])
    const provider = providerOf('m1')
    use(provider)
    await fill(provider)
    const { body } = await agent.call('search-memories', { query: 'flowers' })
    expect(body).toMatchObject({ semanticMatchCount: ids.length, degraded: [] })
  })

  it('embeds records of another model again, and says so in answers until it is done', async () => {
    const { agent, fill, use, waiting } = await start()
    use(providerOf('m1'))
    await agent.write('violets')
    const next = providerOf('m2')
    use(next)
    const before = await agent.call('search-memories', { query: 'flowers' })
    expect(before.body).toMatchObject({
      semanticMatchCount: 0,
      degraded: [{ leg: 'semantic', reason: 'some records have no vectors of this model yet' }],
    })
    await fill(next)
    const after = await agent.call('search-memories', { query: 'flowers' })
    expect(after.body).toMatchObject({ semanticMatchCount: 1, degraded: [] })
    expect(await waiting()).toEqual([])
  })

  it('never overwrites an entry that was changed in the meantime, even if only a date changed', async () => {
    const { agent, fill, use } = await start()
    const memoryId = await agent.write({ content: 'violets', occurredAt: '2020-01-02T00:00:00.000Z' })
    const provider = providerOf('m1', async () => {
      use(providerOf('m1'))
      await agent.call('update-memory', { memoryId, occurredAt: '2024-07-09T00:00:00.000Z' })
    })
    await fill(provider)
    const words = await agent.call('search-memories', { query: 'July', explain: true })
    expect(words.body.memories).toMatchObject([{ scoreDetails: { blindRank: 1 } }])
  })

  it('continues after a record or a vault that cannot be decrypted', async () => {
    const { test, agent, db, fill, waiting } = await start()
    const damaged = await agent.write('damaged')
    await agent.write('violets')
    const other = await startAgent(test)
    await other.write('stones')
    const locked = await startAgent(test)
    const closed = await locked.write('closed')
    const sealed = asSealed(new Uint8Array(60))
    await db.write((tx) => tx.updateTable('memories').set({ body: sealed }).where('id', '=', damaged).execute())
    const key = { wrappedKey: new Uint8Array(60) }
    await db.write((tx) => tx.updateTable('vaultKeys').set(key).where('scopeId', '=', locked.user.vaultId).execute())
    await expect(fill(providerOf('m1'))).rejects.toThrow('wrapped key')
    expect((await waiting()).toSorted()).toEqual([damaged, closed].toSorted())
  })

  /** Returns no usable numbers for a text with `poison`, and no answer for one with `never`. */
  const fussyProvider = (): EmbeddingProvider & { requests: string[][] } => {
    const requests: string[][] = []
    return {
      ...providerOf('m1'),
      batchSize: 4,
      requests,
      async embed(texts) {
        requests.push([...texts])
        if (texts.some((text) => text.includes('never'))) throw new EmbeddingError('unavailable', 'http_500')
        const rows = texts.map((text) => (text.includes('poison') ? [NaN, 0] : [1, 0]))
        return { vectors: toUnitVectors(rows, { count: texts.length, dims: 2 }), tokens: 0 }
      },
    }
  }

  it('embeds one batch of the provider at a time', async () => {
    const { agent, fill, waiting } = await start()
    for (let n = 0; n < 6; n++) await agent.write(`violet ${n}`)
    const provider = fussyProvider()
    await fill(provider)
    expect(provider.requests.map(({ length }) => length)).toEqual([4, 2])
    expect(await waiting()).toEqual([])
  })

  it('gives up only on texts that the model has no vectors for, permanently', async () => {
    const { agent, fill, use, waiting } = await start()
    for (let n = 0; n < 5; n++) await agent.write(`poison ${n}`)
    await agent.write('violets')
    const provider = fussyProvider()
    use(provider)
    await fill(provider)
    expect(await waiting()).toEqual([])
    const { body } = await agent.call('search-memories', { query: 'flowers' })
    expect(body).toMatchObject({ semanticMatchCount: 1, degraded: [] })
    const asked = provider.requests.length
    await fill(provider)
    expect(provider.requests).toHaveLength(asked)
  })

  it('continues after records that the model never answers for, and tries them again later', async () => {
    const { agent, job, waiting } = await start()
    const never: string[] = []
    for (let n = 0; n < 5; n++) never.push(await agent.write(`never ${n}`))
    for (let n = 0; n < 9; n++) await agent.write(`violet ${n}`)
    const provider = fussyProvider()
    const { run } = job(provider)
    for (let round = 0; round < 4; round++) await run(new AbortController().signal)
    expect((await waiting()).toSorted()).toEqual(never.toSorted())
    const asked = provider.requests.length
    await run(new AbortController().signal)
    expect(provider.requests.slice(asked).flat().join()).toMatch(/never/)
  })

  it('also embeds again what a server with another model writes after the first run', async () => {
    const { test, agent, job, use, waiting } = await start()
    const [before, now] = [providerOf('m1'), providerOf('m2')]
    const { run } = job(now)
    use(before)
    const early = await agent.write('violets')
    await run(new AbortController().signal)
    await agent.write('late')
    await agent.call('update-memory', { memoryId: early, content: 'violets and stones' })
    use(now)
    for (let round = 0; round < 2; round++) await run(new AbortController().signal)
    const { body } = await agent.call('search-memories', { query: 'flowers' })
    expect(body).toMatchObject({ semanticMatchCount: 2, degraded: [] })
    expect(await waiting()).toEqual([])
    expect(test.log()).toContain('another embedding model')
  })

  it('compares nothing again after a start with the same model, but does after one with another model or without', async () => {
    const { agent, db, fill, use, waiting } = await start()
    const provider = providerOf('m1')
    use(provider)
    const memoryId = await agent.write('violets')
    await fill(provider)
    const loseVectors = () =>
      db.write((tx) => tx.updateTable('indexEntries').set({ vectorModel: null, vectorsMissing: 0 }).execute())
    await loseVectors()
    const models = async () =>
      (await db.read.selectFrom('indexEntries').select('vectorModel').where('itemId', '=', memoryId).execute()).map(
        ({ vectorModel }) => vectorModel,
      )
    await forgetOtherModel(db, 'm1')
    await fill(provider)
    expect(await models()).toEqual([null])
    for (const other of ['m2', undefined]) {
      await loseVectors()
      await forgetOtherModel(db, other)
      await fill(provider)
      expect(await models()).toEqual(['m1'])
    }
    expect(await waiting()).toEqual([])
  })

  it('notices a server that starts with another model after everything was compared', async () => {
    const { test, agent, db, job, use, waiting } = await start()
    const provider = providerOf('m1')
    use(provider)
    await agent.write('violets')
    await job(provider).run(new AbortController().signal)
    const { run } = job(provider)
    await run(new AbortController().signal)
    await forgetOtherModel(db, 'm2')
    await run(new AbortController().signal)
    use(providerOf('m2'))
    await agent.write('wet stone')
    use(provider)
    await run(new AbortController().signal)
    const { body } = await agent.call('search-memories', { query: 'flowers' })
    expect(body).toMatchObject({ semanticMatchCount: 2, degraded: [] })
    expect(await waiting()).toEqual([])
    expect(test.log()).toContain('another embedding model')
  })

  it('does not compete forever with a server that uses another model', async () => {
    const { agent, db, job, waiting } = await start()
    const { run } = job({ ...providerOf('m1'), batchSize: 100 })
    for (let n = 0; n < 90; n++) await agent.write(`violet ${n}`)
    await run(new AbortController().signal)
    /** As the other server does. */
    const takeAll = () =>
      db.write(async (tx) => {
        await tx
          .updateTable('vaults')
          .set((vault) => ({ seq: vault('seq', '+', 1) }))
          .execute()
        const { seq } = await tx.selectFrom('vaults').select('seq').executeTakeFirstOrThrow()
        await tx.updateTable('indexEntries').set({ vectorModel: 'm2', vectorsMissing: 0, seq }).execute()
      })
    const isLeftAlone = async () => (await takeAll(), await run(new AbortController().signal), await hasOnly('m2'))
    const hasOnly = async (model: string) =>
      (await db.read.selectFrom('indexEntries').select('itemId').where('vectorModel', '!=', model).execute()).length ===
      0
    let rounds = 1
    while (!(await isLeftAlone()) && rounds < 100) rounds++
    expect(rounds).toBeGreaterThan(5)
    expect(rounds).toBeLessThan(20)
    expect(await waiting()).toEqual([])
  })
})

it('everything kept per vault is deleted with the vault', () => {
  const byVault = new Map([
    ['gone', 3],
    ['there', 7],
  ])
  forgetOthers(byVault, [{ vaultId: 'there' }, { vaultId: 'new' }])
  expect([...byVault]).toEqual([['there', 7]])
})
