import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

const pathsIn = async (agent: TestAgent, over: object = {}) =>
  ((await agent.call('list-folders', { limit: 100, ...over })).body.folders as { path: string }[]).map(
    ({ path }) => path,
  )

eachDialect('folders', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('are created by name or path, with missing parents, and found the second time', async () => {
    const agent = await startAgent(test())
    const made = await agent.call('create-folder', { path: '/Projects//Holdfast/' })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      folderId: expect.any(String),
      id: made.body.folderId,
      vaultId: agent.user.vaultId,
      parentId: expect.any(String),
      name: 'Holdfast',
      path: 'Projects/Holdfast',
      noteCount: 0,
      version: 1,
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
      created: true,
    })
    for (const again of [
      { path: 'Projects/Holdfast' },
      { name: 'holdfast ', parentId: made.body.parentId },
      { path: 'PROJECTS', name: 'Ｈoldfast' },
    ]) {
      const { status, body } = await agent.call('create-folder', again)
      expect([status, body]).toEqual([200, { ...made.body, created: false }])
    }
    const sibling = await agent.call('create-folder', { name: 'Holdfast' })
    expect([sibling.status, sibling.body.parentId, sibling.body.path]).toEqual([201, null, 'Holdfast'])
    expect(await pathsIn(agent)).toEqual(['Holdfast', 'Projects', 'Projects/Holdfast'])
  })

  it('keep their name as it was sent', async () => {
    const agent = await startAgent(test())
    expect((await agent.call('create-folder', { name: ' A ' })).body).toMatchObject({ name: ' A ', path: ' A ' })
    expect((await agent.call('create-folder', { path: 'A' })).body).toMatchObject({ name: ' A ', created: false })
  })

  it('are created once by twenty concurrent calls', async () => {
    const agent = await startAgent(test())
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => agent.call('create-folder', { path: 'a/b', name: 'c' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.folderId)).size).toBe(1)
    expect(await pathsIn(agent)).toEqual(['a', 'a/b', 'a/b/c'])
  })

  it('are listed in tree order, with the live notes directly in them', async () => {
    const agent = await startAgent(test())
    for (const path of ['b', 'a10', 'a2/z/y', 'a2/x', 'Ä']) await agent.call('create-folder', { path })
    expect(await pathsIn(agent)).toEqual(['Ä', 'a2', 'a2/x', 'a2/z', 'a2/z/y', 'a10', 'b'])
    const { body } = await agent.call('create-note', { title: 'one', folderPath: 'a2/z' })
    await agent.call('create-note', { title: 'two', folderPath: 'a2/z' })
    await agent.call('delete-note', { noteId: body.noteId })
    const inside = await agent.call('list-folders', { limit: 2, offset: 2 })
    expect(inside.body).toMatchObject({
      folders: [
        { path: 'a2/x', noteCount: 0 },
        { path: 'a2/z', noteCount: 1 },
      ],
      total: 7,
      limit: 2,
      offset: 2,
      hasMore: true,
    })
    const parentId = (inside.body.folders as { parentId: string }[])[0]?.parentId
    expect(await pathsIn(agent, { parentId })).toEqual(['a2/x', 'a2/z', 'a2/z/y'])
    expect(await pathsIn(agent, { parentId, recursive: false })).toEqual(['a2/x', 'a2/z'])
    expect(await pathsIn(agent, { recursive: false })).toEqual(['Ä', 'a2', 'a10', 'b'])
  })

  it('belong to one vault, and are invisible in others', async () => {
    const agent = await startAgent(test())
    const vaultId = await makeVault(test(), agent.user)
    const { folderId } = (await agent.call('create-folder', { name: 'there', vaultId })).body
    expect(await pathsIn(agent)).toEqual([])
    for (const parentId of [folderId, newId()]) {
      const answers = [
        await agent.call('create-folder', { name: 'x', parentId }),
        await agent.call('list-folders', { parentId }),
        await agent.call('list-notes', { folderId: parentId }),
      ]
      for (const { status, body } of answers) expect([status, body]).toEqual([404, { error: 'Folder not found' }])
    }
    expect(await pathsIn(agent, { vaultId })).toEqual(['there'])
  })

  it.each([
    [{}, 'name'],
    [{ path: ' / ' }, 'name'],
    [{ name: 'a/b' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ path: 'x'.repeat(201) }, 'path'],
    [{ path: 'a/'.repeat(21) }, 'path'],
    [{ path: 'a/'.repeat(20), name: 'b' }, 'name'],
  ])('are rejected with the problem: %j', async (input, field) => {
    const agent = await startAgent(test())
    const { status, body } = await agent.call('create-folder', input)
    expect([status, Object.keys(body.fields as object)]).toEqual([400, [field]])
    expect(await pathsIn(agent)).toEqual([])
  })

  it('can be at most 20 levels deep, counted from the root', async () => {
    const agent = await startAgent(test())
    const { folderId } = (await agent.call('create-folder', { path: 'a/'.repeat(20) })).body
    const { status, body } = await agent.call('create-folder', { name: 'b', parentId: folderId })
    expect([status, Object.keys(body.fields as object)]).toEqual([400, ['name']])
  })

  it('can number at most 3,000 per vault', async () => {
    const agent = await startAgent(test())
    const { folderId } = (await agent.call('create-folder', { name: 'first' })).body
    const { db } = test().app.services
    const [first] = await db.read.selectFrom('folders').selectAll().where('id', '=', String(folderId)).execute()
    if (first === undefined) throw new Error('the folder was just made')
    // Rows that are only counted.
    const copies = Array.from({ length: 2998 }, () => ({ ...first, id: newId(), nameTag: Buffer.from(newId()) }))
    for (let at = 0; at < copies.length; at += 500)
      await db.write((tx) =>
        tx
          .insertInto('folders')
          .values(copies.slice(at, at + 500))
          .execute(),
      )
    const tooMany = await agent.call('create-note', { title: 'x', folderPath: 'two/more' })
    expect([tooMany.status, tooMany.body.fields]).toEqual([400, { folderPath: expect.stringContaining('3000') }])
    expect((await agent.call('create-folder', { name: 'last' })).status).toBe(201)
    expect((await agent.call('create-folder', { name: 'beyond' })).status).toBe(400)
    expect((await agent.call('create-folder', { name: 'last' })).status).toBe(200)
  })

  it('keep their names encrypted', async () => {
    const agent = await startAgent(test())
    await agent.call('create-folder', { name: 'planted-name' })
    const { db } = test().app.services
    const [row] = await db.read.selectFrom('folders').selectAll().where('vaultId', '=', agent.user.vaultId).execute()
    expect(JSON.stringify([Buffer.from(row?.name ?? []).toString(), row?.nameTag])).not.toContain('planted')
  })
})

