import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault, watchRecords } from '../../test/factories.ts'
import { makePerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { memoryTypes } from '../memories/memory.ts'
import { memoryEventTypes } from './event.ts'

eachDialect('events of memories, tasks and notes', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  /** A person with an agent, and what was queued since the last look, as `event id`. */
  const start = async (over: Parameters<typeof watchRecords>[2] = {}) => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, agentId: 'ada', preset: 'admin' })
    const list = await watchRecords(test(), person.user, over)
    let seen = 0
    const news = async () => {
      const events = (await list()).slice(seen)
      seen += events.length
      return events.map(({ event, recordId }) => `${event} ${recordId}`)
    }
    const call = async (name: string, input: Record<string, unknown>, by: 'agent' | 'person' = 'agent') => {
      clock.advance(1000)
      const { status, body, text } = await (by === 'agent' ? agent : person).call(name, input)
      expect(status, text).toBeLessThan(300)
      return body
    }
    return { person, agent, list, news, call }
  }

  it('carry ids and a time, and nothing of the content', async () => {
    const { person, agent, list } = await start()
    const id = await agent.write({ content: 'Violets want shade.', summary: 'Violets' })
    const body = `{"event":"memory.created","memoryId":"${id}","vaultId":"${person.user.vaultId}","userId":"${person.user.userId}","timestamp":"${clock.iso()}"}`
    expect(await list()).toEqual([{ event: 'memory.created', recordId: id, body }])
  })

  it('follow a memory from its creation to its deletion', async () => {
    const { agent, call, news } = await start()
    const memoryId = await agent.write('Violets want shade.')
    expect(await news()).toEqual([`memory.created ${memoryId}`])
    await agent.search('violets')
    await agent.read(memoryId)
    await call('update-memory', { memoryId, content: 'Violets want shade.' })
    expect(await news()).toEqual([])
    await call('update-memory', { memoryId, content: 'Violets want sun.' })
    await call('archive-memory', { memoryId })
    await call('archive-memory', { memoryId })
    await call('update-memories', { ids: [memoryId], archived: false }, 'person')
    await call('update-memories', { ids: [memoryId], importance: 5 }, 'person')
    await call('archive-memories', { ids: [memoryId] }, 'person')
    await call('erase-memory', { id: memoryId }, 'person')
    expect(await news()).toEqual(
      ['updated', 'archived', 'updated', 'updated', 'archived', 'deleted'].map((what) => `memory.${what} ${memoryId}`),
    )
  })

  it('follow a task, and say when it is done', async () => {
    const { call, news } = await start()
    const { taskId } = await call('create-task', { title: 'Cut the trees' })
    await call('update-task', { taskId, status: 'in_progress' })
    await call('update-task', { taskId, status: 'done' })
    await call('update-task', { taskId, comment: 'All of them', priority: 5 })
    await call('archive-memory', { memoryId: taskId })
    await call('erase-memory', { id: taskId }, 'person')
    expect(await news()).toEqual(
      ['created', 'updated', 'completed', 'updated', 'archived', 'deleted'].map(
        (what) => `task.${what} ${String(taskId)}`,
      ),
    )
  })

  it('follow a note, and the notes whose links its new title changes', async () => {
    const { call, news } = await start()
    const { noteId } = await call('create-note', { title: 'Beds' })
    const { noteId: other } = await call('create-note', { title: 'Garden', content: 'See [[Beds]].' })
    await news()
    await call('update-note', { noteId, title: 'Flower beds' })
    expect((await news()).toSorted()).toEqual([`note.updated ${String(noteId)}`, `note.updated ${String(other)}`])
    await call('move-note', { noteId, folderPath: 'Plants' })
    await call('delete-note', { noteId })
    await call('restore-note', { id: noteId }, 'person')
    await call('delete-note', { noteId })
    await call('erase-note', { id: noteId }, 'person')
    expect(await news()).toEqual(
      ['updated', 'trashed', 'updated', 'trashed', 'deleted'].map((what) => `note.${what} ${String(noteId)}`),
    )
  })

  it('name each record of a change of several', async () => {
    const { agent, call, news } = await start()
    const [kept, other, third] = [
      await agent.write('Violets want shade.'),
      await agent.write('Violets like shade.'),
      await agent.write({ content: 'Hm.', importance: 1, confidence: 1 }),
    ]
    await news()
    await call('merge-memories', { id: kept, otherIds: [other] }, 'person')
    expect(new Set(await news())).toEqual(new Set([`memory.updated ${kept}`, `memory.updated ${other}`]))
    await call('cleanup-memories', { maxImportance: 1, dryRun: false })
    expect(await news()).toEqual([`memory.archived ${third}`])
    const memories = [{ content: 'Roses are red.' }, { content: 'Cats purr.' }]
    const saved = await call('context-checkpoint', { memories, sessionSummary: 'Of flowers and cats.' })
    const ids = [...(saved.results as { memoryId: string }[]).map(({ memoryId }) => memoryId), saved.summaryMemoryId]
    expect((await news()).toSorted()).toEqual(ids.map((id) => `memory.created ${String(id)}`).toSorted())
  })

  it('tell what undoing a run takes back', async () => {
    const { person, agent, call, news } = await start()
    const old = await agent.write('Violets want shade.')
    const agentRunId = 'bad day'
    const wrong = await agent.write({ content: 'Violets want sun.', supersededById: old, agentRunId })
    const { noteId } = await call('create-note', { title: 'Sun', agentRunId })
    await news()
    const { body } = await person.call('list-runs')
    await call('revert-run', { id: (body.runs as { id: string }[])[0]?.id }, 'person')
    expect((await news()).toSorted()).toEqual(
      [`memory.archived ${wrong}`, `memory.updated ${old}`, `note.trashed ${String(noteId)}`].toSorted(),
    )
  })

  it('are not sent for imports, nor for undoing them', async () => {
    const { call, news } = await start()
    const importId = newId()
    const records = [
      { kind: 'memory', content: 'Violets are blue.' },
      { kind: 'note', title: 'Beds' },
    ]
    await call('import-records', { importId, records }, 'person')
    expect(await call('revert-import', { importId }, 'person')).toMatchObject({ archived: 1, trashed: 1 })
    expect(await news()).toEqual([])
  })

  it('go only to webhooks of the vault, also when a memory moves there', async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const vaultId = await makeVault(test(), person.user)
    const inVault = await watchRecords(test(), person.user, { vaultId })
    const memoryId = await agent.write('Violets want shade.')
    expect(await inVault()).toEqual([])
    await person.call('move-memories', { ids: [memoryId], targetVaultId: vaultId })
    const moved = await inVault()
    expect(moved).toMatchObject([{ event: 'memory.updated', recordId: memoryId }])
    expect(JSON.parse(moved[0]?.body ?? '')).toMatchObject({ vaultId })
  })

  it('can be limited to some events and types of memories', async () => {
    const { agent, call, news } = await start({ filters: { memoryTypes: ['constraint', 'correction'] } })
    await agent.write('Violets want shade.')
    const id = await agent.write({ content: 'Never water violets at noon.', memoryType: 'constraint' })
    const { taskId } = await call('create-task', { title: 'Water the violets' })
    expect(await news()).toEqual([`memory.created ${id}`, `task.created ${String(taskId)}`])
    const done = await start({ events: ['task.completed'] })
    const task = await done.call('create-task', { title: 'Water the violets' })
    await done.call('update-task', { taskId: task.taskId, status: 'done' })
    expect(await done.news()).toEqual([`task.completed ${String(task.taskId)}`])
  })

  it('are not queued if the change fails', async () => {
    const { agent, news } = await start()
    const refused = await agent.call('write-memory', { content: 'New.', supersededById: newId() })
    expect([refused.status, await news()]).toEqual([404, []])
  })
})

it('can be limited to each type of memory, except tasks, which have events of their own', () => {
  expect(memoryTypes.filter((type) => type !== 'task')).toEqual([...memoryEventTypes])
})
