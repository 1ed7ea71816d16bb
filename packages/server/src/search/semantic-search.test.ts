import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, useTestApp, type TestApp } from '../../test/app.ts'
import { startAgent } from '../../test/scenarios.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { startFakeEndpoint, type FakeEndpoint } from '../embeddings/testing/fake-endpoint.ts'

const start = async (test: TestApp) => {
  const agent = await startAgent(test)
  const create = async (title: string, more: object = {}) =>
    String((await agent.call('create-note', { title, ...more })).body.noteId)
  return { ...agent, create }
}

type Found = { notes: Record<string, unknown>[]; degraded: object[] }

describe('semantic-search', () => {
  let endpoint: FakeEndpoint
  beforeAll(async () => {
    endpoint = await startFakeEndpoint()
  })
  afterAll(() => endpoint.close())
  beforeEach(() => endpoint.reset())

  const withService = () =>
    startTestApp({
      config: { embeddings: { provider: 'openai', url: endpoint.url, key: undefined, model: 'hashed-trigrams' } },
    })

  it('finds by similarity, shows the nearest passage, and counts tokens', async () => {
    const agent = await start(await withService())
    const rest = (word: string) => Array.from({ length: 140 }, (_, i) => `${word}${i}`).join(' ')
    const near = 'Photosynthesis of underwater plants.'
    const noteId = await agent.create('Botany', {
      content: `${rest('one')}\n\n## Below\n\n${`${near} `.repeat(25)}\n\n${rest('two')}`,
    })
    await agent.create('Trains', { content: 'Locomotives and wagons' })
    await agent.write('A memory on photosynthesis of underwater plants')
    const { status, body } = await agent.call('semantic-search', { query: near, threshold: 0.2 })
    expect(status).toBe(200)
    expect(body).toMatchObject({ searchMode: 'semantic_only', degraded: [] })
    expect(body.embeddingTokens).toBeGreaterThan(0)
    const [first] = (body as unknown as Found).notes
    expect(first).toMatchObject({ noteId, title: 'Botany', similarity: expect.any(Number) })
    expect(first?.excerpt).toContain(near)
    expect(String(first?.excerpt)).not.toContain('one0 ')
    expect(first).not.toHaveProperty('content')
  })

  it('applies the threshold, which is 0.5 by default', async () => {
    const agent = await start(await withService())
    await agent.create('Pelican', { content: 'Many other words that make this text unlike the question of before' })
    const found = async (more: object) =>
      ((await agent.call('semantic-search', { query: 'pelican', ...more })).body as unknown as Found).notes.length
    expect([await found({ threshold: 0.05 }), await found({}), await found({ threshold: 1 })]).toEqual([1, 0, 0])
  })

  it('searches by words while the service is down, and says so', async () => {
    const agent = await start(await withService())
    const noteId = await agent.create('Pelicans', { content: 'Large birds. A pelican eats fish.' })
    endpoint.respond = (_seen, response) => sendJson(response, { error: 'planted words of the service' }, 500)
    const { status, body, text } = await agent.call('semantic-search', { query: 'pelican' })
    expect([status, body]).toMatchObject([
      200,
      { searchMode: 'blind_only', notes: [{ noteId, similarity: null, excerpt: 'Large birds. A pelican eats fish.' }] },
    ])
    expect(body.degraded).toContainEqual({ leg: 'semantic', reason: expect.stringContaining('did not answer') })
    expect(text).not.toContain('planted')
  })
})

describe('searches of notes without a provider', () => {
  const test = useTestApp()

  it('semantic-search uses words, and says that it did not search by meaning', async () => {
    const agent = await start(test())
    const noteId = await agent.create('Harbours', { content: 'Ships rest here.' })
    const { body } = await agent.call('semantic-search', { query: 'ship' })
    expect(body).toMatchObject({ searchMode: 'blind_only', notes: [{ noteId, similarity: null }], embeddingTokens: 0 })
    expect(body.degraded).toEqual([{ leg: 'semantic', reason: expect.stringContaining('no embedding provider') }])
  })

  it('search-and-read returns the best notes in full, and those they link to', async () => {
    const agent = await start(test())
    const bridge = await agent.create('Old Bridge', { content: 'The Old Bridge was drawn by Ann Lee.' })
    const engineer = await agent.create('Ann Lee', { content: 'Born in Leeds.' })
    await agent.create('Trains', { content: 'Locomotives' })
    const { status, body } = await agent.call('search-and-read', { query: 'where was who drew the old bridge from?' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      searchMode: 'blind_only',
      degraded: [{ leg: 'semantic', reason: expect.stringContaining('no embedding provider') }],
      embeddingTokens: 0,
      notes: [
        { noteId: bridge, content: 'The Old Bridge was drawn by Ann Lee.', truncated: false },
        { noteId: engineer, content: 'Born in Leeds.', matchSources: ['graph'] },
      ],
    })
  })

  it('search-and-read cuts long notes, and says which', async () => {
    const agent = await start(test())
    await agent.create('Foxes', { content: `fox ${'🦊'.repeat(10)}` })
    const read = async (maxChars: number) => {
      const { body } = await agent.call('search-and-read', { query: 'fox', maxChars })
      const [note] = (body as unknown as Found).notes
      return [note?.content, note?.truncated]
    }
    expect(await read(7)).toEqual(['fox 🦊', true])
    expect(await read(24)).toEqual([`fox ${'🦊'.repeat(10)}`, false])
  })

  it('both respect tags, folder, vault and liveness', async () => {
    const agent = await start(test())
    const stranger = await start(test())
    await stranger.create('Lantern of another')
    const red = await agent.create('Red lantern', { tags: ['red'], folderPath: 'a/b' })
    const blue = await agent.create('Blue lantern', { tags: ['blue'] })
    const gone = await agent.create('Lost lantern', { tags: ['red'] })
    await agent.call('delete-note', { noteId: gone })
    await agent.write('A memory of a lantern')
    const { folders } = (await agent.call('list-folders')).body as { folders: { folderId: string }[] }
    for (const name of ['semantic-search', 'search-and-read']) {
      const found = async (more: object) => {
        const { body } = await agent.call(name, { query: 'lantern', ...more })
        return (body as unknown as Found).notes.map(({ noteId }) => String(noteId)).toSorted()
      }
      expect(await found({})).toEqual([red, blue].toSorted())
      expect(await found({ tags: ['RED'] })).toEqual([red])
      expect(await found({ folderId: folders[0]?.folderId })).toEqual([red])
      expect(await found({ topK: 1 })).toHaveLength(1)
      expect((await agent.call(name, { query: 'x', folderId: agent.user.vaultId })).status).toBe(404)
    }
  })
})
