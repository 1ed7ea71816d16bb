import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { newId } from '../core/ids.ts'
import { maxNamers } from './link-notes.ts'
import { startNotes } from './testing/start-notes.ts'

eachDialect('links by title', (dialect) => {
  const test = useTestApp({ dialect })
  const start = () => startNotes(test())

  it('follow the text: created when it names a title, removed when it no longer does', async () => {
    const agent = await start()
    const [a, b] = [await agent.create('A'), await agent.create('B')]
    const source = await agent.create('Source', '[[A]]')
    expect(await agent.targets(source)).toEqual([a])
    expect(await agent.update(source, { content: '[[A]] [[B]] [[a|again]]' })).toMatchObject({
      links: [
        { noteId: a, title: 'A' },
        { noteId: b, title: 'B' },
      ],
    })
    const [, toB] = await agent.linkedFrom(source)
    await agent.update(source, { content: '[[B]]' })
    expect(await agent.targets(source)).toEqual([b])
    expect(await agent.linkedFrom(source)).toEqual([toB])
    await agent.update(source, { edits: [{ find: '[[B]]', replace: '`[[B]]`' }] })
    expect(await agent.targets(source)).toEqual([])
  })

  it('resolve when a note with the title is created, renamed to it, or restored', async () => {
    const agent = await start()
    const source = await agent.create('Source', '[[Later]]')
    const later = await agent.create('later ')
    expect(await agent.targets(source)).toEqual([later])
    await agent.call('delete-note', { noteId: later })
    expect(await agent.targets(source)).toEqual([])
    expect(await agent.update(source, { tags: ['x'] })).toMatchObject({ links: [], unresolvedLinks: ['Later'] })
    await agent.update(later, { trashed: false })
    expect(await agent.targets(source)).toEqual([later])
    await agent.call('delete-note', { noteId: later })
    const other = await agent.create('Other')
    await agent.update(other, { title: 'LATER' })
    expect(await agent.targets(source)).toEqual([other])
  })

  it('lead to the oldest live note of a title', async () => {
    const agent = await start()
    const [first, second] = [await agent.create('Same'), await agent.create('same')]
    const source = await agent.create('Source', '[[Same]]')
    expect(await agent.targets(source)).toEqual([first])
    await agent.call('delete-note', { noteId: first })
    expect(await agent.targets(source)).toEqual([second])
    await agent.update(first, { trashed: false })
    expect(await agent.targets(source)).toEqual([first])
    expect(await agent.targets(second)).toEqual([])
  })

  it('lead to a note with a smaller id that was written later, as by a server whose clock is behind', async () => {
    const agent = await start()
    const holder = await agent.create('Same')
    const source = await agent.create('Source', '[[Same]]')
    const { db } = test().app.services
    const later = holder.replace(/^./, 'f')
    await db.write((tx) => tx.updateTable('notes').set({ id: later }).where('id', '=', holder).execute())
    await db.write((tx) => tx.updateTable('links').set({ targetId: later }).where('targetId', '=', holder).execute())
    const earlier = await agent.create('same')
    expect(earlier < later).toBe(true)
    expect(await agent.targets(source)).toEqual([earlier])
  })

  it('never lead from a note to itself, nor into another vault', async () => {
    const agent = await start()
    const vaultId = await makeVault(test(), agent.user)
    await agent.create('There', '', { vaultId })
    const { body } = await agent.call('create-note', { title: 'Me', content: '[[Me]] [[There]]' })
    expect(body).toMatchObject({ links: [], unresolvedLinks: ['There'] })
    expect(await agent.targets(String(body.noteId))).toEqual([])
  })

  it('are rewritten when their note is renamed, each text as a new version that search knows', async () => {
    const agent = await start()
    const noteId = await agent.create('Old', 'about itself: [[Old#Part]]')
    const source = await agent.create('Source', 'see [[old|this]] and [[Old#Part]], `[[Old]]`, [[Else]]')
    const bystander = await agent.create('Bystander', 'Old')
    const trashed = await agent.create('Trashed', '[[Old]]')
    await agent.call('delete-note', { noteId: trashed })
    const before = await agent.linkedFrom(source)
    expect(await agent.update(noteId, { title: 'Brand new' })).toMatchObject({ version: 2 })
    expect(await agent.note(source)).toMatchObject({
      content: 'see [[Brand new|this]] and [[Brand new#Part]], `[[Old]]`, [[Else]]',
      version: 2,
    })
    expect(await agent.note(noteId)).toMatchObject({ content: 'about itself: [[Brand new#Part]]' })
    expect(before).toMatchObject([{ targetId: noteId, origin: 'wiki', relationType: 'wiki_link' }])
    expect(await agent.linkedFrom(source)).toEqual(before)
    for (const untouched of [bystander, trashed]) expect((await agent.note(untouched)).content).toContain('Old')
    const { db } = test().app.services
    const entries = await db.read
      .selectFrom('indexEntries')
      .select(['itemId', 'revision'])
      .where('vaultId', '=', agent.user.vaultId)
      .execute()
    expect(new Map(entries.map(({ itemId, revision }) => [itemId, revision]))).toEqual(
      new Map([
        [noteId, 2],
        [source, 2],
        [bystander, 1],
        [trashed, 1],
      ]),
    )
  })

  it('don’t change if only letter case or spaces of the title change', async () => {
    const agent = await start()
    const noteId = await agent.create('My note')
    const source = await agent.create('Source', '[[My note]]')
    await agent.update(noteId, { title: 'MY  note' })
    expect(await agent.note(source)).toMatchObject({ content: '[[My note]]', version: 1 })
    expect(await agent.targets(source)).toEqual([noteId])
  })

  it('don’t change if the renamed note is not the one that they lead to', async () => {
    const agent = await start()
    const [first, second] = [await agent.create('Same'), await agent.create('Same')]
    const source = await agent.create('Source', '[[Same]]')
    await agent.update(second, { title: 'Different' })
    expect(await agent.note(source)).toMatchObject({ content: '[[Same]]', version: 1 })
    expect(await agent.targets(source)).toEqual([first])
  })

  it('lead to the older note if a note is renamed to the same title', async () => {
    const agent = await start()
    const [older, newer] = [await agent.create('Older'), await agent.create('Newer')]
    const [a, b] = [await agent.create('A', '[[Older]]'), await agent.create('B', '[[Newer]]')]
    await agent.update(newer, { title: 'Older' })
    expect((await agent.note(b)).content).toBe('[[Older]]')
    expect([await agent.targets(a), await agent.targets(b)]).toEqual([[older], [older]])
    await agent.update(older, { title: 'Elsewhere' })
    expect([await agent.targets(a), await agent.targets(b)]).toEqual([[older], [older]])
    expect((await agent.note(a)).content).toBe('[[Elsewhere]]')
  })

  it('follow the text that a rename also changes', async () => {
    const agent = await start()
    const noteId = await agent.create('Old')
    const other = await agent.create('Other', '[[Old]]')
    const answer = await agent.update(noteId, { title: 'New', content: '[[Old]] [[Other]] [[New]]' })
    expect(answer).toMatchObject({ links: [{ noteId: other, title: 'Other' }], unresolvedLinks: ['Old'] })
    expect(await agent.targets(other)).toEqual([noteId])
  })

  it('keep a link that an agent created, whatever the text says', async () => {
    const agent = await start()
    const [target, source] = [await agent.create('Target'), await agent.create('Source')]
    const ends = { sourceType: 'note', sourceId: source, targetType: 'note', targetId: target }
    const made = await agent.call('add-link', { ...ends, relationType: 'wiki_link' })
    await agent.update(source, { content: '[[Target]]' })
    await agent.update(source, { content: 'nothing' })
    await agent.call('delete-note', { noteId: target })
    await agent.update(target, { trashed: false })
    expect(await agent.linkedFrom(source)).toMatchObject([{ id: made.body.linkId, origin: 'agent' }])
  })

  it('lead to a memory by its id, as long as the text contains it and the memory exists', async () => {
    const agent = await start()
    const remember = async (content: string, over: object = {}) =>
      String((await agent.call('write-memory', { content, ...over })).body.memoryId)
    const [a, b] = [await remember('Ferns like shade.'), await remember('Moss grows on the north side.')]
    const elsewhere = await remember('Elsewhere', { vaultId: await makeVault(test(), agent.user) })
    const source = await agent.create('Source', `[[memory:${a}|ferns]] \`[[memory:${b}]]\` [[Source]]`)
    expect(await agent.linkedFrom(source)).toMatchObject([{ targetId: a, origin: 'wiki', relationType: 'wiki_link' }])
    expect(
      await agent.update(source, { content: `[[memory:${a}]] [[MEMORY:${b}|m]] [[memory:${elsewhere}]]` }),
    ).toMatchObject({
      links: [],
      unresolvedLinks: [`memory:${elsewhere}`],
    })
    expect(await agent.targets(source)).toEqual([a, b].toSorted())
    expect((await agent.call('get-links', { nodeId: a, nodeType: 'memory' })).body).toMatchObject({
      links: [{ sourceId: source, targetId: a, targetType: 'memory' }],
    })
    await agent.call('archive-memory', { memoryId: a })
    expect((await agent.update(source, { tags: ['x'] })).unresolvedLinks).toEqual([`memory:${elsewhere}`])
    await agent.call('delete-note', { noteId: source })
    expect(await agent.targets(source)).toEqual([])
    await agent.update(source, { trashed: false })
    expect(await agent.targets(source)).toEqual([a, b].toSorted())
    await agent.update(source, { content: 'nothing' })
    expect(await agent.targets(source)).toEqual([])
  })

  it('lead to a memory rather than to a note with the memory’s id as title', async () => {
    const agent = await start()
    const memoryId = String((await agent.call('write-memory', { content: 'Ferns like shade.' })).body.memoryId)
    const source = await agent.create('Source', `[[memory:${memoryId}]]`)
    const impostor = await agent.create(`memory:${memoryId}`)
    expect(await agent.targets(source)).toEqual([memoryId])
    await agent.update(impostor, { title: 'Other' })
    await agent.update(impostor, { title: `Memory:${memoryId}` })
    expect((await agent.note(source)).content).toBe(`[[memory:${memoryId}]]`)
    expect(await agent.targets(source)).toEqual([memoryId])
    const ends = { sourceType: 'note', sourceId: source, targetType: 'memory', targetId: memoryId }
    await agent.update(source, { content: 'nothing' })
    const made = await agent.call('add-link', { ...ends, relationType: 'wiki_link' })
    await agent.update(source, { content: `[[memory:${memoryId}|it]]` })
    expect((await agent.call('remove-link', { linkId: made.body.linkId })).status).toBe(200)
    expect(await agent.linkedFrom(source)).toMatchObject([{ targetId: memoryId, origin: 'wiki' }])
  })

  it('stay if the text contains them when an equal link, created by hand, is removed', async () => {
    const agent = await start()
    const [target, source] = [await agent.create('Target'), await agent.create('Source')]
    const ends = { sourceType: 'note', sourceId: source, targetType: 'note', targetId: target }
    const make = async () => (await agent.call('add-link', { ...ends, relationType: 'wiki_link' })).body.linkId
    const remove = async (linkId: unknown) => (await agent.call('remove-link', { linkId })).status
    const made = await make()
    await agent.update(source, { content: '[[Target]]' })
    expect(await remove(made)).toBe(200)
    const [links, ...others] = await agent.linkedFrom(source)
    expect([links, others]).toMatchObject([{ targetId: target, origin: 'wiki' }, []])
    expect(await remove(links?.id)).toBe(400)
    await agent.update(source, { content: 'nothing' })
    expect(await agent.targets(source)).toEqual([])
    expect([await remove(await make()), await agent.targets(source)]).toEqual([200, []])
  })

  it('survive two concurrent renames: one title after the other, never half', async () => {
    const agent = await start()
    const noteId = await agent.create('Zero')
    const sources = await Promise.all(Array.from({ length: 5 }, (_, n) => agent.create(`S${n}`, 'x [[Zero]]')))
    const titles = Array.from({ length: 6 }, (_, n) => `Title ${n}`)
    await Promise.all([
      ...titles.map((title) => agent.update(noteId, { title })),
      ...sources.map((source) => agent.update(source, { content: ' and more', mode: 'append' })),
      agent.create('Another', '[[Zero]]'),
    ])
    const { title, version } = (await agent.note(noteId)) as unknown as { title: string; version: number }
    expect(titles).toContain(title)
    expect(version).toBe(7)
    for (const source of sources) {
      expect((await agent.note(source)).content).toBe(`x [[${title}]] and more`)
      expect(await agent.targets(source)).toEqual([noteId])
    }
  })
})

