import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'

eachDialect('delete-note', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('trashes a note once, and a repeat returns the first time', async () => {
    const agent = await startAgent(test())
    const { noteId } = (await agent.call('create-note', { title: 'x', content: 'kept' })).body
    clock.advance(1000)
    const answer = { noteId, trashed: true, trashedAt: clock.iso(), vaultId: agent.user.vaultId }
    const first = await agent.call('delete-note', { id: noteId })
    expect([first.status, first.body]).toEqual([200, { ...answer, alreadyTrashed: false }])
    clock.advance(1000)
    const again = await agent.call('delete-note', { noteId })
    expect([again.status, again.body]).toEqual([200, { ...answer, alreadyTrashed: true }])
    expect((await agent.call('read-note', { noteId })).body.note).toMatchObject({ content: 'kept', version: 2 })
  })

  it('is done by only one of many concurrent calls', async () => {
    const agent = await startAgent(test())
    const { noteId } = (await agent.call('create-note', { title: 'x' })).body
    const answers = await Promise.all(Array.from({ length: 10 }, () => agent.call('delete-note', { noteId })))
    expect(answers.filter(({ body }) => body.alreadyTrashed === false)).toHaveLength(1)
  })

  it('removes the note from searches, which find it again once it is restored', async () => {
    const agent = await startAgent(test())
    const { noteId } = (await agent.call('create-note', { title: 'Violets', content: 'like shade' })).body
    const found = async () => {
      const { body } = await agent.call('search-notes', { query: 'violets shade' })
      return (body.notes as { noteId: string }[]).map((note) => note.noteId)
    }
    expect(await found()).toEqual([noteId])
    await agent.call('delete-note', { noteId })
    expect(await found()).toEqual([])
    await agent.call('update-note', { noteId, trashed: false })
    expect(await found()).toEqual([noteId])
    expect(await agent.search('violets')).toEqual([])
  })
})
