import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestApp, useTestApp } from '../../test/app.ts'
import { longestTurnMs } from '../../test/processor-time.ts'
import { makeUser } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { useFakeReranker } from '../rerank/testing/fake-reranker.ts'
import { asSealed } from '../crypto/cell.ts'
import { startFakeEndpoint } from '../embeddings/testing/fake-endpoint.ts'

const server = useFakeReranker()
const unknownId = '0198c5f0-0000-7000-8000-000000000001'

interface Found {
  memories: { memoryId: string; content: string; score: number; relevance: number | null }[]
  degraded: { leg: string; reason: string }[]
  explanation?: {
    topK: number
    reranker: { ran: boolean; reason: string | null } | null
    dropped: { id: string; stage: string; reason: string; scoreDetails: { position: number | null } | null }[]
    asked: { id: string; stage: string }[]
  }
}

describe('a search with a reranker', () => {
  // Read when the app starts, because the reranker has its port only then.
  const test = useTestApp({
    config: {
      get reranker() {
        return { url: server.url, key: undefined, model: 'rerank-small', budgetMs: 500 }
      },
    },
  })
  const start = async (count = 3) => {
    const agent = await startAgent(test())
    for (let i = 1; i <= count; i++) await agent.write(`The boat number ${i} ${'is '.repeat(i)}blue`)
    const search = async (more: object = {}) => {
      const { status, body } = await agent.call('search-memories', { query: 'boat blue', diversity: 0, ...more })
      expect(status).toBe(200)
      return body as unknown as Found
    }
    return { agent, search }
  }
  const numbersOf = ({ memories }: Found) => memories.map(({ content }) => Number(/number (\d+)/.exec(content)?.[1]))
  const byNumber = (_query: string, text: string) => Number(/number (\d+)/.exec(text)?.[1]) / 100

  it('returns the most relevant first, with their relevance', async () => {
    server.rate = byNumber
    const { search } = await start()
    const found = await search()
    expect(numbersOf(found)).toEqual([3, 2, 1])
    expect(found.memories.map(({ relevance }) => relevance)).toEqual([0.03, 0.02, 0.01])
    expect(found.degraded.map(({ leg }) => leg)).not.toContain('reranker')
    expect(server.seen[0]?.body).toMatchObject({ model: 'rerank-small', query: 'boat blue' })
  })

  it('finds among fifty what would not be among the first', async () => {
    server.rate = (_query, text) => (text.includes('number 12 ') ? 1 : 0)
    const { search } = await start(14)
    expect(numbersOf(await search({ topK: 2 }))[0]).toBe(12)
    expect(server.seen[0]?.body.documents).toHaveLength(14)
  })

  it('has the same order as without it while it is down, and says so', async () => {
    const { search } = await start(6)
    server.rate = () => 0.5
    const equal = numbersOf(await search({ topK: 4 }))
    server.respond = (_seen, response) => sendJson(response, {}, 500)
    const found = await search({ topK: 4 })
    expect(numbersOf(found)).toEqual(equal)
    expect(found.memories.map(({ relevance }) => relevance)).toEqual([null, null, null, null])
    expect(found.degraded).toContainEqual({ leg: 'reranker', reason: 'the reranker failed: http_500' })
    server.respond = () => {}
    expect((await search()).degraded).toContainEqual({
      leg: 'reranker',
      reason: 'the reranker did not answer within 500 ms',
    })
  })

  it('is shown as degraded in readiness, checks and metrics until the reranker answers again', async () => {
    const { search } = await start()
    const usual = server.respond
    const owner = await makeUser(test(), { isOwner: true })
    const { server: http } = test().app
    const shown = async () => {
      const readiness = (await http.inject('/readyz')).json<{ status: string; degraded: string[] }>()
      const { body } = await test().call('check-system', {}, { key: owner.dashboardToken })
      const { checks } = body as unknown as { checks: { check: string; status: string }[] }
      const check = checks.find(({ check: name }) => name === 'reranker')
      const up = /^holdfast_reranker_up (\d)$/m.exec((await http.inject('/metrics')).body)?.[1]
      return [readiness.status, readiness.degraded, check?.status, up]
    }
    server.respond = (_seen, response) => sendJson(response, {}, 500)
    await search()
    expect(await shown()).toEqual(['ready', ['reranker'], 'warning', '0'])
    server.respond = usual
    await search()
    expect(await shown()).toEqual(['ready', [], 'ok', '1'])
    expect((await http.inject('/metrics')).body).toMatch(
      /^holdfast_rerank_failures_total\{code="http_500"\} [1-9]\d*$/m,
    )
  })

  it('explains what the reranker read in vain', async () => {
    server.rate = byNumber
    const { search } = await start()
    const ids = new Map((await search()).memories.map(({ memoryId, content }) => [content, memoryId]))
    const first = [...ids].find(([content]) => content.includes('number 1 '))?.[1] ?? ''
    const { memories, explanation } = await search({ topK: 2, explainIds: [first, unknownId] })
    expect(memories).toMatchObject([{ scoreDetails: { position: 1 } }, { scoreDetails: { position: 2 } }])
    expect(explanation).toMatchObject({ topK: 2, reranker: { ran: true, reason: null } })
    const dropped = { id: first, stage: 'reranked', reason: 'relevance 0.010; the last hit has 0.020' }
    expect(explanation?.dropped).toMatchObject([{ ...dropped, scoreDetails: { position: null } }])
    expect(explanation?.asked).toMatchObject([dropped, { id: unknownId, stage: 'unknown' }])
  })

  it('explains an answer without the reranker as usual', async () => {
    const { agent, search } = await start(3)
    await agent.write('Ann painted her boat in blue last summer')
    server.respond = (_seen, response) => sendJson(response, {}, 500)
    const { memories, explanation, degraded } = await search({ topK: 2, explain: true, diversity: 1 })
    expect(memories.map(({ content }) => content).toSorted()[0]).toContain('Ann')
    expect(explanation).toMatchObject({ topK: 2, reranker: { ran: false, reason: 'the reranker failed: http_500' } })
    expect(explanation?.dropped.map(({ stage }) => stage)).toEqual(['diversity', 'topK'])
    expect(degraded.filter(({ leg }) => leg === 'reranker')).toHaveLength(1)
  })

  it('names a damaged record that it could not read, and returns others', async () => {
    const { agent, search } = await start()
    const memoryId = await agent.write('The boat number 4 is blue')
    await test().app.services.db.write((tx) =>
      tx
        .updateTable('memories')
        .set({ body: asSealed(Buffer.alloc(64)) })
        .where('id', '=', memoryId)
        .execute(),
    )
    server.rate = byNumber
    for (const topK of [2, 10]) {
      const found = await search({ topK })
      expect(numbersOf(found)).toEqual([3, 2, 1].slice(0, topK))
      expect(found.degraded.filter(({ reason }) => reason.includes(memoryId))).toHaveLength(1)
    }
    expect(server.seen[0]?.body.documents).toHaveLength(3)
  })

  it('reads notes with their titles', async () => {
    const { agent } = await start(1)
    await agent.call('create-note', { title: 'Harbour rules', content: 'Boats leave at nine.' })
    await agent.call('create-note', { title: 'Boats', content: 'Harbour of the blue boats.' })
    server.rate = (_query, text) => (text.startsWith('Harbour rules\n') ? 1 : 0)
    const { body } = await agent.call('search-and-read', { query: 'harbour boats' })
    expect(body.notes).toMatchObject([{ title: 'Harbour rules', relevance: 1 }, { title: 'Boats' }])
  })

  it('is not used where it would not help: lists, graphs and searches by meaning alone', async () => {
    const { agent } = await start()
    await agent.call('semantic-search', { query: 'boat' })
    await agent.call('search-memories', { query: 'boat', rerank: false })
    await agent.call('explore-graph', { query: 'boat' })
    await agent.call('list-memories', { query: 'boat' })
    await agent.call('session-start', { query: 'boat' })
    expect(server.seen).toEqual([])
  })

  it('leaves no trace of question and texts in the log', async () => {
    const { search } = await start()
    server.respond = (_seen, response) => sendJson(response, { error: 'The boat number 1' }, 500)
    await search()
    expect(test().log()).toContain('a search ran without the reranker')
    expect(test().log()).not.toContain('boat')
  })
})