describe('a title that very many notes link to', () => {
  const test = useTestApp()

  it('cannot be taken, and the attempt leaves nothing behind', async () => {
    const agent = await startNotes(test())
    const first = await agent.create('First', '[[Hub]]')
    const { db } = test().app.services
    const [note] = await db.read.selectFrom('notes').selectAll().where('id', '=', first).execute()
    const [target] = await db.read.selectFrom('wikiTargets').selectAll().where('noteId', '=', first).execute()
    if (note === undefined || target === undefined) throw new Error('the note was just made')
    // Copies of rows that are never decrypted: 5,000 calls would take half a minute.
    const ids = Array.from({ length: maxNamers }, newId)
    for (let at = 0; at < ids.length; at += 500)
      await db.write(async (tx) => {
        const some = ids.slice(at, at + 500)
        await tx
          .insertInto('notes')
          .values(some.map((id) => ({ ...note, id })))
          .execute()
        await tx
          .insertInto('wikiTargets')
          .values(some.map((noteId) => ({ ...target, noteId })))
          .execute()
      })
    const { status, body } = await agent.call('create-note', { title: 'hub' })
    expect([status, body.fields]).toEqual([400, { title: expect.stringContaining('5000') }])
    const { vaultId } = agent.user
    const left = await db.read.selectFrom('notes').select('id').where('vaultId', '=', vaultId).execute()
    expect(left).toHaveLength(maxNamers + 1)
    await db.write((tx) =>
      tx
        .deleteFrom('wikiTargets')
        .where('noteId', '=', ids[0] ?? '')
        .execute(),
    )
    const hub = await agent.create('hub')
    expect((await agent.note(hub)) as object).toMatchObject({ links: { in: maxNamers } })
  })
})
