import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

eachDialect('create-note', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('gives no note a title of which nothing is seen, also later', async () => {
    const agent = await startAgent(test())
    const { body } = await agent.call('create-note', { title: 'Pond' })
    for (const title of [' ', '\u200b', '\n\t']) {
      const refused = { status: 400, body: { fields: { title: 'must not be blank' } } }
      expect(await agent.call('create-note', { title })).toMatchObject(refused)
      expect(await agent.call('update-note', { noteId: body.noteId, title })).toMatchObject(refused)
    }
  })

  it('stores a note as it was sent, and reads it back', async () => {
    const agent = await startAgent(test(), { agentId: 'scribe' })
    const sent = {
      title: ' Title with spaces ',
      content: '# Head\r\n\nSome \u0000 *text* 𝄞',
      tags: ['b', 'A', 'a '],
      folderPath: 'Projects / Holdfast',
      agentRunId: 'run-1',
      modelId: 'm',
    }
    const { status, body } = await agent.call('create-note', sent)
    expect(status).toBe(201)
    expect(body).toEqual({
      noteId: expect.any(String),
      created: true,
      idempotent: false,
      vaultId: agent.user.vaultId,
      folderId: expect.any(String),
      title: sent.title,
      version: 1,
      links: [],
      unresolvedLinks: [],
    })
    const read = await agent.call('read-note', { noteId: body.noteId })
    expect(read.status).toBe(200)
    expect(read.body.note).toEqual({
      noteId: body.noteId,
      id: body.noteId,
      vaultId: agent.user.vaultId,
      folderId: body.folderId,
      folderPath: 'Projects/Holdfast',
      title: sent.title,
      content: sent.content,
      tags: sent.tags,
      status: 'active',
      trashedAt: null,
      links: { out: 0, in: 0 },
      wordCount: 3,
      externalWriteId: null,
      agentId: 'scribe',
      agentRunId: 'run-1',
      modelId: 'm',
      source: { integrationId: expect.any(String), route: 'create-note', trust: 'agent_authored' },
      changedBy: null,
      version: 1,
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
  })

  it('needs only a title', async () => {
    const agent = await startAgent(test())
    const { status, body } = await agent.call('create-note', { title: 'Only this' })
    expect([status, body.folderId]).toEqual([201, null])
    const { note } = (await agent.call('read-note', { id: body.noteId })).body
    expect(note).toMatchObject({ content: '', tags: [], folderId: null, folderPath: null, wordCount: 0 })
  })

  it('says which titles it links to, and which of them have no note', async () => {
    const agent = await startAgent(test())
    const first = await agent.call('create-note', { title: 'Backups' })
    const content = '[[backups|them]] `[[Code]]` [[Hosts#Staging]] [[hosts]] [[Deploying]]'
    const { body } = await agent.call('create-note', { title: 'Deploying', content })
    expect(body).toMatchObject({
      links: [{ noteId: first.body.noteId, title: 'backups' }],
      unresolvedLinks: ['Hosts'],
    })
    const { note } = (await agent.call('read-note', { noteId: body.noteId })).body
    expect(note).toMatchObject({ links: { out: 1, in: 0 } })
  })

  it('returns the first note for a repeated externalWriteId, whatever the other fields', async () => {
    const agent = await startAgent(test())
    const target = await agent.call('create-note', { title: 'T' })
    const first = await agent.call('create-note', { title: 'One', content: '[[T]] [[U]]', externalWriteId: 'x' })
    const again = await agent.call('create-note', { title: 'Two', content: 'other', externalWriteId: 'x' })
    expect([again.status, again.body]).toEqual([200, { ...first.body, created: false, idempotent: true }])
    expect(first.body.links).toEqual([{ noteId: target.body.noteId, title: 'T' }])
    // As long as the record exists, including in the trash.
    await agent.call('delete-note', { noteId: first.body.noteId })
    const third = await agent.call('create-note', { title: 'Three', externalWriteId: 'x' })
    expect(third.body).toMatchObject({ noteId: first.body.noteId, idempotent: true, links: [], unresolvedLinks: [] })
    const elsewhere = await makeVault(test(), agent.user)
    const other = await agent.call('create-note', { title: 'Four', externalWriteId: 'x', vaultId: elsewhere })
    expect([other.status, other.body.created]).toEqual([201, true])
  })

  it('creates one note from twenty equal concurrent writes, and one folder', async () => {
    const agent = await startAgent(test())
    const note = { title: 'Once', folderPath: 'a/b/c', externalWriteId: 'once' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.call('create-note', note)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.noteId)).size).toBe(1)
    const { body } = await agent.call('list-folders')
    expect(body.folders).toMatchObject([{ path: 'a' }, { path: 'a/b' }, { path: 'a/b/c', noteCount: 1 }])
  })

  it('accepts a folder id only from its own vault', async () => {
    const agent = await startAgent(test())
    const vaultId = await makeVault(test(), agent.user)
    const there = await agent.call('create-folder', { name: 'There', vaultId })
    for (const folderId of [newId(), there.body.folderId]) {
      const { status, body } = await agent.call('create-note', { title: 'x', folderId })
      expect([status, body]).toEqual([404, { error: 'Folder not found' }])
    }
    expect((await agent.call('list-notes')).body.total).toBe(0)
    const here = await agent.call('create-note', { title: 'x', folderId: there.body.folderId, vaultId })
    expect([here.status, here.body.folderId]).toEqual([201, there.body.folderId])
  })

  it('stores its words only encrypted, in the note and in the index', async () => {
    const agent = await startAgent(test())
    await agent.call('create-note', { title: 'Planted title', content: 'planted content', tags: ['planted tag'] })
    const { db } = test().app.services
    const rows = await db.read.selectFrom('notes').selectAll().where('vaultId', '=', agent.user.vaultId).execute()
    const entries = await db.read
      .selectFrom('indexEntries')
      .selectAll()
      .where('vaultId', '=', agent.user.vaultId)
      .execute()
    expect(entries).toMatchObject([{ kind: 'note', type: 'note', archived: 0 }])
    for (const cell of [...rows.flatMap(({ head, body, titleTag }) => [head, body, titleTag]), entries[0]?.entry])
      expect(Buffer.from(cell ?? []).includes('lanted')).toBe(false)
  })
})

