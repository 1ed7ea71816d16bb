import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import { listNoteIds } from './list-store.ts'

eachDialect('list-notes', (dialect) => {
  const test = useTestApp({ dialect })

  const start = async () => {
    const agent = await startAgent(test())
    const create = async (title: string, over: object = {}) =>
      String((await agent.call('create-note', { title, ...over })).body.noteId)
    const titles = async (over: object = {}) => {
      const { body } = await agent.call('list-notes', over)
      return [(body.notes as { title: string }[]).map(({ title }) => title), body.total]
    }
    return { ...agent, create, titles }
  }

  it('shows how notes begin, newest first, a page at a time', async () => {
    const agent = await start()
    for (const title of ['one', 'two', 'three']) await agent.create(title, { content: `# Of **${title}**` })
    const { status, body } = await agent.call('list-notes', { limit: 2 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      notes: [
        { title: 'three', preview: 'Of three' },
        { title: 'two', preview: 'Of two' },
      ],
      total: 3,
      hasMore: true,
    })
    expect(JSON.stringify(body)).not.toContain('"content"')
    expect(await agent.titles({ offset: 2 })).toEqual([['one'], 3])
  })

  it('lists a folder with or without subfolders, or notes outside of folders', async () => {
    const agent = await start()
    await agent.create('root')
    await agent.create('a', { folderPath: 'a' })
    await agent.create('ab', { folderPath: 'a/b' })
    await agent.create('c', { folderPath: 'c' })
    const { folders } = (await agent.call('list-folders')).body as { folders: { folderId: string }[] }
    const folderId = folders[0]?.folderId
    expect(await agent.titles({ folderId })).toEqual([['ab', 'a'], 2])
    expect(await agent.titles({ folderId, recursive: false })).toEqual([['a'], 1])
    expect(await agent.titles({ recursive: false })).toEqual([['root'], 1])
    expect(await agent.titles({})).toEqual([['c', 'ab', 'a', 'root'], 4])
  })

  it('accepts names of folders as well as ids', async () => {
    const agent = await start()
    await agent.create('root')
    await agent.create('a', { folderPath: 'a' })
    await agent.create('ab', { folderPath: 'a/b' })
    expect(await agent.titles({ folderPath: 'a' })).toEqual([['ab', 'a'], 2])
    expect(await agent.titles({ folderPath: '/a/b/' })).toEqual([['ab'], 1])
    expect(await agent.titles({ folderPath: '/', recursive: false })).toEqual([['root'], 1])
    for (const name of ['list-notes', 'search-notes', 'search-and-read', 'semantic-search']) {
      const { status, body } = await agent.call(name, { query: 'a', folderPath: 'a/none' })
      expect([name, status, body]).toEqual([name, 404, { error: 'Folder not found' }])
    }
    const found = await agent.call('search-notes', { query: 'root a ab', folderPath: 'a/b' })
    expect(found.body.notes).toMatchObject([{ title: 'ab' }])
    const folderId = (found.body.notes as { folderId: string }[])[0]?.folderId
    expect((await agent.call('list-notes', { folderId, folderPath: 'a' })).status).toBe(400)
  })

  it('filters by all of the tags, in any letter case', async () => {
    const agent = await start()
    await agent.create('both', { tags: ['Red', 'big'] })
    await agent.create('red', { tags: ['red'] })
    await agent.create('none')
    expect(await agent.titles({ tags: ['RED'] })).toEqual([['red', 'both'], 2])
    expect(await agent.titles({ tags: ['red', 'Big '] })).toEqual([['both'], 1])
    expect(await agent.titles({ tags: ['green'] })).toEqual([[], 0])
    expect(await agent.titles({ tags: [] })).toEqual([['none', 'red', 'both'], 3])
    const noteId = await agent.create('changed', { tags: ['red'] })
    await agent.call('update-note', { noteId, tags: ['green'] })
    expect(await agent.titles({ tags: ['green'] })).toEqual([['changed'], 1])
  })

  it('omits trashed notes unless requested', async () => {
    const agent = await start()
    const noteId = await agent.create('gone', { tags: ['t'], folderPath: 'f' })
    await agent.create('here', { tags: ['t'] })
    await agent.call('delete-note', { noteId })
    expect(await agent.titles({ tags: ['t'] })).toEqual([['here'], 1])
    expect(await agent.titles({ includeTrashed: true })).toEqual([['here', 'gone'], 2])
    const { body } = await agent.call('list-notes', { includeTrashed: true })
    expect(body.notes).toMatchObject([{ status: 'active' }, { status: 'trashed' }])
  })

  it('finds notes by their titles and words, and trashed ones by state', async () => {
    const agent = await start()
    await agent.create('Ferns', { content: 'Grow in shade.', folderPath: 'Garden' })
    await agent.create('Shadows', { content: 'of ferns' })
    const noteId = await agent.create('Fern soup')
    await agent.call('delete-note', { noteId })
    expect(await agent.titles({ q: 'ferns' })).toEqual([['Ferns', 'Shadows'], 2])
    expect(await agent.titles({ q: 'ferns', folderPath: 'Garden' })).toEqual([['Ferns'], 1])
    expect(await agent.titles({ state: 'trashed' })).toEqual([['Fern soup'], 1])
  })

  it('lists only its own vault', async () => {
    const agent = await start()
    const vaultId = await makeVault(test(), agent.user)
    const there = await agent.create('there', { vaultId, tags: ['t'] })
    expect(await agent.titles({ tags: ['t'], includeTrashed: true })).toEqual([[], 0])
    expect(await agent.titles({ vaultId, tags: ['t'] })).toEqual([['there'], 1])
    expect((await agent.call('read-notes', { noteIds: [there], vaultId })).body.notFound).toEqual([])
  })

  it('returns ids that pass the same filter to searches', async () => {
    const { services } = test().app
    const agent = await start()
    const red = await agent.create('red', { tags: ['red'], folderPath: 'f' })
    const blue = await agent.create('blue', { tags: ['blue'] })
    const { keyring } = services
    const keys = await services.db.read
      .selectFrom('vaultKeys')
      .selectAll()
      .where('scopeId', '=', agent.user.vaultId)
      .execute()
    const { userId, vaultId: id, mek } = agent.user
    const scope = { id, userId, keys: keyring.vault(mek, userId, id, keys) }
    const ids = async (filter: Parameters<typeof listNoteIds>[2]) => [
      ...(await listNoteIds(services.db.read, scope, filter)),
    ]
    expect(await ids({ tags: ['RED'] })).toEqual([red])
    expect(await ids({ folderIds: 'root' })).toEqual([blue])
    expect((await ids({})).toSorted()).toEqual([red, blue].toSorted())
  })
})
