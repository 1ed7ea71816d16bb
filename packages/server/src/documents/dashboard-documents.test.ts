import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { documentTypes } from '../vaults/settings.ts'
import { templates } from './templates.ts'

const find = async (person: TestPerson, documentType: string) => {
  const { body, text } = await person.call('list-documents', { documentType })
  const [document] = body.documents as Record<string, unknown>[]
  expect(document, text).toBeDefined()
  return document
}

eachDialect('documents in the dashboard', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, agentId: 'ada' })
    const { vaultId } = person.user
    const update = (documentType: string, content: string, mode = 'replace') =>
      agent.call('update-document', { documentType, content, mode, vaultId })
    const edit = (documentType: string, change: object) => person.call('update-document', { documentType, ...change })
    const rule = (documentType: string, change: object) =>
      person.call('update-document-rules', { documentType, ...change })
    return { person, agent, update, edit, rule, vaultId }
  }

  it('are returned as templates until they are written, with who may change what', async () => {
    const { person, edit, rule, update } = await start()
    const { body } = await person.call('list-documents')
    expect((body.documents as { documentType: string }[]).map(({ documentType }) => documentType)).toEqual(
      documentTypes,
    )
    expect(await find(person, 'soul')).toMatchObject({
      content: templates.soul.content,
      ownContent: null,
      inheritedContent: null,
      isTemplate: true,
      agentEditable: false,
      version: 0,
    })
    const written = await edit('soul', { content: 'Be kind.' })
    expect(written.body).toMatchObject({ documentType: 'soul', updated: true, version: 1, length: 8 })
    expect(await find(person, 'soul')).toMatchObject({
      content: 'Be kind.',
      ownContent: 'Be kind.',
      agentId: 'user',
      isTemplate: false,
      version: 1,
      updatedAt: written.body.updatedAt,
      template: templates.soul.content,
    })
    expect((await edit('soul', { content: 'Be kind.' })).body).toMatchObject({ updated: false })
    expect((await rule('soul', {})).body).toMatchObject({ updated: false, version: 1 })
    await update('skills', 'By an agent')
    expect(await find(person, 'skills')).toMatchObject({ ownContent: 'By an agent', agentId: 'ada' })
  })

  it('can be changed by the person whatever the rules for agents, which bind only agents', async () => {
    const { person, edit, rule, update, agent, vaultId } = await start()
    expect((await update('soul', 'Mine')).status).toBe(403)
    await edit('soul', { content: 'Be kind.' })
    await rule('soul', { agentEditable: true, appendOnly: true })
    expect((await update('soul', 'Mine')).status).toBe(403)
    expect((await update('soul', 'And brief.', 'append')).status).toBe(200)
    expect(await find(person, 'soul')).toMatchObject({ content: 'Be kind.\nAnd brief.', version: 3 })
    expect((await edit('soul', { content: 'Anew' })).body).toMatchObject({ version: 4 })
    expect(await find(person, 'soul')).toMatchObject({ version: 4, appendOnly: true })
    expect((await agent.call('read-document', { documentType: 'soul', vaultId })).body).toMatchObject({
      content: 'Anew',
      agentEditable: true,
      appendOnly: true,
      version: 4,
    })
    expect((await rule('soul', { agentEditable: false })).body).toMatchObject({ agentEditable: false, updated: true })
    expect(await find(person, 'soul')).toMatchObject({ content: 'Anew' })
    expect((await update('soul', 'Mine', 'append')).status).toBe(403)
  })

  it('keep their text if only rules are changed, even a template', async () => {
    const { person, rule } = await start()
    await rule('checks', { appendOnly: true, inheritMode: 'none' })
    expect(await find(person, 'checks')).toMatchObject({
      content: templates.checks.content,
      inheritMode: 'none',
      appendOnly: true,
      version: 1,
    })
  })

  it('start empty after their text was removed if nothing is inherited, and from the template if there was none', async () => {
    const { person, edit, rule, update } = await start()
    for (const type of ['checks', 'skills']) await rule(type, { inheritMode: 'none' })
    await edit('checks', { content: '- [ ] Old' })
    await edit('checks', { content: '' })
    for (const type of ['checks', 'skills']) await update(type, '- [ ] New', 'append')
    expect(await find(person, 'checks')).toMatchObject({ content: '- [ ] New' })
    expect(await find(person, 'skills')).toMatchObject({ content: `${templates.skills.content}- [ ] New` })
  })

  it('can be changed by only one of two that expected the same version', async () => {
    const { person, edit } = await start()
    const both = [
      edit('checks', { content: 'a', expectedVersion: 0 }),
      edit('checks', { content: 'b', expectedVersion: 0 }),
    ]
    expect((await Promise.all(both)).map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    expect(await find(person, 'checks')).toMatchObject({ version: 1 })
  })

  it('keep earlier versions, with who wrote them', async () => {
    const { person, edit, update } = await start()
    const versions = (query: object) => person.call('read-document-versions', { documentType: 'skills', ...query })
    expect((await versions({})).body).toMatchObject({ versions: [], total: 0 })
    await edit('skills', { content: 'one' })
    clock.advance(1)
    await update('skills', 'one two')
    clock.advance(1)
    await edit('skills', { content: 'three' })
    const { body, text } = await versions({ limit: 1 })
    expect(body).toMatchObject({
      versions: [{ version: 2, agentId: 'ada', characters: 7, updatedAt: clock.iso(-1) }],
      total: 2,
      hasMore: true,
    })
    expect(text).not.toContain('one two')
    expect((await versions({ version: 1 })).body.version).toMatchObject({ version: 1, agentId: 'user', content: 'one' })
    expect((await versions({ version: 3 })).status).toBe(404)
  })

  it('cannot be read by another user', async () => {
    const [{ person, edit, vaultId }, stranger] = [await start(), await makePerson(test())]
    await edit('soul', { content: 'Mine alone' })
    for (const name of ['list-documents', 'update-document', 'update-document-rules', 'read-document-versions'])
      expect(await stranger.call(name, { vaultId, documentType: 'soul', content: 'x' })).toMatchObject({
        status: 404,
        body: { error: 'Vault not found' },
      })
    expect(await find(stranger, 'soul')).toMatchObject({ isTemplate: true })
    expect(await find(person, 'soul')).toMatchObject({ content: 'Mine alone' })
  })
})