describe('create-note', () => {
  const test = useTestApp()

  it.each([
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ title: '' }, 'title'],
    [{ content: 'x'.repeat(500_001) }, 'content'],
    [{ tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags'],
    [{ tags: ['x'.repeat(101)] }, 'tags.0'],
    [{ tags: [''] }, 'tags.0'],
    [{ folderPath: 'x'.repeat(201) }, 'folderPath'],
    [{ folderPath: 'a/'.repeat(21) }, 'folderPath'],
    [{ folderPath: 'a', folderId: newId() }, 'folderPath'],
    [{ content: Array.from({ length: 1001 }, (_, n) => `[[t${n}]]`).join('') }, 'content'],
  ])('rejects what exceeds a limit: case %#', async (over, field) => {
    const agent = await startAgent(test())
    const { status, body } = await agent.call('create-note', { title: 'x', ...over })
    expect([status, Object.keys(body.fields as object)]).toEqual([400, [field]])
    expect((await agent.call('list-notes')).body.total).toBe(0)
  })

  it('accepts what is just within the limits, escaped too', async () => {
    const agent = await startAgent(test())
    const content = `${Array.from({ length: 1000 }, (_, n) => `[[t${n}]]`).join('')}${'\u0001'.repeat(490_000)}`
    const tags = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(100, '\u0001'))
    const folderPath = 'a/'.repeat(20)
    const sent = { title: '\u0001'.repeat(500), content, tags, folderPath }
    const { status, body } = await agent.call('create-note', sent)
    expect(status).toBe(201)
    const { note } = (await agent.call('read-note', { noteId: body.noteId })).body as { note: { content: string } }
    expect(note.content === content).toBe(true)
    expect(body.unresolvedLinks).toHaveLength(1000)
  })
})
