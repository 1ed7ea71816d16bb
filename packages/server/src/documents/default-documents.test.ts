import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { ownerPassword, startDashboardApp } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makePerson } from '../../test/person.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { documentTypes } from '../vaults/settings.ts'
import { templates } from './templates.ts'

const source = { integrationId: null, route: 'update-default-document', trust: 'user_authored' }

eachDialect("a person's documents for all vaults", (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const { vaultId } = person.user
    const agent = await startAgent(test(), { user: person.user, agentId: 'ada' })
    const inNone = (name: string, input: object) => person.call(name, { vaultId: undefined, ...input })
    return {
      person,
      agent,
      vaultId,
      edit: (documentType: string, content: string, more: object = {}) =>
        inNone('update-default-document', { documentType, content, ...more }),
      browse: async (input: object = {}) => (await inNone('list-default-documents', input)).body,
      versions: (query: object) => inNone('read-default-document-versions', { documentType: 'soul', ...query }),
      read: async (documentType: string, vault = vaultId) =>
        (await agent.call('read-document', { documentType, vaultId: vault })).body,
    }
  }

  it('are empty until they are written, and then read in every vault according to its rules', async () => {
    const { person, vaultId, edit, browse, read } = await start()
    const { documents } = await browse()
    expect((documents as { documentType: string }[]).map(({ documentType }) => documentType)).toEqual(documentTypes)
    const nothing = { content: '', version: 0, agentId: null, updatedAt: null }
    for (const document of documents as object[]) expect(document).toMatchObject(nothing)
    const secondVaultId = await makeVault(test(), person.user)
    const written = await edit('soul', 'Be brief.')
    expect(written.body).toEqual({
      document: {
        documentType: 'soul',
        content: 'Be brief.',
        version: 1,
        agentId: 'user',
        source,
        changedBy: null,
        updatedAt: clock.iso(),
        template: templates.soul.content,
      },
      updated: true,
    })
    expect((await browse({ documentType: 'soul' })).documents).toEqual([written.body.document])
    expect((await edit('soul', 'Be brief.')).body).toMatchObject({ updated: false, document: { version: 1 } })
    await edit('skills', 'Mine first.')
    for (const vault of [vaultId, secondVaultId]) {
      expect(await read('soul', vault)).toMatchObject({ content: 'Be brief.', isTemplate: false, version: 0 })
      expect(await read('skills', vault)).toMatchObject({ content: 'Mine first.', inheritMode: 'merge' })
    }
    await person.call('update-document', { documentType: 'soul', content: 'Of this vault.' })
    await person.call('update-document', { documentType: 'skills', content: 'Then of this vault.' })
    expect(await read('soul')).toMatchObject({ content: 'Of this vault.' })
    expect(await read('skills')).toMatchObject({ content: 'Mine first.\nThen of this vault.' })
    expect(await read('soul', secondVaultId)).toMatchObject({ content: 'Be brief.' })
    const shown = await person.call('list-documents', { documentType: 'skills' })
    expect(shown.body.documents).toMatchObject([
      { ownContent: 'Then of this vault.', inheritedContent: 'Mine first.', agentId: 'user' },
    ])
  })

  it('are returned at the start of a session, combined with the vault’s own text', async () => {
    const { agent, person, vaultId, edit } = await start()
    await edit('checks', '- [ ] Of all')
    await person.call('update-document', { documentType: 'checks', content: '- [ ] Of this one' })
    const { body } = await agent.call('session-start', { vaultId, includeDocuments: ['checks', 'soul'] })
    expect(body.documents).toMatchObject([
      { documentType: 'checks', content: '- [ ] Of all\n- [ ] Of this one' },
      { documentType: 'soul', content: templates.soul.content },
    ])
  })

  it('are removed by an empty text, and restored from earlier versions', async () => {
    const { edit, read, browse, versions } = await start()
    expect((await edit('soul', '')).body).toMatchObject({ updated: false, document: { version: 0 } })
    await edit('soul', 'Be brief.')
    expect((await edit('soul', '')).body).toMatchObject({ updated: true, document: { content: '', version: 2 } })
    expect(await read('soul')).toMatchObject({ content: templates.soul.content, isTemplate: true })
    expect((await browse({ documentType: 'soul' })).documents).toMatchObject([{ content: '', version: 2 }])
    const { version } = (await versions({ version: 1 })).body as { version: { content: string } }
    await edit('soul', version.content, { expectedVersion: 2 })
    expect(await read('soul')).toMatchObject({ content: 'Be brief.' })
  })

  it('keep earlier versions', async () => {
    const { edit, versions } = await start()
    expect((await versions({})).body).toMatchObject({ versions: [], total: 0 })
    expect((await versions({ version: 1 })).status).toBe(404)
    await edit('soul', 'one')
    clock.advance(1)
    await edit('soul', 'two')
    const { body, text } = await versions({ limit: 1 })
    const writer = { agentId: 'user', agentRunId: null, source }
    const former = { version: 1, ...writer, characters: 3, updatedAt: clock.iso(-1) }
    expect(body).toMatchObject({ versions: [former], total: 1 })
    expect(text).not.toContain('one')
    expect((await versions({ version: 1 })).body.version).toEqual({ ...former, content: 'one' })
    expect((await versions({ version: 2 })).status).toBe(404)
  })

  it('can be changed by only one of two that expected the same version; all four first writes share one key', async () => {
    const { edit, browse, person } = await start()
    const both = await Promise.all(['a', 'b'].map((text) => edit('soul', text, { expectedVersion: 0 })))
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    expect((await edit('soul', 'c', { expectedVersion: 0 })).status).toBe(409)
    expect((await edit('soul', 'c', { expectedVersion: 1 })).status).toBe(200)
    const other = await start()
    await Promise.all(documentTypes.map((type) => other.edit(type, `All of ${type}`)))
    expect((await other.browse()).documents).toMatchObject(
      documentTypes.map((type) => ({ content: `All of ${type}`, version: 1 })),
    )
    const { db } = test().app.services
    const keys = db.read.selectFrom('vaultKeys').selectAll()
    for (const { user } of [person, other.person])
      expect(await keys.where('scopeId', '=', user.userId).execute()).toHaveLength(1)
    expect((await browse({ documentType: 'skills' })).documents).toMatchObject([{ version: 0 }])
  })

  it('are still inherited by a vault that changes only its rules, or removes its own text', async () => {
    const { person, edit, read } = await start()
    const change = (patch: object) => person.call('update-document-rules', { documentType: 'soul', ...patch })
    const write = (content: string) => person.call('update-document', { documentType: 'soul', content })
    await edit('soul', 'Mine.')
    await change({ agentEditable: true })
    expect(await read('soul')).toMatchObject({ content: 'Mine.', agentEditable: true, version: 1 })
    await change({ inheritMode: 'merge' })
    expect(await read('soul')).toMatchObject({ content: 'Mine.' })
    await edit('soul', 'Mine, anew.')
    expect(await read('soul')).toMatchObject({ content: 'Mine, anew.' })
    await change({ inheritMode: 'none' })
    expect(await read('soul')).toMatchObject({ content: templates.soul.content, isTemplate: true })
    await change({ inheritMode: 'inherit' })
    await write('Of this vault.')
    expect(await read('soul')).toMatchObject({ content: 'Of this vault.' })
    expect((await write('')).body).toMatchObject({ version: 6, length: 0 })
    const shown = await person.call('list-documents', { documentType: 'soul' })
    expect(shown.body.documents).toMatchObject([{ ownContent: null, version: 6 }])
    expect(await read('soul')).toMatchObject({ content: 'Mine, anew.' })
  })

  it('are the base that an agent appends to if its vault inherits them, but not if they are merged', async () => {
    const { agent, person, vaultId, edit, read } = await start()
    await edit('soul', 'Mine.')
    await edit('skills', 'First.')
    await person.call('update-document-rules', { documentType: 'soul', agentEditable: true })
    for (const documentType of ['soul', 'skills'])
      await agent.call('update-document', { documentType, content: 'Learnt.', mode: 'append', vaultId })
    expect(await read('soul')).toMatchObject({ content: 'Mine.\nLearnt.' })
    expect(await read('skills')).toMatchObject({ content: 'First.\nLearnt.' })
    await edit('soul', 'Other.')
    await edit('skills', 'Other.')
    expect(await read('soul')).toMatchObject({ content: 'Mine.\nLearnt.' })
    expect(await read('skills')).toMatchObject({ content: 'Other.\nLearnt.' })
  })

  it('give a document the latest date of its parts, ignoring parts that are not read', async () => {
    const { person, edit, read } = await start()
    const change = (patch: object) => person.call('update-document-rules', { documentType: 'soul', ...patch })
    const write = async (content: string) => {
      clock.advance(1)
      await edit('soul', content)
      return clock.iso()
    }
    expect(await read('soul')).toMatchObject({ updatedAt: null })
    const first = await write('Mine.')
    expect(await read('soul')).toMatchObject({ updatedAt: first })
    const anew = await write('Mine, anew.')
    expect(await read('soul')).toMatchObject({ version: 0, updatedAt: anew })
    clock.advance(1)
    await person.call('update-document', { documentType: 'soul', content: 'Of this vault.' })
    const own = clock.iso()
    await write('Mine, not read.')
    expect(await read('soul')).toMatchObject({ content: 'Of this vault.', version: 1, updatedAt: own })
    clock.advance(1)
    await change({ inheritMode: 'merge' })
    const merged = clock.iso()
    expect(await read('soul')).toMatchObject({ version: 2, updatedAt: merged })
    const before = await write('Mine, read first.')
    expect(await read('soul')).toMatchObject({ version: 2, updatedAt: before })
    // With the vault's own text and its author comes its own date.
    const shown = await person.call('list-documents', { documentType: 'soul' })
    expect(shown.body.documents).toMatchObject([{ updatedAt: merged, agentId: 'user' }])
    const gone = await write('')
    expect(await read('soul')).toMatchObject({ content: 'Of this vault.', updatedAt: gone })
    clock.advance(1)
    await change({ inheritMode: 'none' })
    const alone = clock.iso()
    await write('Mine, not read again.')
    expect(await read('soul')).toMatchObject({ updatedAt: alone })
  })

  it('reject a text that is too long, and name the field', async () => {
    const { edit } = await start()
    const { status, body } = await edit('soul', 'x'.repeat(100_001))
    expect([status, Object.keys(body.fields as object)]).toEqual([400, ['content']])
  })

  it('cannot be seen, changed or read as an agent by another user, and are encrypted', async () => {
    const [mine, stranger] = [await start(), await start()]
    const text = 'Kept among us two alone.'
    await mine.edit('soul', text)
    expect((await stranger.browse({ documentType: 'soul' })).documents).toMatchObject([{ content: '', version: 0 }])
    expect((await stranger.versions({ version: 1 })).status).toBe(404)
    await stranger.edit('soul', 'Theirs.')
    expect((await mine.browse({ documentType: 'soul' })).documents).toMatchObject([{ content: text, version: 1 }])
    expect(await stranger.read('soul')).toMatchObject({ content: 'Theirs.' })
    const { key } = mine.agent
    expect((await test().call('list-default-documents', {}, { key })).status).toBe(401)
    expect((await test().call('update-default-document', { documentType: 'soul', content: 'x' }, { key })).status).toBe(
      401,
    )
    const rows = await test().app.services.db.read.selectFrom('documents').selectAll().execute()
    for (const { body } of rows) expect(Buffer.from(body).includes(text)).toBe(false)
  })

  it('are logged and reported as a change without a vault', async () => {
    const { edit, person } = await start()
    const { news, activity } = test().app.services
    const heard: unknown[] = []
    const { leave } = news.listen(person.user.userId, (one) => heard.push(one), undefined)
    await edit('soul', 'Be brief.')
    await expect.poll(() => heard, { timeout: 20_000 }).toMatchObject([{ vaultId: null, types: ['documents'] }])
    leave()
    await activity.flush()
    const { body, text } = await person.call('list-activity', { vaultId: undefined })
    expect(body.activity).toMatchObject([{ operation: 'update-default-document', actor: 'person', class: 'content' }])
    expect(text).not.toContain('brief')
  })

  it('can still be read after the root key was rotated', async () => {
    const { setUp, send } = await startDashboardApp(dialect)
    const { dashboardToken: bearer } = await setUp()
    const path = '/api/documents/defaults'
    const edit = (content: string) => send('PATCH', path, { bearer, body: { documentType: 'soul', content } })
    await edit('Be brief.')
    const rotated = await send('POST', '/api/system/encryption-keys/rotate', {
      bearer,
      body: { password: ownerPassword },
    })
    expect(rotated.body).toMatchObject({ changed: true, damaged: 0 })
    const read = await send('GET', `${path}?documentType=soul`, { bearer })
    expect(read.body).toMatchObject({ documents: [{ content: 'Be brief.', version: 1 }] })
    expect((await edit('Be brief and kind.')).body).toMatchObject({ document: { version: 2 } })
  })
})
