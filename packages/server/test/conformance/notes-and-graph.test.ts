import { describe, expect, it } from 'vitest'
import { callAgent, eachService, newVault, succeed } from './service.ts'

/** What the API says about notes, folders, links and the graph. */

eachService('notes', (service) => {
  const start = async () => {
    const vaultId = await newVault(service())
    const call = (name: string, body: object = {}) => succeed(service(), name, { vaultId, ...body })
    const write = async (title: string, content = '', more: object = {}) =>
      String((await call('create-note', { title, content, ...more }))['noteId'])
    const read = async (noteId: string) => (await call('read-note', { noteId }))['note'] as Record<string, unknown>
    const titlesIn = async (name: string, body: object = {}) =>
      ((await call(name, body))['notes'] as { title: string }[]).map(({ title }) => title)
    return { vaultId, call, write, read, titlesIn }
  }

  it('are returned as they were sent, with their folder', async () => {
    const { vaultId, write, read } = await start()
    const content = '# Reeds\r\n\r\nAlong the  lake.\u0000 '
    const noteId = await write('Reeds & Rushes', content, { tags: ['Plants'], folderPath: 'Lake/Shore' })
    expect(await read(noteId)).toMatchObject({
      noteId,
      id: noteId,
      vaultId,
      title: 'Reeds & Rushes',
      content,
      tags: ['Plants'],
      folderPath: 'Lake/Shore',
      status: 'active',
      trashedAt: null,
      version: 1,
    })
  })

  it('are found by title, tag and content, the title first, and read in full by search-and-read', async () => {
    const { call, write, titlesIn } = await start()
    await write('Otters', 'They eat fish.')
    await write('Fish', 'They swim.', { tags: ['lake'] })
    expect(await titlesIn('search-notes', { query: 'fish' })).toEqual(['Fish', 'Otters'])
    expect(await titlesIn('search-notes', { query: 'fish', in: ['title'] })).toEqual(['Fish'])
    expect(await titlesIn('search-notes', { query: 'lake' })).toEqual(['Fish'])
    const { notes } = await call('search-and-read', { query: 'otters' })
    expect((notes as object[])[0]).toMatchObject({ title: 'Otters', content: 'They eat fish.', truncated: false })
  })

  it('that are trashed are in no list and no search, can be read, and can be restored', async () => {
    const { call, write, read, titlesIn } = await start()
    const noteId = await write('Otters', 'They eat fish.')
    expect(await call('delete-note', { noteId })).toMatchObject({ trashed: true, alreadyTrashed: false })
    expect(await call('delete-note', { noteId })).toMatchObject({ trashed: true, alreadyTrashed: true })
    expect([await titlesIn('list-notes'), await titlesIn('search-notes', { query: 'otters' })]).toEqual([[], []])
    expect(await titlesIn('list-notes', { includeTrashed: true })).toEqual(['Otters'])
    expect(await read(noteId)).toMatchObject({ status: 'trashed', trashedAt: expect.any(String) })
    await call('update-note', { noteId, trashed: false })
    expect(await titlesIn('list-notes')).toEqual(['Otters'])
  })

  it('are changed as a whole, at either end, or by passage, and a failed change says why', async () => {
    const { vaultId, call, write, read } = await start()
    const noteId = await write('List', 'one')
    await call('update-note', { noteId, content: ' two', mode: 'append' })
    await call('update-note', { noteId, content: 'zero ', mode: 'prepend' })
    await call('update-note', { noteId, edits: [{ find: 'one', replace: 'ONE' }] })
    const { content, version } = await read(noteId)
    expect([String(content).replaceAll(/\s+/g, ' '), version]).toEqual(['zero ONE two', 4])
    const update = (body: object) => callAgent(service(), 'update-note', { vaultId, noteId, ...body })
    expect((await update({ edits: [{ find: 'o', replace: 'x' }] })).status).toBe(400)
    expect((await update({ content: 'x', expectedVersion: 1 })).status).toBe(409)
  })

  it('link by title: immediately, once the note exists, and after a rename', async () => {
    const { call, write, read } = await start()
    const early = await call('create-note', { title: 'Early', content: 'See [[Later|that]] and [[Later#Part]].' })
    expect(early).toMatchObject({ links: [], unresolvedLinks: ['Later'] })
    const later = await write('Later')
    const { links } = await call('get-links', { nodeType: 'note', nodeId: later, direction: 'incoming' })
    expect(links).toMatchObject([{ relationType: 'wiki_link', other: { type: 'note', id: early['noteId'] } }])
    await call('update-note', { noteId: later, title: 'Afterwards' })
    expect(String((await read(String(early['noteId'])))['content'])).toContain('[[Afterwards|that]]')
  })

  it('are in folders that are created once, listed as a tree, and can be moved', async () => {
    const { vaultId, call, write, titlesIn } = await start()
    const folder = (body: object) => callAgent(service(), 'create-folder', { vaultId, ...body })
    expect([(await folder({ path: 'A/B' })).status, (await folder({ path: 'A/B' })).status]).toEqual([201, 200])
    const folders = (await call('list-folders'))['folders'] as { path: string; folderId: string }[]
    expect(folders.map(({ path }) => path)).toEqual(['A', 'A/B'])
    const noteId = await write('Moved')
    const [a] = folders
    expect(await call('move-note', { noteId, folderPath: 'A/B' })).toMatchObject({ moved: true, folderPath: 'A/B' })
    expect(await titlesIn('list-notes', { folderId: a?.folderId })).toEqual(['Moved'])
    expect(await titlesIn('list-notes', { folderId: a?.folderId, recursive: false })).toEqual([])
    expect(await call('move-note', { noteId, folderId: null })).toMatchObject({ folderId: null })
  })

  it('are written once under one externalWriteId', async () => {
    const { vaultId } = await start()
    const write = () => callAgent(service(), 'create-note', { vaultId, title: 'Once', externalWriteId: 'once' })
    const [first, second] = [await write(), await write()]
    expect([first.status, second.status, second.body['idempotent']]).toEqual([201, 200, true])
    expect(second.body['noteId']).toBe(first.body['noteId'])
  })

  describe('the graph', () => {
    it('has each link once, of any of nine relations, within a vault, and none to itself', async () => {
      const [{ vaultId, call, write }, other] = [await start(), await start()]
      const [a, b, far] = [await write('A'), await write('B'), await other.write('Far')]
      const link = (sourceId: string, targetId: string, relationType = 'refines') => {
        const ends = { sourceType: 'note', sourceId, targetType: 'note', targetId }
        return callAgent(service(), 'add-link', { vaultId, ...ends, relationType, label: 'why' })
      }
      const [first, again] = [await link(a, b), await link(a, b)]
      expect([first.status, again.status, again.body['created']]).toEqual([201, 200, false])
      expect(again.body['linkId']).toBe(first.body['linkId'])
      expect([(await link(a, a)).status, (await link(a, far)).status]).toEqual([400, 404])
      expect(await call('get-links', { nodeType: 'note', nodeId: b })).toMatchObject({
        total: 1,
        links: [{ direction: 'incoming', label: 'why', origin: 'agent', other: { id: a, title: 'A' } }],
      })
      expect(await call('remove-link', { linkId: first.body['linkId'] })).toMatchObject({ removed: true })
      expect(await call('get-links', { nodeType: 'note', nodeId: b })).toMatchObject({ total: 0 })
    })

    it('is walked from a node or from the hits of a query, as far and wide as requested', async () => {
      const { vaultId, call, write } = await start()
      const names = ['Source', 'Brook', 'River', 'Sea']
      const ids: string[] = []
      for (const name of names) ids.push(await write(name))
      for (const [at, sourceId] of ids.slice(0, -1).entries()) {
        const ends = { sourceType: 'note', sourceId, targetType: 'note', targetId: ids[at + 1] }
        await call('add-link', { ...ends, relationType: 'part_of' })
      }
      const from = { nodeId: ids[0], nodeType: 'note' }
      expect(await call('explore-graph', from)).toMatchObject({
        entryPoints: [expect.anything()],
        stats: { totalNodes: 3, totalEdges: 2, maxHopReached: 2 },
      })
      expect(await call('explore-graph', { ...from, maxHops: 5 })).toMatchObject({ stats: { totalNodes: 4 } })
      expect(await call('explore-graph', { ...from, maxHops: 5, maxNodes: 2 })).toMatchObject({
        stats: { totalNodes: 2 },
      })
      expect((await call('explore-graph', { query: 'brook' }))['nodes']).toEqual(
        expect.arrayContaining([expect.objectContaining({ id: ids[1], hop: 0 })]),
      )
      expect((await callAgent(service(), 'explore-graph', { vaultId })).status).toBe(400)
    })

    it('leads from a memory to its related memories', async () => {
      const { call } = await start()
      const { memoryId: base } = await call('write-memory', { content: 'Water is wet.' })
      const related = [{ memoryId: base, relationType: 'refines', label: 'closer' }]
      const { memoryId } = await call('write-memory', { content: 'Ice is not.', relatedMemoryIds: related })
      expect(await call('get-related-memories', { memoryId })).toMatchObject({
        memoryId,
        memories: [{ memoryId: base, relationType: 'refines', direction: 'outgoing', hops: 1 }],
        total: 1,
      })
    })
  })
})
