import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { ascending, makeClock } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { startNotes } from './testing/start-notes.ts'

interface Note {
  noteId: string
  folderId: string
  title: string
  version: number
}

const add = async (person: TestPerson, title: string, content = '', over: object = {}) => {
  const { status, body, text } = await person.call('add-note', { title, content, ...over })
  expect([201, text]).toEqual([status, text])
  return body.note as Note
}

const titles = async (person: TestPerson, query: Record<string, unknown> = {}) => {
  const { body, text } = await person.call('browse-notes', query)
  expect(body.notes, text).toBeDefined()
  return [(body.notes as Note[]).map(({ title }) => title), body.total]
}

eachDialect('notes of the dashboard', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('are written by the person, under their name, linked and found as those of agents', async () => {
    const person = await makePerson(test())
    const agent = await startNotes(test(), { user: person.user })
    const ferns = await agent.create('Ferns')
    const { body } = await person.call('add-note', { title: 'Shade', content: '[[Ferns]] and [[Moss]]', tags: ['a'] })
    expect(body).toMatchObject({
      note: { title: 'Shade', agentId: 'user', version: 1, links: { out: 1, in: 0 } },
      links: [{ noteId: ferns, title: 'Ferns' }],
      unresolvedLinks: ['Moss'],
    })
    const { noteId } = body.note as Note
    expect((await agent.call('read-note', { noteId })).body.note).toEqual(body.note)
    expect((await person.call('browse-notes', { id: ferns })).body.note).toMatchObject({ links: { out: 0, in: 1 } })
  })

  it('are listed by folder, tags and state, newest first', async () => {
    const person = await makePerson(test())
    const inside = await add(person, 'inside', '', { folderPath: 'Garden', tags: ['t'] })
    await add(person, 'deep', '', { folderPath: 'Garden/Beds', tags: ['t', 'u'] })
    const gone = await add(person, 'gone')
    await add(person, 'root')
    await person.call('discard-note', { id: gone.noteId })
    const { folderId } = inside
    expect(await titles(person)).toEqual([['root', 'deep', 'inside'], 3])
    expect(await titles(person, { limit: 1, offset: 1 })).toEqual([['deep'], 3])
    expect(await titles(person, { folderId })).toEqual([['deep', 'inside'], 2])
    expect(await titles(person, { folderId, recursive: 'false' })).toEqual([['inside'], 1])
    expect(await titles(person, { recursive: 'false' })).toEqual([['root'], 1])
    expect(await titles(person, { tag: 't' })).toEqual([['deep', 'inside'], 2])
    expect(await titles(person, { tag: ['t', 'U'] })).toEqual([['deep'], 1])
    expect(await titles(person, { state: 'trashed' })).toEqual([['gone'], 1])
    expect(await titles(person, { state: 'all' })).toEqual([['root', 'gone', 'deep', 'inside'], 4])
    for (const query of [{ recursive: '1' }, { state: 'live,trashed' }, { folderId: 'x' }])
      expect(await person.call('browse-notes', query)).toMatchObject({ status: 400 })
  })

  it('are changed under the version that was read, and renamed with the links that lead to them', async () => {
    const person = await makePerson(test())
    const ferns = await add(person, 'Ferns')
    const shade = await add(person, 'Shade', 'See [[Ferns]].')
    const rename = { id: ferns.noteId, title: 'Bracken', expectedVersion: 1 }
    const both = await Promise.all([person.call('edit-note', rename), person.call('edit-note', rename)])
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    expect((await person.call('browse-notes', { id: shade.noteId })).body.note).toMatchObject({
      content: 'See [[Bracken]].',
      version: 2,
    })
    const same = await person.call('edit-note', { id: ferns.noteId, title: 'Bracken' })
    expect(same.body).toMatchObject({ updated: false, note: { title: 'Bracken', version: 2, links: { in: 1 } } })
  })

  it('keep what they were, which is listed without its text and read one by one', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'Log', 'one')
    for (const content of ['one two', 'one two three']) {
      clock.advance(1)
      await person.call('edit-note', { id, content })
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

  it('go to the trash and come back with their links', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'Ferns')
    const shade = await add(person, 'Shade', '[[Ferns]]')
    const linksOut = async () =>
      ((await person.call('browse-notes', { id: shade.noteId })).body.note as { links: { out: number } }).links.out
    const first = await person.call('discard-note', { id })
    expect(first.body).toEqual({ id, trashed: true, alreadyTrashed: false, trashedAt: clock.iso() })
    expect((await person.call('discard-note', { id })).body).toEqual({ ...first.body, alreadyTrashed: true })
    expect(await linksOut()).toBe(0)
    const back = await person.call('recover-note', { id })
    expect(back.body).toMatchObject({ restored: true, note: { status: 'active', trashedAt: null, version: 3 } })
    expect((await person.call('recover-note', { id })).body).toMatchObject({ restored: false })
    expect(await linksOut()).toBe(1)
  })

  it('move between folders, which are made and counted', async () => {
    const person = await makePerson(test())
    const { noteId: id } = await add(person, 'Ferns')
    const made = await person.call('add-folder', { path: 'Garden', name: 'Beds' })
    expect(made).toMatchObject({ status: 201, body: { folder: { path: 'Garden/Beds' }, created: true } })
    const { folderId, parentId } = made.body.folder as { folderId: string; parentId: string }
    expect(await person.call('add-folder', { name: 'beds', parentId })).toMatchObject({
      status: 200,
      body: { folder: { folderId, name: 'Beds' }, created: false },
    })
    const moved = await person.call('relocate-note', { id, folderId })
    expect(moved.body).toMatchObject({ moved: true, note: { folderId, folderPath: 'Garden/Beds', version: 2 } })
    expect((await person.call('relocate-note', { id })).body).toMatchObject({ moved: false })
    const folders = async (query: Record<string, unknown> = {}) =>
      ((await person.call('browse-folders', query)).body.folders as Record<string, unknown>[]).map(
        ({ path, noteCount }) => [path, noteCount],
      )
    expect(await folders()).toEqual([
      ['Garden', 0],
      ['Garden/Beds', 1],
    ])
    expect(await folders({ recursive: 'false' })).toEqual([['Garden', 0]])
    expect(await folders({ parentId })).toEqual([['Garden/Beds', 1]])
    expect((await person.call('relocate-note', { id, folderId: null })).body).toMatchObject({
      note: { folderId: null },
    })
    expect(await person.call('relocate-note', { id, folderId, folderPath: 'x' })).toMatchObject({ status: 400 })
  })

  it('are told what links to them, with the line in which it does', async () => {
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

  it('are nobody else’s, and no ids of memories', async () => {
    const [person, stranger] = [await makePerson(test()), await makePerson(test())]
    const agent = await startNotes(test(), { user: person.user })
    const [{ noteId, folderId }, memory] = [
      await add(person, 'Mine alone', '', { folderPath: 'Mine' }),
      await agent.write('a fact'),
    ]
    const operations = ['browse-notes', 'edit-note', 'discard-note', 'recover-note', 'relocate-note']
    for (const [who, id] of [
      [person, memory],
      [stranger, noteId],
      [stranger, newId()],
    ] as const)
      for (const name of [...operations, 'read-note-versions', 'read-backlinks'])
        expect([name, await who.call(name, { id })]).toMatchObject([
          name,
          { status: 404, body: { error: 'Note not found' } },
        ])
    expect(await titles(stranger, { state: 'all' })).toEqual([[], 0])
    expect((await stranger.call('browse-folders')).body.folders).toEqual([])
    expect((await stranger.call('suggest-notes', { q: 'mine' })).body).toEqual({ notes: [], total: 0 })
    for (const name of ['browse-notes', 'browse-folders', 'suggest-notes'])
      expect((await stranger.call(name, { vaultId: person.user.vaultId })).status).toBe(404)
    expect(await stranger.call('browse-notes', { folderId })).toMatchObject({
      status: 404,
      body: { error: 'Folder not found' },
    })
  })
})
