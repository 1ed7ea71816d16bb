import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { maxRewrittenCharacters, maxRewrittenNotes } from './rename-note.ts'
import { startNotes } from './testing/start-notes.ts'

describe('renaming a note that many name', () => {
  const test = useTestApp()

  it('is refused whole where a link could not name the new title', async () => {
    const agent = await startNotes(test())
    const noteId = await agent.create('Old')
    const source = await agent.create('Source', '[[Old]]')
    for (const title of ['a|b', 'a#b', 'a]]', 'two\nlines', ' ']) {
      const { status, body } = await agent.call('update-note', { noteId, title })
      expect([title, status, Object.keys(body.fields as object)]).toEqual([title, 400, ['title']])
    }
    for (const [content, title] of [
      ['[[Old#Intro]]', 'C#'],
      ['[[Old]] and `code`', 'a`b'],
    ] as const) {
      await agent.update(source, { content })
      const { status, body } = await agent.call('update-note', { noteId, title })
      expect([title, status, Object.keys(body.fields as object)]).toEqual([title, 400, ['title']])
      expect(await agent.targets(source)).toEqual([noteId])
    }
    expect(await agent.note(noteId)).toMatchObject({ title: 'Old', version: 1 })
    await agent.update(source, { content: '' })
    expect(await agent.update(noteId, { title: 'a|b' })).toMatchObject({ updated: true })
  })

  it(`is refused whole beyond ${maxRewrittenNotes} notes`, async () => {
    const agent = await startNotes(test())
    const noteId = await agent.create('Hub', '[[Hub]]')
    for (let n = 0; n < maxRewrittenNotes; n++) await agent.create(`S${n}`, '[[Hub]]')
    expect(await agent.update(noteId, { title: 'Centre' })).toMatchObject({ updated: true })
    const last = await agent.create('Last', '[[Centre]]')
    const { status, body } = await agent.call('update-note', { noteId, title: 'Hub' })
    expect([status, body.fields]).toEqual([400, { title: expect.stringContaining('200') }])
    expect((await agent.note(last)).content).toBe('[[Centre]]')
    expect(await agent.note(noteId)).toMatchObject({ links: { out: 0, in: maxRewrittenNotes + 1 }, version: 2 })
    // Taking it away and back is no rewriting.
    await agent.call('delete-note', { noteId })
    expect(await agent.targets(last)).toEqual([])
    await agent.update(noteId, { trashed: false })
    expect(await agent.targets(last)).toEqual([noteId])
  })

  it('is refused whole where the texts are too long together, or one would be', async () => {
    const agent = await startNotes(test())
    const noteId = await agent.create('Old')
    const full = await agent.create('Full', `[[Old]]${'x '.repeat(249_996)}`)
    const refusal = async (title: string) => {
      const { status, body } = await agent.call('update-note', { noteId, title })
      return [status, body.fields]
    }
    expect(await refusal('Much longer than before')).toEqual([400, { title: expect.stringContaining('500000') }])
    await agent.update(full, { content: '' })
    const texts = Math.ceil(maxRewrittenCharacters / 499_000) + 1
    for (let n = 0; n < texts; n++) await agent.create(`S${n}`, `[[Old]]${'x\n'.repeat(249_500)}`)
    expect(await refusal('New')).toEqual([400, { title: expect.stringContaining('too long') }])
    expect(await agent.note(noteId)).toMatchObject({ title: 'Old', version: 1 })
  })
})
