import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { startAgent } from '../../test/scenarios.ts'

describe('a question with only words unknown to the built-in model', () => {
  const test = useTestApp({ config: { embeddings: { provider: 'static' } } })

  it.each(['search-memories', 'semantic-search', 'search-and-read'])(
    'is answered by words, and %s says that meaning was left out',
    async (operation) => {
      const agent = await startAgent(test())
      await agent.call('write-memory', { content: 'ꝏꝏ 🚢 is the sign of the fleet' })
      await agent.call('create-note', { title: 'Signs', content: 'The fleet sails under ꝏꝏ 🚢' })
      const { status, body } = await agent.call(operation, { query: 'ꝏꝏ' })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        searchMode: 'blind_only',
        degraded: [{ leg: 'semantic', reason: 'the embedding model knows none of its words' }],
      })
    },
  )

  it('finds records without vectors by their words, together with those that have vectors', async () => {
    const agent = await startAgent(test())
    await agent.call('write-memory', { content: 'ꝏꝏ' })
    await agent.call('write-memory', { content: 'The ship left the harbour' })
    const { body } = await agent.call('search-memories', { query: 'ꝏꝏ or a vessel in port', threshold: 0 })
    expect(body).toMatchObject({ searchMode: 'hybrid', degraded: [], semanticMatchCount: 1 })
    expect(body.memories).toHaveLength(2)
  })
})
