import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { makeVault } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { startFakeEndpoint, type FakeEndpoint } from '../embeddings/testing/fake-endpoint.ts'

let endpoint: FakeEndpoint
beforeAll(async () => {
  endpoint = await startFakeEndpoint()
})
beforeEach(() => endpoint.reset())
afterAll(() => endpoint.close())

describe('a repeated text', () => {
  const test = useTestApp({
    runsJobs: false,
    config: {
      embeddings: {
        provider: 'openai',
        // The endpoint has no address until it is up. The tests begin after that.
        get url() {
          return endpoint.url
        },
        key: undefined,
        model: 'hashed-trigrams',
      },
    },
  })
  const sent = () => endpoint.seen.flatMap(({ body }) => body.input)

  it('is embedded once as a question, for all searches of the vault, and then costs no tokens', async () => {
    const agent = await startAgent(test())
    await agent.call('create-note', { title: 'Quokkas', content: 'Quokkas of the island' })
    endpoint.reset()
    const tokensOf = async (operation: string) =>
      (await agent.call(operation, { query: 'quokkas of which island?' })).body.embeddingTokens
    expect(await tokensOf('search-memories')).toBeGreaterThan(0)
    for (const operation of ['search-memories', 'semantic-search', 'search-and-read'])
      expect(await tokensOf(operation)).toBe(0)
    expect(sent()).toEqual(['quokkas of which island?'])
  })

  it('is embedded again in another vault, so it reveals no questions asked elsewhere', async () => {
    const agent = await startAgent(test())
    const other = await makeVault(test(), agent.user)
    await agent.call('search-memories', { query: 'numbats' })
    const { body } = await agent.call('search-memories', { query: 'numbats', vaultId: other })
    expect(body.embeddingTokens).toBeGreaterThan(0)
    expect(sent()).toEqual(['numbats', 'numbats'])
  })

  it('finds by meaning while the service is down, and a new question reports the outage', async () => {
    const agent = await startAgent(test())
    await agent.write('bilbies dig at night')
    const search = async (query: string) => (await agent.call('search-memories', { query })).body
    await search('digging bilbies')
    endpoint.respond = (_seen, response) => sendJson(response, {}, 500)
    expect(await search('digging bilbies')).toMatchObject({ searchMode: 'hybrid', degraded: [] })
    expect(await search('bilbies at dusk')).toMatchObject({ searchMode: 'blind_only', degraded: [{ leg: 'semantic' }] })
  })

  it('is embedded once if a checkpoint stores it twice', async () => {
    const agent = await startAgent(test())
    const item = { content: 'wombats are nocturnal', memoryType: 'fact' }
    const { body } = await agent.call('context-checkpoint', { memories: [item, item], sessionSummary: 'Night' })
    expect(body).toMatchObject({ results: [{ status: 'created' }, {}] })
    expect(sent().filter((text) => text.includes('wombats'))).toHaveLength(1)
  })

  it('is counted in /metrics, without its words', async () => {
    const agent = await startAgent(test())
    const countsOf = async () => {
      const { payload } = await test().app.server.inject({ method: 'GET', url: '/metrics' })
      expect(payload).not.toContain('potoroo')
      const valueOf = (from: string) =>
        Number(new RegExp(`^holdfast_query_vectors_total\\{from="${from}"\\} (\\d+)$`, 'm').exec(payload)?.[1])
      return { provider: valueOf('provider'), earlier: valueOf('earlier_search') }
    }
    const before = await countsOf()
    for (let n = 0; n < 3; n++) await agent.call('search-memories', { query: 'potoroos' })
    expect(await countsOf()).toEqual({ provider: before.provider + 1, earlier: before.earlier + 2 })
  })
})
