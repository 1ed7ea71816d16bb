import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { makeVault } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'

/** search-memories with `explain`, with the built-in model. */
describe('an explained search', () => {
  const test = useTestApp({ config: { embeddings: { provider: 'static' } } })

  interface Dropped {
    id: string
    stage: string
    reason: string
  }

  const explain = async (agent: Awaited<ReturnType<typeof startAgent>>, query: string, more: object = {}) => {
    const { status, body } = await agent.call('search-memories', { query, explain: true, ...more })
    expect(status).toBe(200)
    return body as {
      memories: { memoryId: string; score: number; similarity: number; scoreDetails: Record<string, number | null> }[]
      explanation: { dropped: Dropped[]; asked: Dropped[]; [field: string]: unknown }
    }
  }

  it('says for each hit how its score was computed', async () => {
    const agent = await startAgent(test())
    await agent.write('The boat is moored in the harbour of Lübeck')
    await agent.write('A ship lies at the quay')
    const { memories } = await explain(agent, 'Where is the boat moored?')
    expect(memories.length).toBeGreaterThan(1)
    for (const [at, { score, scoreDetails: item }] of memories.entries()) {
      const { semanticPart, blindPart, lent, decay, importance } = item
      expect((Number(semanticPart) + Number(blindPart) + Number(lent)) * Number(decay) * Number(importance)).toBe(score)
      expect(item.position).toBe(at + 1)
    }
  })

  it('shows how the question was understood', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'The boat was moored', agentId: 'Ann', occurredAt: '2026-03-02T10:00:00.000Z' })
    const { explanation } = await explain(agent, 'Which boats did Ann see in March 2026?')
    expect(explanation).toMatchObject({
      words: [
        { word: 'boat', isCounted: true, isSpeaker: false },
        { word: 'ann', isCounted: true, isSpeaker: true },
        { word: 'see', isCounted: false, isSpeaker: false },
        { word: 'march', isCounted: true },
        { word: '2026', isCounted: true },
      ],
      leftOut: ['which', 'did', 'in'],
      dates: [{ from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' }],
      semanticLeg: { ran: true, reason: null },
      topK: 10,
      threshold: 0.4,
      diversity: 0.7,
      decayHalfLife: 30,
    })
  })

  it('says why the semantic leg did not run', async () => {
    const agent = await startAgent(test())
    await agent.write('ꝏꝏ')
    const { explanation } = await explain(agent, 'ꝏꝏ')
    expect(explanation).toMatchObject({
      semanticLeg: { ran: false, reason: 'the embedding model knows none of its words' },
      thresholdCosine: null,
      semanticWeight: 0,
    })
  })

  it('says what was left out and why', async () => {
    const agent = await startAgent(test())
    const archived = await agent.write('An old boat in the harbour')
    await agent.call('archive-memory', { memoryId: archived })
    const kept = await agent.write('A new boat in the harbour')
    const { memories, explanation } = await explain(agent, 'boat in the harbour')
    expect(memories.map(({ memoryId }) => memoryId)).toEqual([kept])
    expect(explanation.dropped).toMatchObject([{ id: archived, stage: 'archived', reason: 'archived' }])
    expect(explanation.asked).toEqual([])
  })

  it('returns the same for ids of other vaults, other users and unknown ids', async () => {
    const agent = await startAgent(test())
    const other = await makeVault(test(), agent.user)
    const elsewhere = await agent.write({ content: 'boat', vaultId: other })
    const foreign = await (await startAgent(test())).write('boat')
    const nobody = '0198c5f0-0000-7000-8000-00000000dead'
    const own = await agent.write('boat')
    const unmatched = await agent.write('zebra')
    const { explanation } = await explain(agent, 'boat', { explainIds: [elsewhere, foreign, nobody, own, unmatched] })
    const unknown = { stage: 'unknown', reason: 'no such record', similarity: null, scoreDetails: null }
    expect(explanation.asked.slice(0, 3)).toEqual([elsewhere, foreign, nobody].map((id) => ({ id, ...unknown })))
    expect(explanation.asked.slice(3)).toMatchObject([{ id: unmatched }])
  })

  it('returns no explanation for an empty list of ids', async () => {
    const agent = await startAgent(test())
    await agent.write('boat')
    const { body } = await agent.call('search-memories', { query: 'boat', explainIds: [] })
    expect(body).not.toHaveProperty('explanation')
    expect(body.memories).not.toMatchObject([{ scoreDetails: expect.anything() }])
  })

  it('explains the requested memories', async () => {
    const agent = await startAgent(test())
    await agent.write('boat')
    const id = await agent.write('zebra')
    const { body } = await agent.call('search-memories', { query: 'boat', explainIds: [id] })
    expect(body).toMatchObject({ explanation: { asked: [{ id, stage: 'threshold' }] } })
  })
})
