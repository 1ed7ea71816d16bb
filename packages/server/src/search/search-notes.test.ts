import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'

interface NoteMatch {
  noteId: string
  title: string
  matchedIn: string[]
  snippet: string
}

eachDialect('search-notes', (dialect) => {
  const test = useTestApp({ dialect })

  const start = async () => {
    const agent = await startAgent(test())
    const create = async (title: string, more: object = {}) =>
      String((await agent.call('create-note', { title, ...more })).body.noteId)
    const find = async (query: string, more: object = {}) => {
      const { status, body, text } = await agent.call('search-notes', { query, ...more })
      expect([200, text]).toEqual([status, text])
      return body as { notes: NoteMatch[]; total: number; hasMore: boolean }
    }
    const titles = async (...asked: Parameters<typeof find>) => (await find(...asked)).notes.map(({ title }) => title)
    return { ...agent, create, find, titles }
  }

  it('finds by title, then tags, then content, and returns the field and an excerpt', async () => {
    const agent = await start()
    await agent.create('Boats', { content: `${'Nothing yet. '.repeat(40)}The rusty anchor lies in the harbour.` })
    await agent.create('Rope', { tags: ['Anchors'], content: 'Forty metres.' })
    await agent.create('Anchors', { content: '# Chain\n\nTen metres of **chain**.' })
    const { notes, total } = await agent.find('anchor')
    expect(total).toBe(3)
    expect(notes).toMatchObject([
      { title: 'Anchors', matchedIn: ['title'], snippet: 'Ten metres of chain.', status: 'active' },
      { title: 'Rope', matchedIn: ['tags'], snippet: 'Forty metres.' },
      {
        title: 'Boats',
        matchedIn: ['content'],
        snippet: expect.stringMatching(/^….*rusty anchor lies in the harbour\.$/),
      },
    ])
    expect(JSON.stringify(notes)).not.toContain('"content":')
  })

  it('searches the requested fields', async () => {
    const agent = await start()
    await agent.create('Anchors')
    await agent.create('Boats', { content: 'With anchors', tags: ['big'] })
    expect(await agent.titles('anchors', { in: ['content'] })).toEqual(['Boats'])
    expect(await agent.titles('anchors big', { in: ['title', 'tags'] })).toEqual(
      expect.arrayContaining(['Anchors', 'Boats']),
    )
    expect(await agent.titles('anchors', { in: ['tags'] })).toEqual([])
    expect(await agent.titles('anchors', { in: [] })).toHaveLength(2)
    const { status, body } = await agent.call('search-notes', { query: 'x', in: ['body'] })
    expect([status, body.fields]).toMatchObject([400, { 'in.0': expect.stringContaining('title') }])
  })

  it('filters by all of the tags, and by a folder with its subfolders', async () => {
    const agent = await start()
    await agent.create('Red anchor', { tags: ['Red', 'big'], folderPath: 'a/b' })
    await agent.create('Blue anchor', { tags: ['blue', 'big'], folderPath: 'a' })
    await agent.create('Lost anchor', { tags: ['big'] })
    const { folders } = (await agent.call('list-folders')).body as { folders: { folderId: string; path: string }[] }
    const folderId = folders.find(({ path }) => path === 'a')?.folderId
    const inner = folders.find(({ path }) => path === 'a/b')?.folderId
    expect((await agent.titles('anchor', { folderId })).toSorted()).toEqual(['Blue anchor', 'Red anchor'])
    expect(await agent.titles('anchor', { folderId: inner })).toEqual(['Red anchor'])
    expect(await agent.titles('anchor', { tags: ['red', 'BIG'] })).toEqual(['Red anchor'])
    expect(await agent.find('anchor', { tags: ['big'], folderId })).toMatchObject({ total: 2 })
    expect(await agent.titles('anchor', { tags: ['red'], folderId: inner })).toEqual(['Red anchor'])
    // Searched again after a change, but not before it.
    await agent.call('create-note', { title: 'Green anchor', folderId: inner })
    expect((await agent.titles('anchor', { folderId: inner })).toSorted()).toEqual(['Green anchor', 'Red anchor'])
    const missing = await agent.call('search-notes', { query: 'x', folderId: agent.user.vaultId })
    expect([missing.status, missing.body.error]).toEqual([404, 'Folder not found'])
  })

  it('counts all matches and returns them a page at a time, each once', async () => {
    const agent = await start()
    for (let i = 0; i < 12; i++) await agent.create(`Anchor ${i}`)
    const first = await agent.find('anchor', { limit: 5 })
    const rest = await agent.find('anchor', { limit: 10, offset: 5 })
    expect([first.total, first.hasMore, rest.total, rest.hasMore]).toEqual([12, true, 12, false])
    expect(new Set([...first.notes, ...rest.notes].map(({ noteId }) => noteId)).size).toBe(12)
    expect(first.notes[0]?.title).toBe('Anchor 11')
  })

  it('finds only live notes of the vault, in their current state', async () => {
    const agent = await start()
    const stranger = await startAgent(test())
    await stranger.call('create-note', { title: 'Anchor of another' })
    const vaultId = await makeVault(test(), agent.user)
    await agent.create('Anchor elsewhere', { vaultId })
    await agent.write('A memory of an anchor')
    const noteId = await agent.create('Anchor')
    expect(await agent.titles('anchor')).toEqual(['Anchor'])
    expect(await agent.titles('anchor', { vaultId })).toEqual(['Anchor elsewhere'])
    await agent.call('update-note', { noteId, title: 'Sail' })
    expect(await agent.titles('anchor')).toEqual([])
    expect(await agent.titles('sails')).toEqual(['Sail'])
    await agent.call('delete-note', { noteId })
    expect(await agent.find('sails')).toMatchObject({ notes: [], total: 0 })
    await agent.call('update-note', { noteId, trashed: false })
    expect(await agent.titles('sails')).toEqual(['Sail'])
  })

  it('returns an empty result without an error', async () => {
    const agent = await start()
    await agent.create('Anchor')
    for (const query of ['zzzz', '???', ' ', '🦊', '\u0000']) expect(await agent.titles(query)).toEqual([])
  })
})
