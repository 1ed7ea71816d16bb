import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { ascending, makeClock } from '../../test/scenarios.ts'
import { asSealed } from '../crypto/cell.ts'
import { newId } from '../core/ids.ts'
import { startNotes } from './testing/start-notes.ts'

interface Note {
  noteId: string
  folderId: string
  title: string
  version: number
}

const add = async (person: TestPerson, title: string, content = '', over: object = {}) => {
  const { status, body, text } = await person.call('create-note', { title, content, ...over })
  expect([201, text]).toEqual([status, text])
  return body as unknown as Note
}

const strangersFolder = async (stranger: TestPerson) =>
  String((await stranger.call('create-folder', { path: 'Own' })).body.folderId)

const titles = async (person: TestPerson, query: Record<string, unknown> = {}) => {
  const { body, text } = await person.call('list-notes', query)
  expect(body.notes, text).toBeDefined()
  return [(body.notes as Note[]).map(({ title }) => title), body.total]
}

eachDialect('notes in the dashboard', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('are written by the person, under their name, and linked and found like those of agents', async () => {
    const person = await makePerson(test())
    const agent = await startNotes(test(), { user: person.user })
    const ferns = await agent.create('Ferns')
    const { body } = await person.call('create-note', {
      title: 'Shade',
      content: '[[Ferns]] and [[Moss]]',
      tags: ['a'],
    })
    const linked = { links: [{ noteId: ferns, title: 'Ferns' }], unresolvedLinks: ['Moss'] }
    expect(body).toMatchObject({ title: 'Shade', version: 1, ...linked })
    const { noteId } = body
    const read = await person.call('read-note', { noteId })
    expect(read.body).toMatchObject({
      note: { noteId, title: 'Shade', agentId: 'user', version: 1, links: { out: 1, in: 0 } },
      ...linked,
    })
    expect((await agent.call('read-note', { noteId })).body).toEqual(read.body)
    expect((await person.call('read-note', { id: ferns })).body.note).toMatchObject({ links: { out: 0, in: 1 } })
  })

  it('are listed by folder, tags and state, newest first', async () => {
    const person = await makePerson(test())
    const inside = await add(person, 'inside', '', { folderPath: 'Garden', tags: ['t'] })
    await add(person, 'deep', '', { folderPath: 'Garden/Beds', tags: ['t', 'u'] })
    const gone = await add(person, 'gone')
    await add(person, 'root')
    await person.call('delete-note', { id: gone.noteId })
    const { folderId } = inside
    expect(await titles(person)).toEqual([['root', 'deep', 'inside'], 3])
    expect(await titles(person, { limit: 1, offset: 1 })).toEqual([['deep'], 3])
    expect(await titles(person, { folderId })).toEqual([['deep', 'inside'], 2])
    expect(await titles(person, { folderId, recursive: 'false' })).toEqual([['inside'], 1])
    expect(await titles(person, { recursive: 'false' })).toEqual([['root'], 1])
    expect(await titles(person, { tags: 't' })).toEqual([['deep', 'inside'], 2])
    expect(await titles(person, { tags: ['t', 'U'] })).toEqual([['deep'], 1])
    expect(await titles(person, { state: 'trashed' })).toEqual([['gone'], 1])
    expect(await titles(person, { state: 'all' })).toEqual([['root', 'gone', 'deep', 'inside'], 4])
    clock.advance(1)
    await person.call('update-note', { id: inside.noteId, content: 'changed' })
    expect(await titles(person, { sort: 'updated' })).toEqual([['inside', 'root', 'deep'], 3])
    expect(await titles(person, { sort: 'updated', folderId, limit: 1, offset: 1 })).toEqual([['deep'], 2])
    for (const query of [{ recursive: '1' }, { state: 'live,trashed' }, { folderId: 'x' }, { sort: 'title' }])
      expect(await person.call('list-notes', query)).toMatchObject({ status: 400 })
  })

  it('are found by the start of their titles and by their words', async () => {
    const person = await makePerson(test())
    const { folderId } = await add(person, 'Ferns', 'Grow in shade.', { folderPath: 'Garden', tags: ['green'] })
    await add(person, 'Shadows', 'of ferns')
    await add(person, 'Tools', 'a spade')
    const gone = await add(person, 'Fern soup')
    await person.call('delete-note', { id: gone.noteId })
    expect(await titles(person, { q: 'Fer' })).toEqual([['Ferns'], 1])
    expect(await titles(person, { q: 'ferns' })).toEqual([['Ferns', 'Shadows'], 2])
    expect(await titles(person, { q: 'sha', limit: 1, offset: 1 })).toEqual([[], 1])
    expect(await titles(person, { q: 'ferns', tags: 'green' })).toEqual([['Ferns'], 1])
    expect(await titles(person, { q: 'ferns', folderId })).toEqual([['Ferns'], 1])
    expect(await titles(person, { q: 'nothing' })).toEqual([[], 0])
  })

  it('return their links together with their text', async () => {
    const person = await makePerson(test())
    const ferns = await add(person, 'Ferns')
    const { noteId: id } = await add(person, 'Shade', '[[ferns]] and [[Moss]]')
    expect((await person.call('read-note', { id })).body).toMatchObject({
      note: { title: 'Shade' },
      links: [{ noteId: ferns.noteId, title: 'ferns' }],
      unresolvedLinks: ['Moss'],
    })
  })

  it('are changed with the version that was read, and renamed with the links that lead to them', async () => {
    const person = await makePerson(test())
    const ferns = await add(person, 'Ferns')
    const shade = await add(person, 'Shade', 'See [[Ferns]].')
    const rename = { id: ferns.noteId, title: 'Bracken', expectedVersion: 1 }
    const both = await Promise.all([person.call('update-note', rename), person.call('update-note', rename)])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    expect((await person.call('read-note', { id: shade.noteId })).body.note).toMatchObject({
      content: 'See [[Bracken]].',
      version: 2,
    })
    const same = await person.call('update-note', { id: ferns.noteId, title: 'Bracken' })
    expect(same.body).toMatchObject({ updated: false, version: 2 })
    expect((await person.call('read-note', { id: ferns.noteId })).body.note).toMatchObject({
      title: 'Bracken',
      version: 2,
      links: { in: 1 },
    })
  })

  it('can be renamed without the texts that link to them, whose links then lead nowhere', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'Ferns')
    const shade = await add(person, 'Shade', 'See [[Ferns]].')
    await person.call('update-note', { id, title: 'Bracken', rewriteLinks: false })
    expect((await person.call('read-note', { id: shade.noteId })).body).toMatchObject({
      note: { content: 'See [[Ferns]].', version: 1, links: { out: 0 } },
      unresolvedLinks: ['Ferns'],
    })
  })

  it('keep earlier versions, which are listed without text and read one by one', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'Log', 'one')
    for (const content of ['one two', 'one two three']) {
      clock.advance(1)
      await person.call('update-note', { id, content })
    }
    const { body, text } = await person.call('read-note-versions', { id, limit: 1 })
    expect(body).toMatchObject({ versions: [{ version: 2, title: 'Log', characters: 7 }], total: 2, hasMore: true })
    expect(text).not.toContain('one two')
    const first = await person.call('read-note-versions', { id, version: 1 })
    expect(first.body).toMatchObject({ version: { version: 1, content: 'one', updatedAt: clock.iso(-2) } })
    expect(await person.call('read-note-versions', { id, version: 3 })).toMatchObject({
      status: 404,
      body: { error: 'Version not found' },
    })
  })

  it('go to the trash and return with their links', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'Ferns')
    const shade = await add(person, 'Shade', '[[Ferns]]')
    const linksOut = async () =>
      ((await person.call('read-note', { id: shade.noteId })).body.note as { links: { out: number } }).links.out
    const first = await person.call('delete-note', { id })
    const { vaultId } = person.user
    expect(first.body).toEqual({ noteId: id, vaultId, trashed: true, alreadyTrashed: false, trashedAt: clock.iso() })
    expect((await person.call('delete-note', { id })).body).toEqual({ ...first.body, alreadyTrashed: true })
    expect(await linksOut()).toBe(0)
    const back = await person.call('restore-note', { id })
    expect(back.body).toMatchObject({ restored: true, version: 3 })
    expect((await person.call('read-note', { id })).body.note).toMatchObject({
      status: 'active',
      trashedAt: null,
      version: 3,
    })
    expect((await person.call('restore-note', { id })).body).toMatchObject({ restored: false })
    expect(await linksOut()).toBe(1)
  })

  it('can be moved between folders, which are created and counted', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'Ferns')
    const made = await person.call('create-folder', { path: 'Garden', name: 'Beds' })
    expect(made).toMatchObject({ status: 201, body: { path: 'Garden/Beds', created: true } })
    const { folderId, parentId } = made.body as { folderId: string; parentId: string }
    expect(await person.call('create-folder', { name: 'beds', parentId })).toMatchObject({
      status: 200,
      body: { folderId, name: 'Beds', created: false },
    })
    const moved = await person.call('move-note', { id, folderId })
    expect(moved.body).toMatchObject({ moved: true, folderId, folderPath: 'Garden/Beds', version: 2 })
    expect((await person.call('move-note', { id })).body).toMatchObject({ moved: false })
    const folders = async (query: Record<string, unknown> = {}) =>
      ((await person.call('list-folders', query)).body.folders as Record<string, unknown>[]).map(
        ({ path, noteCount }) => [path, noteCount],
      )
    expect(await folders()).toEqual([
      ['Garden', 0],
      ['Garden/Beds', 1],
    ])
    expect(await folders({ recursive: 'false' })).toEqual([['Garden', 0]])
    expect(await folders({ parentId })).toEqual([['Garden/Beds', 1]])
    expect((await person.call('move-note', { id, folderId: null })).body).toMatchObject({ folderId: null })
    expect((await person.call('read-note', { id })).body.note).toMatchObject({ folderId: null })
    expect(await person.call('move-note', { id, folderId, folderPath: 'x' })).toMatchObject({ status: 400 })
  })

  it('are in folders that can be renamed, and deleted once they are empty', async () => {
    const person = await makePerson(test())
    const { noteId, folderId } = await add(person, 'Ferns', '', { folderPath: 'Garden/Beds' })
    await person.call('create-folder', { path: 'Garden/Paths' })
    const rename = (name: string) => person.call('update-folder', { id: folderId, name })
    expect((await rename('paths')).status).toBe(409)
    expect((await rename('a/b')).status).toBe(400)
    expect((await rename(' ')).status).toBe(400)
    expect((await rename('Borders')).body).toMatchObject({ path: 'Garden/Borders', version: 2, noteCount: 1 })
    expect((await rename('BORDERS')).body).toMatchObject({ name: 'BORDERS', version: 3 })
    expect((await person.call('read-note', { id: noteId })).body.note).toMatchObject({
      folderPath: 'Garden/BORDERS',
    })
    expect((await person.call('create-folder', { path: 'Garden/Beds' })).body.created).toBe(true)
    const parent = (await person.call('create-folder', { path: 'Garden' })).body as { folderId: string }
    const remove = (id: string) => person.call('delete-folder', { id })
    expect((await remove(parent.folderId)).status).toBe(409)
    expect((await remove(folderId)).status).toBe(409)
    await person.call('delete-note', { id: noteId })
    expect((await remove(folderId)).body).toEqual({ folderId, deleted: true })
    expect((await remove(folderId)).status).toBe(404)
    expect((await person.call('restore-note', { id: noteId })).body).toMatchObject({ restored: true })
    expect((await person.call('read-note', { id: noteId })).body.note).toMatchObject({ folderId: null })
    const stranger = await makePerson(test())
    for (const name of ['update-folder', 'delete-folder'])
      expect(await stranger.call(name, { id: parent.folderId, name: 'Mine' })).toMatchObject({ status: 404 })
  })

  it('are in folders that can be moved into others, with all their contents', async () => {
    const person = await makePerson(test())
    const { noteId, folderId: beds } = await add(person, 'Ferns', '', { folderPath: 'Garden/Beds' })
    const made = async (path: string) => String((await person.call('create-folder', { path })).body.folderId)
    const [garden, attic, old] = [await made('Garden'), await made('Attic'), await made('Attic/Garden')]
    const move = (id: string, parentId: string | null, over: object = {}) =>
      person.call('update-folder', { id, parentId, ...over })
    for (const parentId of [garden, beds])
      expect((await move(garden, parentId)).text).toContain('parentId: is the folder itself')
    expect((await move(garden, attic)).status).toBe(409)
    expect((await move(garden, newId())).status).toBe(404)
    expect((await move(garden, attic, { name: 'Green' })).body).toMatchObject({
      path: 'Attic/Green',
      parentId: attic,
      version: 2,
    })
    expect((await person.call('read-note', { id: noteId })).body.note).toMatchObject({
      folderPath: 'Attic/Green/Beds',
      version: 1,
    })
    expect(await titles(person, { folderId: attic })).toEqual([['Ferns'], 1])
    expect(await made('Attic/Green/Beds')).toBe(beds)
    expect((await move(beds, null)).body).toMatchObject({ path: 'Beds', parentId: null, noteCount: 1 })
    expect((await move(beds, null)).body).toMatchObject({ version: 2 })
    const deep = await made(Array.from({ length: 19 }, (_, level) => `level ${level}`).join('/'))
    expect((await move(attic, deep)).status).toBe(400)
    expect((await move(old, deep)).status).toBe(200)
    const stranger = await makePerson(test())
    expect((await stranger.call('update-folder', { id: beds, parentId: null })).status).toBe(404)
    expect(
      (await stranger.call('update-folder', { id: await strangersFolder(stranger), parentId: attic })).status,
    ).toBe(404)
  })

  it('have unlinked mentions in other texts, which can be linked on demand', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'North Pier', 'The North Pier itself.')
    const log = await add(person, 'Log', 'Calm.\nAt the north pier, `North Pier`, and the North Pier again.')
    await add(person, 'Linked', 'See [[North Pier]].')
    const gone = await add(person, 'Gone', 'The North Pier.')
    await person.call('delete-note', { id: gone.noteId })
    const { body } = await person.call('read-mentions', { id })
    expect(body).toEqual({
      mentions: [
        {
          noteId: log.noteId,
          title: 'Log',
          count: 2,
          excerpt: 'At the north pier, `North Pier`, and the North Pier again.',
        },
      ],
      linkable: true,
      truncated: false,
    })
    const noteIds = [log.noteId, id, gone.noteId]
    expect((await person.call('link-mentions', { id, noteIds })).body.notes).toEqual([
      { noteId: log.noteId, count: 2 },
      { noteId: id, count: 0 },
      { noteId: gone.noteId, count: 0 },
    ])
    expect((await person.call('read-note', { id: log.noteId })).body.note).toMatchObject({
      content: 'Calm.\nAt the [[North Pier|north pier]], `North Pier`, and the [[North Pier]] again.',
      version: 2,
      links: { out: 1 },
    })
    expect((await person.call('read-mentions', { id })).body.mentions).toEqual([])
    const second = await add(person, 'North Pier')
    expect((await person.call('read-mentions', { id: second.noteId })).body.linkable).toBe(false)
    expect((await person.call('link-mentions', { id: second.noteId, noteIds })).status).toBe(400)
  })

  it('tell open pages that notes changed when mentions of a title became links', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'North Pier')
    const log = await add(person, 'Log', 'At the North Pier.')
    const told: string[] = []
    const { news } = test().app.services
    const { leave } = news.listen(person.user.userId, ({ types }) => told.push(...types), undefined)
    await person.call('link-mentions', { id, noteIds: [log.noteId] })
    await expect.poll(() => told).toEqual(expect.arrayContaining(['notes', 'links']))
    leave()
  })

  it('have tags that are suggested while typing, most frequent first', async () => {
    const person = await makePerson(test())
    await add(person, 'a', '', { tags: ['garden', 'Green'] })
    await add(person, 'b', '', { tags: ['green'] })
    const tags = async (q?: string) => (await person.call('suggest-tags', { q, limit: 5 })).body
    expect(await tags()).toEqual({
      tags: [
        { tag: expect.stringMatching(/^green$/i), count: 2 },
        { tag: 'garden', count: 1 },
      ],
      total: 2,
    })
    expect(await tags('GA')).toEqual({ tags: [{ tag: 'garden', count: 1 }], total: 1 })
    const stranger = await makePerson(test())
    expect((await stranger.call('suggest-tags')).body).toEqual({ tags: [], total: 0 })
  })

  it('have backlinks, with the line that contains each', async () => {
    const person = await makePerson(test())
    const agent = await startNotes(test(), { user: person.user })
    const { noteId: id } = await add(person, 'Ferns')
    const shade = await add(person, 'Shade', 'First.\nBelow the [[ferns|fronds]] it is dark.')
    const memory = await agent.write({ content: 'Ferns like shade', sourceNoteIds: [id] })
    const { body } = await person.call('read-backlinks', { id })
    expect(body).toMatchObject({
      backlinks: [
        { relationType: 'derived_from', other: { id: memory, type: 'memory', live: true }, excerpt: null },
        {
          relationType: 'wiki_link',
          direction: 'incoming',
          other: { id: shade.noteId, type: 'note', title: 'Shade' },
          excerpt: 'Below the [[ferns|fronds]] it is dark.',
        },
      ],
      total: 2,
    })
    expect((await person.call('read-backlinks', { id, limit: 1, offset: 1 })).body.backlinks).toHaveLength(1)
  })

  it('can be deleted permanently if they are damaged, in the trash or not', async () => {
    const person = await makePerson(test())
    const [live, trashed] = [await add(person, 'Ferns'), await add(person, 'Moss')]
    await person.call('delete-note', { id: trashed.noteId })
    expect((await person.call('erase-note', { id: live.noteId })).status).toBe(400)
    const ids = [live.noteId, trashed.noteId]
    await test().app.services.db.write((tx) =>
      tx
        .updateTable('notes')
        .set({ head: asSealed(Buffer.alloc(80)), body: asSealed(Buffer.alloc(80)) })
        .where('id', 'in', ids)
        .execute(),
    )
    for (const id of ids) {
      expect((await person.call('erase-note', { id })).body).toEqual({ noteId: id, deleted: true })
      expect((await person.call('erase-note', { id })).status).toBe(404)
    }
  })

  it('cannot be accessed by another user, and ids of memories are not accepted', async () => {
    const [person, stranger] = [await makePerson(test()), await makePerson(test())]
    const agent = await startNotes(test(), { user: person.user })
    const [{ noteId, folderId }, memory] = [
      await add(person, 'Mine alone', '', { folderPath: 'Mine' }),
      await agent.write('a fact'),
    ]
    const operations = ['read-note', 'update-note', 'delete-note', 'restore-note', 'move-note', 'erase-note']
    for (const [who, id] of [
      [person, memory],
      [stranger, noteId],
      [stranger, newId()],
    ] as const)
      for (const name of [...operations, 'read-note-versions', 'read-backlinks', 'read-mentions'])
        expect([name, await who.call(name, { id })]).toMatchObject([
          name,
          { status: 404, body: { error: 'Note not found' } },
        ])
    expect(await titles(stranger, { state: 'all' })).toEqual([[], 0])
    expect((await stranger.call('list-folders')).body.folders).toEqual([])
    expect((await stranger.call('suggest-notes', { q: 'mine' })).body).toEqual({ notes: [], total: 0 })
    for (const name of ['list-notes', 'list-folders', 'suggest-notes'])
      expect((await stranger.call(name, { vaultId: person.user.vaultId })).status).toBe(404)
    expect(await stranger.call('list-notes', { folderId })).toMatchObject({
      status: 404,
      body: { error: 'Folder not found' },
    })
  })
})