eachDialect('move-note', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('moves by id, by path, and to the root, and returns the former folder', async () => {
    const agent = await startAgent(test())
    const { folderId } = (await agent.call('create-folder', { path: 'a/b' })).body
    const { noteId } = (await agent.call('create-note', { title: 'x' })).body
    clock.advance(1000)
    const move = async (to: object) => (await agent.call('move-note', { noteId, ...to })).body
    const place = { noteId, vaultId: agent.user.vaultId }
    const inB = { ...place, folderId, folderPath: 'a/b', version: 2 }
    expect(await move({ folderId })).toEqual({ ...inB, moved: true })
    expect(await move({ folderPath: 'A/B' })).toEqual({ ...inB, moved: false })
    expect(await move({})).toEqual({ ...inB, moved: false })
    expect((await agent.call('read-note', { noteId })).body.note).toMatchObject({ folderId, updatedAt: clock.iso() })
    const inC = await move({ folderPath: 'c' })
    expect(inC).toMatchObject({ moved: true, folderPath: 'c', version: 3 })
    const atRoot = { ...place, folderId: null, folderPath: null, version: 4 }
    expect(await move({ folderId: null })).toEqual({ ...atRoot, moved: true })
    expect(await move({ folderPath: '/' })).toEqual({ ...atRoot, moved: false })
    expect(await pathsIn(agent)).toEqual(['a', 'a/b', 'c'])
  })

  it('rejects two destinations at once, and folders of another vault', async () => {
    const agent = await startAgent(test())
    const vaultId = await makeVault(test(), agent.user)
    const there = (await agent.call('create-folder', { name: 'x', vaultId })).body.folderId
    const { noteId } = (await agent.call('create-note', { title: 'x' })).body
    const both = await agent.call('move-note', { noteId, folderId: there, folderPath: 'x' })
    expect([both.status, Object.keys(both.body.fields as object)]).toEqual([400, ['folderPath']])
    const away = await agent.call('move-note', { noteId, folderId: there })
    expect([away.status, away.body]).toEqual([404, { error: 'Folder not found' }])
    expect((await agent.call('read-note', { noteId })).body.note).toMatchObject({ folderId: null, version: 1 })
  })
})
