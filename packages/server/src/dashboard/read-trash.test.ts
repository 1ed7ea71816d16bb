import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson } from '../../test/person.ts'
import { startAgent } from '../../test/scenarios.ts'

eachDialect('archived and trashed records', (dialect) => {
  const test = useTestApp({ dialect })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, preset: 'admin' })
    const made = async (name: string, body: Record<string, unknown>) => (await agent.call(name, body)).body
    const trash = async () => (await person.call('read-trash')).body.trash
    return { person, agent, made, trash }
  }

  it('are counted by kind, with the number of days that the vault keeps them', async () => {
    const { person, agent, made, trash } = await start()
    expect(await trash()).toEqual({ memories: 0, tasks: 0, notes: 0, archivedDays: null })
    await agent.write('Violets want shade.')
    await agent.call('archive-memory', { memoryId: await agent.write('Roses in June.') })
    const { taskId } = await made('create-task', { title: 'Cut the hedge' })
    await person.call('archive-memories', { ids: [taskId] })
    await made('create-note', { title: 'Shade' })
    await agent.call('delete-note', { noteId: (await made('create-note', { title: 'Sun' })).noteId })
    await agent.call('update-settings', { vaultId: person.user.vaultId, settings: { retention: { archivedDays: 90 } } })
    expect(await trash()).toEqual({ memories: 1, tasks: 1, notes: 1, archivedDays: 90 })
  })

  it('are kept as long as the owner sets, and the answer says how many are older', async () => {
    const { person, agent, trash } = await start()
    const set = (archivedDays: unknown) => person.call('update-settings', { settings: { retention: { archivedDays } } })
    await agent.call('archive-memory', { memoryId: await agent.write('Roses in June.') })
    expect(await set(30)).toMatchObject({ status: 200, body: { settings: { retention: { archivedDays: 30 } } } })
    expect(await trash()).toMatchObject({ archivedDays: 30 })
    expect((await person.call('read-trash', { olderThanDays: '30' })).body.trash).toMatchObject({ due: 0 })
    const settings = await agent.call('get-settings', {})
    expect(settings.body.settings).toMatchObject({ retention: { archivedDays: 30, turnsDays: null } })
    for (const wrong of [0, 3651, 1.5, '30'])
      expect(await set(wrong)).toMatchObject({
        status: 400,
        body: { fields: { 'settings.retention.archivedDays': expect.any(String) } },
      })
    expect((await set(null)).body).toMatchObject({ settings: { retention: { archivedDays: null } } })
    expect(await trash()).toMatchObject({ archivedDays: null })
  })

  it('are deleted permanently with all related data, notes only from the trash', async () => {
    const { person, agent, made } = await start()
    const { noteId: id } = await made('create-note', { title: 'Sun', content: 'See [[Shade]].', tags: ['garden'] })
    const { noteId: other } = await made('create-note', { title: 'Shade', content: 'See [[Sun]].' })
    await agent.call('update-note', { noteId: id, content: 'Much of it. See [[Shade]].' })
    expect(await person.call('erase-note', { id })).toMatchObject({
      status: 400,
      body: { fields: { noteId: expect.stringContaining('trash') } },
    })
    await person.call('delete-note', { id })
    const stranger = await makePerson(test())
    expect((await stranger.call('erase-note', { id })).status).toBe(404)
    expect((await person.call('erase-note', { id })).body).toEqual({ noteId: id, deleted: true })
    expect(await person.call('erase-note', { id })).toMatchObject({ status: 404, body: { error: 'Note not found' } })
    const { read } = test().app.services.db
    for (const table of ['notes', 'noteTags', 'noteVersions', 'wikiTargets', 'indexEntries'] as const) {
      const rows = await read.selectFrom(table).selectAll().where('vaultId', '=', person.user.vaultId).execute()
      expect(JSON.stringify(rows)).not.toContain(id)
    }
    expect((await agent.call('read-note', { noteId: other })).body.note).toMatchObject({ links: { in: 0, out: 0 } })
    const found = await agent.call('search-notes', { query: 'sun', includeTrashed: true })
    expect(found.text).not.toContain(`"noteId":"${String(id)}"`)
    expect((await made('create-note', { title: 'Sun' })).created).toBe(true)
    expect((await agent.call('read-note', { noteId: other })).body.note).toMatchObject({ links: { out: 1 } })
  })
})
