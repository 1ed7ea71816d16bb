import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { startAgent } from '../../test/scenarios.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { startFakeEndpoint, type FakeEndpoint } from '../embeddings/testing/fake-endpoint.ts'

describe('notes, with an embedding service', () => {
  let endpoint: FakeEndpoint
  beforeAll(async () => {
    endpoint = await startFakeEndpoint()
  })
  afterAll(() => endpoint.close())

  const start = async () => {
    endpoint.reset()
    const embeddings = { provider: 'openai' as const, url: endpoint.url, key: undefined, model: 'hashed-trigrams' }
    const test = await startTestApp({ config: { embeddings }, runsJobs: false })
    const agent = await startAgent(test)
    const create = async (title: string, content: string) =>
      String((await agent.call('create-note', { title, content })).body.noteId)
    const entries = () =>
      test.app.services.db.read
        .selectFrom('indexEntries')
        .select(['itemId', 'vectorsMissing'])
        .orderBy('itemId')
        .execute()
    return { ...agent, create, entries }
  }

  it('are embedded chunk by chunk under their titles, once for each change of their text', async () => {
    const agent = await start()
    const noteId = await agent.create('Growing violets', 'They like shade. '.repeat(120))
    const [first] = endpoint.seen
    expect(first?.body.input.length).toBeGreaterThan(1)
    expect(first?.body.input[0]).toMatch(/^Growing violets\n\nThey like shade/)
    // The first answer is followed by a test request of the provider.
    expect(endpoint.seen).toHaveLength(2)
    await agent.call('move-note', { noteId, folderPath: 'Garden' })
    await agent.call('delete-note', { noteId })
    await agent.call('update-note', { noteId, trashed: false })
    expect(endpoint.seen).toHaveLength(2)
    await agent.call('update-note', { noteId, tags: ['plants'] })
    expect(endpoint.seen).toHaveLength(3)
    expect(await agent.entries()).toEqual([{ itemId: noteId, vectorsMissing: 0 }])
  })

  it('are written while the service is down, and queued for later', async () => {
    const agent = await start()
    endpoint.respond = (_seen, response) => sendJson(response, {}, 500)
    const noteId = await agent.create('In the dark', 'text')
    expect(await agent.entries()).toEqual([{ itemId: noteId, vectorsMissing: 1 }])
  })

  it('accept twenty concurrent additions, and lose none without a vector', async () => {
    const agent = await start()
    const noteId = await agent.create('Log', '')
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}.`)
    const answers = await Promise.all(
      lines.map((content) => agent.call('update-note', { noteId, content, mode: 'append' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(lines.map(() => 200))
    const { note } = (await agent.call('read-note', { noteId })).body as { note: { content: string } }
    for (const line of lines) expect(note.content.split(line)).toHaveLength(2)
  })

  it('follow a rename while others write to the texts being rewritten', async () => {
    const agent = await start()
    const noteId = await agent.create('Old', '')
    const sources = await Promise.all(Array.from({ length: 5 }, (_, n) => agent.create(`S${n}`, '[[Old]]')))
    await Promise.all([
      agent.call('update-note', { noteId, title: 'New' }),
      ...sources.map((source) => agent.call('update-note', { noteId: source, content: ' more', mode: 'append' })),
    ])
    const { body } = await agent.call('read-notes', { noteIds: sources })
    expect(body.notes).toMatchObject(sources.map(() => ({ content: '[[New]] more', version: 3, links: { out: 1 } })))
  })
})
