import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

eachDialect('read-note and read-notes', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const agent = await startAgent(test())
    const create = async (over: object) =>
      String((await agent.call('create-note', { title: 'x', ...over })).body.noteId)
    return { ...agent, create }
  }

  it('return notes in the requested order, each once, and say which are missing', async () => {
    const agent = await start()
    const [a, b] = [await agent.create({ title: 'a' }), await agent.create({ title: 'b', folderPath: 'f' })]
    const x = newId()
    const { status, body } = await agent.call('read-notes', { noteIds: [b, x, a, b] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ notes: [{ noteId: b, title: 'b', folderPath: 'f' }, { noteId: a }], notFound: [x] })
    expect((body.notes as unknown[]).length).toBe(2)
  })

  it('return trashed notes, marked, and change nothing', async () => {
    const agent = await start()
    const noteId = await agent.create({ content: 'kept' })
    await agent.call('delete-note', { noteId })
    for (let read = 0; read < 2; read++)
      expect((await agent.call('read-note', { noteId })).body.note).toMatchObject({
        content: 'kept',
        status: 'trashed',
        trashedAt: clock.iso(),
        version: 2,
      })
  })

  it('return the same for a memory, a note of another vault or user, and an unknown id', async () => {
    const agent = await start()
    const other = await startAgent(test(), { user: await makeUser(test()) })
    const vaultId = await makeVault(test(), agent.user)
    const foreign = [
      newId(),
      await agent.write('a memory'),
      await agent.create({ vaultId }),
      String((await other.call('create-note', { title: 'theirs' })).body.noteId),
    ]
    for (const noteId of foreign) {
      for (const name of ['read-note', 'update-note', 'delete-note', 'move-note'])
        expect([name, (await agent.call(name, { noteId })).body]).toEqual([name, { error: 'Note not found' }])
      expect((await agent.call('read-notes', { noteIds: [noteId] })).body).toEqual({ notes: [], notFound: [noteId] })
    }
    const { body } = await agent.call('read-memories', { memoryIds: [await agent.create({})] })
    expect(body.memories).toEqual([])
  })

  it('report an outage if the database has lost a note that the index contains', async () => {
    const agent = await start()
    const noteId = await agent.create({})
    await test().app.services.db.write((tx) => tx.deleteFrom('notes').where('id', '=', noteId).execute())
    expect((await agent.call('read-note', { noteId })).status).toBe(503)
    expect((await agent.call('read-notes', { noteIds: [noteId] })).status).toBe(503)
  })

  it('accept 50 ids and reject 51', async () => {
    const agent = await start()
    const noteIds = Array.from({ length: 50 }, newId)
    expect((await agent.call('read-notes', { noteIds })).body.notFound).toEqual(noteIds)
    expect((await agent.call('read-notes', { noteIds: [...noteIds, newId()] })).status).toBe(400)
  })
})