describe('a search with a reranker and vectors', () => {
  it('lets other requests run while it looks for the best parts of long notes', { timeout: 60_000 }, async () => {
    const endpoint = await startFakeEndpoint()
    onTestFinished(() => endpoint.close())
    const embeddings = { provider: 'openai' as const, url: endpoint.url, key: undefined, model: 'hashed-trigrams' }
    const reranker = { url: server.url, key: undefined, model: 'rerank-small', budgetMs: 2_000 }
    const agent = await startAgent(await startTestApp({ config: { embeddings, reranker } }))
    const content = 'The harbour of the blue boats is far away. '.repeat(11_000)
    for (let i = 1; i <= 12; i++) await agent.call('create-note', { title: `Harbour ${i}`, content })
    await expect
      .poll(async () => (await agent.call('semantic-search', { query: 'harbour' })).body.degraded, { timeout: 60_000 })
      .toEqual([])
    const heldMs = await longestTurnMs(async () => {
      expect((await agent.call('search-and-read', { query: 'harbour', topK: 1 })).status).toBe(200)
    })
    expect(server.seen[0]?.body.documents).toHaveLength(12)
    expect(heldMs).toBeLessThan(80)
  })
})

describe('a reranker with a budget that is too short to open the records', () => {
  const test = useTestApp({
    config: {
      get reranker() {
        return { url: server.url, key: undefined, model: 'rerank-small', budgetMs: 10 }
      },
    },
  })

  it('is not waited for, and the answer says why', async () => {
    const agent = await startAgent(test())
    for (let i = 0; i < 30; i++)
      await agent.call('create-note', {
        title: `Boat ${i}`,
        content: `A blue boat of the harbour. ${i}\n\n`.repeat(8_000),
      })
    const { body } = await agent.call('search-and-read', { query: 'blue boats', maxChars: 100 })
    expect(body.notes).toHaveLength(3)
    expect(body.degraded).toContainEqual({
      leg: 'reranker',
      reason: 'reading the records for the reranker took longer than 10 ms',
    })
    expect(server.seen).toEqual([])
  })
})
