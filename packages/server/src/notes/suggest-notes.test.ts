import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { makeClock } from '../../test/scenarios.ts'
import { startNotes } from './testing/start-notes.ts'

const suggest = async (person: TestPerson, q: string, more: object = {}) => {
  const { body, text } = await person.call('suggest-notes', { q, ...more })
  expect(body.notes, text).toBeDefined()
  return (body.notes as { title: string }[]).map(({ title }) => title)
}

eachDialect('suggested titles', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('begin with the typed text, or one of their words does, or contain it; shorter ones first', async () => {
    const person = await makePerson(test())
    const agent = await startNotes(test(), { user: person.user })
    for (const title of ['Bracken and fern', 'Ferns of Wales', 'Infernal', 'Fern', 'Moss', 'Café (old)']) {
      clock.advance(1)
      await agent.create(title, '', { folderPath: 'Plants' })
    }
    expect(await suggest(person, 'fern')).toEqual(['Fern', 'Ferns of Wales', 'Bracken and fern', 'Infernal'])
    expect(await suggest(person, '  FERNS   OF')).toEqual(['Ferns of Wales'])
    expect(await suggest(person, 'old')).toEqual(['Café (old)'])
    expect(await suggest(person, 'zz')).toEqual([])
    expect(await suggest(person, '', { limit: 2 })).toEqual(['Café (old)', 'Moss'])
    const { body } = await person.call('suggest-notes', { q: 'fern', limit: 1 })
    expect(body).toMatchObject({ notes: [{ title: 'Fern', folderPath: 'Plants' }], total: 4 })
  })

  it('reflect notes that are written, renamed, trashed and restored after the first call', async () => {
    const person = await makePerson(test())
    const agent = await startNotes(test(), { user: person.user })
    const second = await makeVault(test(), person.user)
    const id = await agent.create('Fern')
    expect(await suggest(person, 'fern')).toEqual(['Fern'])
    await agent.create('Fern moss')
    expect(await suggest(person, 'fern')).toEqual(['Fern', 'Fern moss'])
    await agent.update(id, { title: 'Bracken' })
    expect([await suggest(person, 'fern'), await suggest(person, 'brack')]).toEqual([['Fern moss'], ['Bracken']])
    await agent.call('delete-note', { noteId: id })
    expect(await suggest(person, 'brack')).toEqual([])
    await person.call('restore-note', { id })
    expect(await suggest(person, 'brack')).toEqual(['Bracken'])
    expect(await suggest(person, 'brack', { vaultId: second })).toEqual([])
    await agent.create('Brackish', '', { vaultId: second })
    expect(await suggest(person, 'brack', { vaultId: second })).toEqual(['Brackish'])
    clock.advance(11 * 60_000)
    expect(await suggest(person, 'brack')).toEqual(['Bracken'])
  })

  it('are gone with their vault', async () => {
    const person = await makePerson(test())
    const agent = await startNotes(test(), { user: person.user })
    const vaultId = await makeVault(test(), person.user)
    await agent.create('Fern', '', { vaultId })
    expect(await suggest(person, 'fern', { vaultId })).toEqual(['Fern'])
    await person.call('delete-vault', { vaultId: undefined, id: vaultId, name: 'Second' })
    expect((await person.call('suggest-notes', { q: 'fern', vaultId })).status).toBe(404)
  })
})
