import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { ascending, makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { maxRewrittenCharacters, maxRewrittenNotes } from './rename-note.ts'
import { startNotes } from './testing/start-notes.ts'
import { listVersions } from './version-store.ts'
import { longestTurnMs, startProcessorClock } from '../../test/processor-time.ts'

const start = async (agent: TestAgent) => ({
  ...agent,
  create: async (title: string, content = '') =>
    String((await agent.call('create-note', { title, content, tags: ['t'] })).body.noteId),
  note: async (noteId: string) => (await agent.call('read-note', { noteId })).body.note as Record<string, unknown>,
})

eachDialect('update-note', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const versionsOf = async ({ user }: TestAgent, noteId: string) => {
    const { db, keyring } = test().app.services
    const { userId, vaultId: id, mek } = user
    const keys = await db.read.selectFrom('vaultKeys').selectAll().where('scopeId', '=', id).execute()
    return listVersions(db.read, { id, userId, keys: keyring.vault(mek, userId, id, keys) }, noteId)
  }

  it.each([
    [{ title: 'Other' }, { title: 'Other' }],
    [{ content: 'new' }, { content: 'new', wordCount: 1 }],
    [{ content: '' }, { content: '', wordCount: 0 }],
    [
      { content: ' more', mode: 'append' },
      { content: 'one two three more', wordCount: 4 },
    ],
    [
      { content: 'zero ', mode: 'prepend' },
      { content: 'zero one two three', wordCount: 4 },
    ],
    [{ edits: [{ find: 'two', replace: '2' }] }, { content: 'one 2 three' }],
    [
      {
        edits: [
          { find: 'one two', replace: 'two' },
          { find: 'two', replace: '$& $1' },
        ],
      },
      { content: '$& $1 three', wordCount: 2 },
    ],
    [{ tags: ['u', 'v'] }, { tags: ['u', 'v'] }],
    [{ tags: [] }, { tags: [] }],
  ])('changes only what is given: %j', async (change, expected) => {
    const agent = await start(await startAgent(test()))
    const noteId = await agent.create('Title', 'one two three')
    const before = await agent.note(noteId)
    clock.advance(1000)
    const { status, body } = await agent.call('update-note', { noteId, ...change })
    expect(status).toBe(200)
    const { vaultId } = agent.user
    const changed = { version: 2, updatedAt: clock.iso() }
    expect(body).toEqual({ noteId, updated: true, vaultId, links: [], unresolvedLinks: [], ...changed })
    expect(await agent.note(noteId)).toMatchObject({ ...before, ...expected, ...changed, changedBy: null })
  })

  it('reports that nothing changed, and keeps version and time', async () => {
    const agent = await start(await startAgent(test()))
    const noteId = await agent.create('Title', '[[x]]')
    clock.advance(1000)
    for (const change of [
      {},
      { title: 'Title', content: '[[x]]', tags: ['t'] },
      { content: '', mode: 'append' },
      { trashed: false },
      { edits: [{ find: 'x', replace: 'x' }] },
    ]) {
      const { body } = await agent.call('update-note', { noteId, ...change })
      expect(body).toMatchObject({ updated: false, version: 1, unresolvedLinks: ['x'] })
      expect(body.updatedAt).not.toBe(clock.iso())
    }
    expect(await versionsOf(agent, noteId)).toEqual([])
  })

  it('rejects a passage that does not occur exactly once, says how often it does, and changes nothing', async () => {
    const agent = await start(await startAgent(test()))
    const noteId = await agent.create('Title', 'aa b aa aaa')
    const refusal = async (...finds: string[]) => {
      const edits = finds.map((find) => ({ find, replace: '-' }))
      const { status, body } = await agent.call('update-note', { noteId, edits })
      return [status, body.fields]
    }
    expect(await refusal('aa')).toEqual([
      400,
      { 'edits.0.find': 'occurs 4 times in the note, but must occur exactly once' },
    ])
    expect(await refusal('b', 'B')).toEqual([
      400,
      { 'edits.1.find': 'occurs 0 times in the note, but must occur exactly once' },
    ])
    const both = await agent.call('update-note', { noteId, content: 'x', edits: [{ find: 'b', replace: 'c' }] })
    expect([both.status, both.body.fields]).toEqual([400, { content: 'give content or edits, not both' }])
    expect(await agent.note(noteId)).toMatchObject({ content: 'aa b aa aaa', version: 1 })
  })

  it('requires the version that the caller has read', async () => {
    const agent = await start(await startAgent(test()))
    const noteId = await agent.create('Title')
    const change = (expectedVersion: number, content: string) =>
      agent.call('update-note', { noteId, content, expectedVersion })
    expect((await change(1, 'two')).body).toMatchObject({ updated: true, version: 2 })
    const late = await change(1, 'three')
    expect([late.status, late.body.error]).toEqual([409, expect.stringContaining('version 2, not 1')])
    const at = await Promise.all(Array.from({ length: 5 }, (_, n) => change(2, `many ${n}`)))
    expect(at.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409, 409, 409, 409])
    expect(await agent.note(noteId)).toMatchObject({ version: 3 })
  })

  it('applies twenty concurrent additions', async () => {
    const agent = await start(await startAgent(test()))
    const noteId = await agent.create('Log')
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}\n`)
    const answers = await Promise.all(
      lines.map((content) => agent.call('update-note', { noteId, content, mode: 'append' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(lines.map(() => 200))
    const { content, version } = await agent.note(noteId)
    expect(String(content).split('\n').toSorted()).toEqual([...lines.map((line) => line.trim()), ''].toSorted())
    expect(version).toBe(21)
  })

  it('keeps the last 50 versions of the note', async () => {
    const agent = await start(await startAgent(test()))
    const noteId = await agent.create('Title', 'text 1')
    const firstAt = clock.iso()
    clock.advance(1000)
    await agent.call('update-note', { noteId, title: 'Other', tags: ['u'] })
    await agent.call('move-note', { noteId, folderPath: 'f' })
    await agent.call('delete-note', { noteId })
    await agent.call('update-note', { noteId, trashed: false })
    expect(await versionsOf(agent, noteId)).toMatchObject([
      { version: 1, title: 'Title', content: 'text 1', tags: ['t'], updatedAt: firstAt },
    ])
    for (let n = 2; n <= 53; n++) await agent.call('update-note', { noteId, content: `text ${n}` })
    const versions = await versionsOf(agent, noteId)
    expect(versions.map(({ content }) => content)).toEqual(Array.from({ length: 50 }, (_, n) => `text ${52 - n}`))
  })

  it('restores a trashed note with its links, and says so', async () => {
    const agent = await start(await startAgent(test()))
    const target = await agent.create('Target')
    const noteId = await agent.create('Source', '[[target]] [[missing]]')
    await agent.call('delete-note', { noteId })
    expect(await agent.note(noteId)).toMatchObject({ status: 'trashed', links: { out: 0 } })
    const edited = await agent.call('update-note', { noteId, content: '!', mode: 'append' })
    expect(edited.body).toMatchObject({ updated: true, version: 3, links: [], unresolvedLinks: [] })
    const { body } = await agent.call('update-note', { noteId, trashed: false })
    const links = [{ noteId: target, title: 'target' }]
    expect(body).toMatchObject({ updated: true, version: 4, links, unresolvedLinks: ['missing'] })
    expect(await agent.note(noteId)).toMatchObject({ status: 'active', trashedAt: null, links: { out: 1 } })
  })
})

describe('update-note', () => {
  const test = useTestApp()

  it('applies the limit to the text, however it grows', async () => {
    const agent = await start(await startAgent(test()))
    const noteId = await agent.create('Title', `b${'a'.repeat(499_999)}`)
    const tooMuch: [object, string][] = [
      [{ content: 'a', mode: 'append' }, 'content'],
      [{ content: 'a', mode: 'prepend' }, 'content'],
      [{ edits: [{ find: 'b', replace: 'bb' }] }, 'edits.0.replace'],
      [{ content: Array.from({ length: 1001 }, (_, n) => `[[t${n}]]`).join('') }, 'content'],
    ]
    for (const [change, field] of tooMuch) {
      const { status, body } = await agent.call('update-note', { noteId, ...change })
      expect([status, Object.keys(body.fields as object)]).toEqual([400, [field]])
    }
    expect(await agent.note(noteId)).toMatchObject({ version: 1 })
  })

  it('is fast for edits that are hard to find', async () => {
    const agent = await start(await startAgent(test()))
    const noteId = await agent.create('Title', 'a'.repeat(500_000))
    const usedMs = startProcessorClock()
    const edits = [{ find: `b${'a'.repeat(100_000)}`, replace: '' }]
    expect((await agent.call('update-note', { noteId, edits })).status).toBe(400)
    expect(usedMs()).toBeLessThan(3000)
  })

  it('applies many edits to a long note without blocking others, and rejects more than it can search', async () => {
    const agent = await start(await startAgent(test()))
    const lines = Array.from({ length: 50_000 }, (_, n) => `${String(n).padStart(7, '0')}\n`)
    const noteId = await agent.create('Title', lines.join(''))
    const edits = (count: number) => lines.slice(-count).map((line) => ({ find: line, replace: `-${line.slice(1)}` }))
    const heldMs = await longestTurnMs(async () => {
      const refused = await agent.call('update-note', { noteId, edits: edits(100) })
      expect([refused.status, Object.keys(refused.body.fields as object)]).toEqual([400, ['edits']])
    })
    expect(heldMs).toBeLessThan(250)
    const { body } = await agent.call('update-note', { noteId, edits: edits(12) })
    expect(body).toMatchObject({ updated: true, version: 2 })
  })

  it('returns 404 for missing notes', async () => {
    const agent = await start(await startAgent(test()))
    const { status, body } = await agent.call('update-note', { noteId: newId(), title: 'x' })
    expect([status, body]).toEqual([404, { error: 'Note not found' }])
  })
})

describe('renaming a note with many links to it', () => {
  const test = useTestApp()

  it('is rejected as a whole if a link could not name the new title', async () => {
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

  it(`is rejected as a whole beyond ${maxRewrittenNotes} notes`, async () => {
    const agent = await startNotes(test())
    const noteId = await agent.create('Hub', '[[Hub]]')
    for (let n = 0; n < maxRewrittenNotes; n++) await agent.create(`S${n}`, '[[Hub]]')
    expect(await agent.update(noteId, { title: 'Centre' })).toMatchObject({ updated: true, content: '[[Centre]]' })
    const last = await agent.create('Last', '[[Centre]]')
    const { status, body } = await agent.call('update-note', { noteId, title: 'Hub' })
    expect([status, body.fields]).toEqual([400, { title: expect.stringContaining('200') }])
    expect((await agent.note(last)).content).toBe('[[Centre]]')
    expect(await agent.note(noteId)).toMatchObject({ links: { out: 0, in: maxRewrittenNotes + 1 }, version: 2 })
    // Trashing and restoring rewrites nothing.
    await agent.call('delete-note', { noteId })
    expect(await agent.targets(last)).toEqual([])
    await agent.update(noteId, { trashed: false })
    expect(await agent.targets(last)).toEqual([noteId])
  })

  it('is rejected as a whole if the texts are too long together, or one would be', async () => {
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
