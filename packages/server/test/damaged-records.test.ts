import { expect, it } from 'vitest'
import { link } from '../src/graph/testing/link-memories.ts'
import { asSealed, type Sealed } from '../src/crypto/cell.ts'
import { useTestApp } from './app.ts'
import { eachDialect } from './dialects.ts'
import { connectHttp } from './mcp/connect.ts'
import { makePerson } from './person.ts'
import { startAgent } from './scenarios.ts'

/** Which byte of a cell is changed: one of the number of its key, or one of the text. */
const damages = { generation: 2, text: -1 }

function damage(cell: Sealed, at: number): Sealed {
  const bytes = Buffer.from(cell)
  const offset = at < 0 ? bytes.length + at : at
  bytes[offset] = (bytes[offset] ?? 0) ^ 1
  return asSealed(bytes)
}

eachDialect('a damaged record', (dialect) => {
  const test = useTestApp({ dialect })

  /** A memory, a task and a note that are damaged, each next to an intact one. */
  async function start(at: number) {
    const person = await makePerson(test())
    const { vaultId } = person.user
    const agent = await startAgent(test(), { user: person.user, preset: 'admin', agentId: 'ada' })
    const intact = await agent.write('The ferry leaves at noon.')
    const memoryId = await agent.write('The ferry leaves from the violet pier.')
    const make = async (name: string, body: object) => (await agent.call(name, body)).body as Record<string, string>
    await make('create-task', { title: 'Paint the ferry blue' })
    const { taskId = '' } = await make('create-task', { title: 'Paint the violet pier' })
    await make('create-note', { title: 'Ferries', content: 'They are blue.' })
    const { noteId = '' } = await make('create-note', { title: 'Piers', content: 'One is violet.' })
    const { db } = test().app.services
    await db.write(async (tx) => {
      const memory = tx.selectFrom('memories').select(['head', 'body']).where('id', '=', memoryId)
      const { body } = await memory.executeTakeFirstOrThrow()
      await tx
        .updateTable('memories')
        .set({ body: damage(body, at) })
        .where('id', '=', memoryId)
        .execute()
      const task = tx.selectFrom('memories').select('head').where('id', '=', taskId)
      const { head } = await task.executeTakeFirstOrThrow()
      await tx
        .updateTable('memories')
        .set({ head: damage(head, at) })
        .where('id', '=', taskId)
        .execute()
      const note = await tx.selectFrom('notes').select('head').where('id', '=', noteId).executeTakeFirstOrThrow()
      await tx
        .updateTable('notes')
        .set({ head: damage(note.head, at) })
        .where('id', '=', noteId)
        .execute()
    })
    return { person, agent, vaultId, intact, memoryId, taskId, noteId }
  }

  it.each(Object.entries(damages))(
    'is refused as damaged, with its id, and can only be deleted (%s)',
    async (_, at) => {
      const { person, agent, memoryId, taskId, noteId } = await start(at)
      const refused = async (name: string, body: Record<string, unknown>, id = memoryId) => {
        const { status, body: answer } = await agent.call(name, body)
        const kind = id === noteId ? 'note' : 'memory'
        const error = `Temporarily unavailable: ${kind} ${id} is damaged; delete it permanently, or restore a backup`
        expect([name, status, answer.error]).toEqual([name, 503, error])
      }
      await refused('read-memories', { memoryIds: [memoryId] })
      await refused('update-memory', { memoryId, content: 'The ferry leaves from the green pier.' })
      await refused('archive-memory', { memoryId })
      await refused('update-task', { taskId, status: 'done' }, taskId)
      await refused('archive-memory', { memoryId: taskId }, taskId)
      await refused('read-note', { noteId }, noteId)
      await refused('update-note', { noteId, content: 'One is green.' }, noteId)
      await refused('delete-note', { noteId }, noteId)
      for (const id of [memoryId, taskId]) expect((await person.call('erase-memory', { id })).status).toBe(200)
      expect((await person.call('erase-note', { noteId })).status).toBe(200)
    },
  )

  it.each(Object.entries(damages))('is left out of lists and searches, which name it (%s)', async (_, at) => {
    const { person, agent, vaultId, intact, memoryId, taskId, noteId } = await start(at)
    const listed = (await person.call('list-memories', { type: 'fact' })).body
    expect(listed).toMatchObject({ memories: [{ memoryId: intact }], leftOut: { damagedIds: [memoryId] }, total: 2 })
    const tasks = (await agent.call('list-tasks')).body
    expect(tasks).toMatchObject({ tasks: [{ title: 'Paint the ferry blue' }], leftOut: { damagedIds: [taskId] } })
    for (const q of [undefined, 'violet']) {
      const { status, body } = await person.call('list-notes', { q })
      expect([q, status, body.leftOut]).toEqual([q, 200, { damagedIds: [noteId] }])
    }
    expect((await agent.call('search-notes', { query: 'violet' })).body).toMatchObject({
      notes: [],
      leftOut: { damagedIds: [noteId] },
    })
    const names = (id: string) => expect.objectContaining({ reason: expect.stringContaining(id) }) as unknown
    const found = (await agent.call('search-memories', { query: 'ferry violet pier' })).body
    expect(found.degraded).toContainEqual(names(memoryId))
    expect(JSON.stringify(found.memories)).toContain(intact)
    expect((await agent.call('search-and-read', { query: 'violet' })).body.degraded).toContainEqual(names(noteId))
    const session = (await agent.call('session-start', { vaultId, peek: true })).body
    expect(session.degraded).toEqual([names(memoryId)])
    expect(JSON.stringify(session.degraded)).toContain(taskId)
    expect(JSON.stringify(session)).toContain('The ferry leaves at noon.')
    await agent.write('The ferry leaves from the violet pier!')
  })

  it('is named by all other lists that leave it out', async () => {
    const { person, agent, noteId } = await start(damages.text)
    const agentRunId = 'night-shift'
    const memoryId = await agent.write({ content: 'The crane is red.', confidence: 1, agentRunId })
    const successor = await agent.write({ content: 'The crane is green.', agentRunId, confidence: 1 })
    await link(agent, successor, memoryId)
    const replaced = await agent.write({ content: 'The gate is open.' })
    const last = await agent.write({ content: 'The gate is shut.', supersededById: replaced })
    const { noteId: named = '' } = (await agent.call('create-note', { title: 'One is violet' })).body as Record<
      string,
      string
    >
    const { db } = test().app.services
    for (const id of [memoryId, replaced])
      await db.write(async (tx) => {
        const { body } = await tx.selectFrom('memories').select('body').where('id', '=', id).executeTakeFirstOrThrow()
        await tx
          .updateTable('memories')
          .set({ body: damage(body, -1) })
          .where('id', '=', id)
          .execute()
      })
    const leftOut = (...damagedIds: string[]) => ({ leftOut: { damagedIds } })
    expect((await agent.call('get-related-memories', { memoryId: successor })).body).toMatchObject(leftOut(memoryId))
    expect((await person.call('read-memory-history', { id: last })).body).toMatchObject(leftOut(replaced))
    const { runs } = (await person.call('list-runs')).body as { runs: { id: string }[] }
    expect((await person.call('list-runs', { id: runs[0]?.id })).body).toMatchObject(leftOut(memoryId))
    expect((await person.call('list-review', { kind: 'unsure' })).body).toMatchObject(leftOut(memoryId))
    expect((await person.call('read-mentions', { id: named })).body).toMatchObject(leftOut(noteId))
    const { degraded } = (await person.call('preview-search', { query: 'violet', kinds: ['note'] })).body
    expect(JSON.stringify(degraded)).toContain(noteId)
  })

  it('is named by the MCP tools that leave it out, with what to do', async () => {
    const { agent, memoryId, taskId, noteId } = await start(damages.text)
    const url = await test().app.listen()
    const { say } = await connectHttp({ url, key: agent.key, query: '?tools=core,full' })
    const saying = (id: string) =>
      new RegExp(`^incomplete: .*damaged: ${id}\\. Ask the user to run: holdfast doctor$`, 'm')
    expect(await say('list_tasks')).toMatch(saying(taskId))
    expect(await say('list_notes')).toMatch(saying(noteId))
    expect(await say('search_memories', { query: 'ferry violet pier', in: 'memories' })).toMatch(
      new RegExp(`^incomplete: .*${memoryId}.*holdfast doctor$`, 'm'),
    )
    expect(await say('search_memories', { query: 'violet', in: 'notes' })).toMatch(saying(noteId))
  })

  it('does not hide the notes next to it if it is a folder, and a new name repairs it', async () => {
    const { person, agent, noteId } = await start(damages.text)
    const { folderId = '' } = (await agent.call('create-folder', { name: 'Harbor' })).body as Record<string, string>
    await agent.call('create-note', { title: 'Cranes', content: 'They are red.', folderId })
    const { db } = test().app.services
    await db.write(async (tx) => {
      const folder = tx.selectFrom('folders').select('name').where('id', '=', folderId)
      const name = damage((await folder.executeTakeFirstOrThrow()).name, damages.text)
      await tx.updateTable('folders').set({ name }).where('id', '=', folderId).execute()
    })
    const { body } = await agent.call('list-notes')
    expect(body).toMatchObject({ leftOut: { damagedIds: [noteId] }, total: 3 })
    expect(JSON.stringify(body.notes)).toContain('Cranes')
    const foldersOf = async () => (await agent.call('list-folders')).body.folders
    expect(await foldersOf()).toMatchObject([{ folderId, name: `Damaged ${folderId.slice(-12)}` }])
    await person.call('update-folder', { folderId, name: 'Harbor' })
    expect(await foldersOf()).toMatchObject([{ folderId, name: 'Harbor' }])
  })

  it('does not hide the messages next to it if it is one, says so, and can be deleted', async () => {
    const { person, agent } = await start(damages.text)
    const send = async (content: string) =>
      String((await agent.call('send-message', { targetId: 'user', content })).body['messageId'])
    const [messageId] = [await send('The ferry is late.'), await send('The ferry is here.')]
    const { db } = test().app.services
    await db.write(async (tx) => {
      const message = tx.selectFrom('messages').select('body').where('id', '=', messageId)
      const body = damage((await message.executeTakeFirstOrThrow()).body, damages.text)
      await tx.updateTable('messages').set({ body }).where('id', '=', messageId).execute()
    })
    const inboxOf = async () => (await person.call('read-messages')).body.messages
    const others = expect.objectContaining({ content: 'The ferry is here.' }) as unknown
    const damaged = expect.objectContaining({ messageId, content: expect.stringContaining('is damaged') }) as unknown
    expect(await inboxOf()).toEqual([others, damaged])
    expect((await person.call('erase-message', { id: messageId })).status).toBe(200)
    expect(await inboxOf()).toEqual([others])
  })
})
