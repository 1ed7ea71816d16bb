import { beforeAll, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startAgent, type TestAgent } from '../../test/scenarios.ts'

eachDialect('preview-search', (dialect) => {
  const test = useTestApp({ dialect })
  let agent: TestAgent
  let stranger: TestAgent
  const ids: Record<string, string> = {}

  const explain = async (body: object = {}, by = agent) => {
    const input = { vaultId: agent.user.vaultId, query: 'violets in the shade', diversity: 0, ...body }
    return test().call('preview-search', input, { key: by.user.dashboardToken })
  }

  beforeAll(async () => {
    agent = await startAgent(test())
    stranger = await startAgent(test())
    ids.best = await agent.write({ content: 'Violets grow\nin the shade.', importance: 5 })
    ids.other = await agent.write('Ferns like the shade, too.')
    ids.archived = await agent.write('Violets in the shade of old.')
    await agent.call('archive-memory', { memoryId: ids.archived })
    ids.unmatched = await agent.write('Roses are red.')
    ids.foreign = await stranger.write('Violets in the shade of strangers.')
    const note = { title: 'Violets', content: '# Shade\nViolets in the **shade**.' }
    ids.note = String((await agent.call('create-note', note)).body.noteId)
  })

  it('finds what an agent finds, in the same order, with the parts of each score', async () => {
    const { status, body } = await explain()
    expect(status).toBe(200)
    const hits = body.hits as { id: string; score: number; scoreDetails: Record<string, number> }[]
    expect(hits.map(({ id }) => id)).toEqual(await agent.search('violets in the shade', { diversity: 0 }))
    const [first] = hits
    expect(first).toMatchObject({ id: ids.best, scoreDetails: { place: 1, position: 1, blindRank: 1 } })
    const { rrf = 0, decay = 0, importance = 0 } = first?.scoreDetails ?? {}
    expect(first?.score).toBe(rrf * decay * importance)
    expect(body).toMatchObject({ searchMode: 'blind_only', blindIndexMatchCount: 2 })
  })

  it('says what excluded other records, with what to show of each', async () => {
    const asked = [ids.unmatched, ids.foreign]
    const { body } = await explain({ topK: 1, explainIds: asked })
    expect(body.explanation).toMatchObject({
      dropped: expect.arrayContaining([
        expect.objectContaining({ id: ids.archived, stage: 'archived' }),
        expect.objectContaining({ id: ids.other, stage: 'topK' }),
      ]),
      asked: [
        { id: ids.unmatched, stage: 'unmatched' },
        { id: ids.foreign, stage: 'unknown' },
      ],
    })
    const records = body.records as { id: string }[]
    expect(records.map(({ id }) => id).toSorted()).toEqual(
      [ids.best, ids.archived, ids.other, ids.unmatched].map(String).toSorted(),
    )
    expect(records).toContainEqual({
      id: ids.best,
      type: 'memory',
      title: 'Violets grow',
      memoryType: 'fact',
      importance: 5,
      live: true,
      preview: 'Violets grow in the shade.',
    })
    expect(records).toContainEqual(expect.objectContaining({ id: ids.archived, live: false }))
  })

  it('searches notes on request', async () => {
    const { body } = await explain({ kinds: ['note'], explainIds: [ids.best] })
    expect(body.hits).toMatchObject([{ id: ids.note }])
    expect(body.explanation).toMatchObject({ asked: [{ id: ids.best, stage: 'filtered' }] })
    expect(body.records).toContainEqual({
      id: ids.note,
      type: 'note',
      title: 'Violets',
      live: true,
      preview: 'Violets in the shade.',
    })
    const both = await explain({ kinds: ['note', 'memory'] })
    expect((both.body.hits as { id: string }[]).map(({ id }) => id)).toEqual(
      expect.arrayContaining([ids.note, ids.best, ids.other]),
    )
  })

  it('does not count as a recall', async () => {
    await test().app.services.lastUsed.flush()
    const before = await agent.read(ids.best ?? '')
    await explain()
    await test().app.services.lastUsed.flush()
    const after = await agent.read(ids.best ?? '')
    expect(Number(after.accessCount) - Number(before.accessCount)).toBe(1)
  })

  it("accepts only the user's own vaults", async () => {
    expect(await explain({}, stranger)).toMatchObject({ status: 404, body: { error: 'Vault not found' } })
  })
})
