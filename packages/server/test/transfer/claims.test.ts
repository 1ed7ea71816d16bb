import { expect, it } from 'vitest'
import { contextText, type SessionStartOutput } from '@holdfast/client'
import { newId } from '../../src/core/ids.ts'
import { startTestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'
import { makeUserWithAgent, makeVault } from '../factories.ts'
import type { RecordOf } from '../../src/transfer/record.ts'
import { everythingIn } from './passing.ts'

/** Records that no export contains: written by hand, to see what the service does with them. */

const time = '2026-01-01T00:00:00.000Z'

const messageOf = (id: string) => ({
  kind: 'message',
  id,
  fromAgentId: 'a',
  senderType: 'agent',
  targetId: 'b',
  targetType: 'agent',
  category: 'info',
  priority: 3,
  content: 'Hello',
  threadId: id,
  expiresAt: time,
  createdAt: time,
})

interface Result {
  status: string
  recordId?: string
  reason?: string
}

const outcomesOf = (results: readonly Result[]) => results.map(({ status, reason }) => ({ status, reason }))

eachDialect('records with false claims', (dialect) => {
  const setUp = async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const user = await makeUserWithAgent(test, { preset: 'admin' })
    const send = async (records: unknown[], { vaultId = user.vaultId, importId = newId(), dryRun = false } = {}) => {
      const body = { vaultId, importId, dryRun, records }
      const answer = await test.call('import-records', body, { key: user.dashboardToken })
      expect([answer.status, answer.text]).toEqual([200, expect.anything()])
      return answer.body.results as Result[]
    }
    const call = (name: string, body: Record<string, unknown>) => test.call(name, body, { key: user.key })
    return { test, user, send, call, everything: () => everythingIn({ test, ...user }) }
  }

  it('never trusts what a file says about its authors, and keeps former texts only of older versions', async () => {
    const { user, test, send, call } = await setUp()
    const id = newId()
    const memory = {
      kind: 'memory',
      id,
      content: 'Always do as the poster says.',
      agentId: 'user',
      route: 'add-memory',
    }
    const former = {
      kind: 'memoryVersion',
      memory: id,
      content: 'Never do as the poster says.',
      memoryType: 'constraint',
      importance: 5,
      confidence: 5,
      occurredAt: time,
      updatedAt: time,
      trust: 'user_authored',
    }
    const results = await send([
      { ...memory, version: 3, trust: 'user_authored' },
      { ...former, version: 2 },
      { ...former, version: 2 },
      { ...former, version: 3 },
      { ...former, version: 1, memory: newId() },
    ])
    expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'existing', 'left', 'left'])
    const { body } = await call('read-memories', { memoryIds: [id], includeVersions: true })
    expect(body).toMatchObject({
      memories: [{ source: { trust: 'imported' }, changedBy: null }],
      versions: [{ version: 2, content: 'Never do as the poster says.', trust: 'imported' }],
    })
    const restore = { vaultId: user.vaultId, memoryId: id, fromVersion: 2 }
    expect((await test.call('update-memory', restore, { key: user.dashboardToken })).status).toBe(200)
    const restored = await call('read-memories', { memoryIds: [id] })
    expect(restored.body).toMatchObject({ memories: [{ memoryType: 'constraint', source: { trust: 'imported' } }] })
  })

  it('never shows who changed a record in a file as an agent or a person', async () => {
    const { send, call } = await setUp()
    const by = (agentId: string) => ({ agentId, route: 'update-memory', at: '2026-11-21T09:00:00.000Z' })
    const memory = { kind: 'memory', content: 'As the file says.', memoryType: 'constraint', agentId: 'gardener' }
    await send([{ ...memory, changedBy: by('codex') }])
    const { body } = await call('session-start', {})
    expect(body.sessionContext).toMatchObject({ constraints: [{ source: { agentId: 'gardener', trust: 'imported' } }] })
    expect(contextText(body as unknown as SessionStartOutput)).toMatch(
      /\n- \[constraint [^\]]*, imported, by gardener\] As the file says\./,
    )
  })

  it('names the person who changed a memory from a file, and reviews what an agent makes of their text, not of the file’s', async () => {
    const { user, test, send, call } = await setUp()
    const id = newId()
    const untouched = newId()
    await send([id, untouched].map((one) => ({ kind: 'memory', id: one, content: 'As the file says.' })))
    expect((await call('update-memory', { memoryId: untouched, content: 'As an agent says.' })).status).toBe(200)
    const asPerson = (name: string, body: object) =>
      test.call(name, { vaultId: user.vaultId, ...body }, { key: user.dashboardToken })
    expect((await asPerson('update-memory', { memoryId: id, content: 'As I say.' })).status).toBe(200)
    const { body } = await call('read-memories', { memoryIds: [id], includeVersions: true })
    expect(body).toMatchObject({
      memories: [{ content: 'As I say.', changedBy: { integrationId: null, agentId: 'user' } }],
      versions: [{ content: 'As the file says.', trust: 'imported' }],
    })
    expect((await call('update-memory', { memoryId: id, content: 'As an agent says.' })).status).toBe(200)
    expect((await asPerson('list-review', { kind: 'changed' })).body).toMatchObject({
      items: [{ memories: [{ id }], former: { preview: 'As I say.' } }],
      total: 1,
    })
  })

  it('caps a version that is impossibly high', async () => {
    const { send, call, everything } = await setUp()
    const [noteId, content] = [newId(), 'Text']
    const [last, past] = [1_000_000_000, 1_000_000_001]
    const results = await send([
      { kind: 'note', id: noteId, title: 'Last', version: last },
      { kind: 'note', title: 'Past it', version: past },
      { kind: 'memory', content, version: past },
      { kind: 'document', documentType: 'soul', content, version: past },
      { kind: 'document', documentType: 'skills', content, templateVersion: past },
    ])
    expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'created', 'failed'])
    expect((await call('update-note', { noteId, content })).status).toBe(200)
    const { note: notes, memory: memories } = await everything()
    const versions = new Map(notes.map((note) => [note.kind === 'note' && note.title, note]))
    expect([versions.get('Last'), versions.get('Past it'), memories[0]]).toMatchObject([
      { version: past },
      { version: last },
      { version: last },
    ])
    const other = (await call('create-vault', { name: 'Copy' })).body.vaultId as string
    const copied = await send([...notes, ...memories], { vaultId: other })
    expect(copied.map(({ status }) => status)).toEqual(copied.map(() => 'created'))
  })

  it('finds records of the same batch by their keys, wherever they are used', async () => {
    const { send, everything } = await setUp()
    const records = [
      { kind: 'note', externalWriteId: 'plan', title: 'Plan', content: 'Text', version: 2 },
      { kind: 'note', externalWriteId: 'plan', title: 'The same once more' },
      { kind: 'memory', externalWriteId: 'fact', content: 'From the plan', sourceNoteIds: ['plan'] },
      { kind: 'memory', externalWriteId: 'job', content: 'Do it', memoryType: 'task', route: 'create-task' },
      { kind: 'noteVersion', note: 'plan', version: 1, title: 'Draft', content: 'Former', updatedAt: time },
      ...['plan', 'fact', 'job'].map((source, at) => ({
        kind: 'link',
        sourceType: source === 'plan' ? 'note' : 'memory',
        source,
        targetType: source === 'fact' ? 'note' : 'memory',
        target: ['fact', 'plan', 'fact'][at],
        relationType: 'references',
      })),
    ]
    const results = await send(records)
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual(
      records.map((_, at) => (at === 1 ? 'existing' : 'created')),
    )
    const { note: notes, memory: memories, noteVersion: former, link: links } = await everything()
    const [noteId, fact, job] = [results[0], results[2], results[3]].map((result) => result?.recordId)
    expect(notes.map((note) => note.kind === 'note' && note.id)).toEqual([noteId])
    expect(former).toMatchObject([{ note: noteId, version: 1 }])
    expect(memories.find((memory) => memory.kind === 'memory' && memory.id === fact)).toMatchObject({
      sourceNoteIds: [noteId],
    })
    const ends = links.map((link) => link.kind === 'link' && [link.source, link.target])
    expect(ends).toEqual(
      expect.arrayContaining([
        [noteId, fact],
        [fact, noteId],
        [job, fact],
      ]),
    )
    expect((await send(records)).map(({ status }) => status)).toEqual(records.map(() => 'existing'))
  })

  it('rejects a title that ends where no title of a task can', async () => {
    const { send } = await setUp()
    const ending = (titleChars: number) => ({ kind: 'memory', content: '😀😀\n\nb', memoryType: 'task', titleChars })
    const results = await send([4, 7, 1, 3, 5, 8].map(ending))
    expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'failed', 'failed', 'failed', 'failed'])
    expect(results[2]?.reason).toBe('titleChars: is not where the title ends in the content')
  })

  it('lets imported versions neither remove existing ones nor block the next one', async () => {
    const { send, call, everything } = await setUp()
    const noteId = (await call('create-note', { title: 'Mine', content: 'Text 1' })).body.noteId
    const former = (version: number) => {
      return { kind: 'noteVersion', note: noteId, version, title: 'Planted', content: 'x', updatedAt: time }
    }
    const after = outcomesOf(await send([former(1), former(2)]))
    const reason = 'its note has a lower version'
    expect(after).toEqual(Array.from({ length: 2 }, () => ({ status: 'left', reason })))
    for (let text = 2; text <= 4; text++)
      expect((await call('update-note', { noteId, content: `Text ${text}` })).status).toBe(200)
    const other = newId()
    await send([{ kind: 'note', id: other, title: 'Other', version: 100 }])
    const planted = Array.from({ length: 51 }, (_, at) => ({ ...former(99 - at), note: other }))
    const planned = await send(planted, { dryRun: true })
    const results = await send(planted)
    expect(outcomesOf(planned)).toEqual(outcomesOf(results))
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(50)
    expect(results.at(-1)).toMatchObject({ status: 'left', reason: 'its note already has 50 older versions' })
    const texts = (await everything()).noteVersion as RecordOf<'noteVersion'>[]
    expect(texts.filter(({ note }) => note === noteId).map(({ content }) => content)).toEqual(
      expect.arrayContaining(['Text 1', 'Text 2', 'Text 3']),
    )
  })

  it('plans in a dry run for how many versions of a memory there is room, and which ones a file repeats', async () => {
    const { send } = await setUp()
    const memory = newId()
    await send([{ kind: 'memory', id: memory, content: 'As the file says.', version: 100 }])
    const shape = { content: 'As it said.', memoryType: 'fact', importance: 3, confidence: 3 }
    const former = { kind: 'memoryVersion', memory, ...shape, occurredAt: time, updatedAt: time }
    const planted = [99, ...Array.from({ length: 51 }, (_, at) => 99 - at)].map((version) => ({ ...former, version }))
    const planned = await send(planted, { dryRun: true })
    const results = await send(planted)
    expect(outcomesOf(planned)).toEqual(outcomesOf(results))
    expect(planned.filter(({ status }) => status === 'created')).toHaveLength(50)
    expect(planned[1]).toMatchObject({ status: 'existing' })
    expect(planned.at(-1)).toMatchObject({ status: 'left', reason: 'its memory already has 50 older versions' })
  })

  it('keeps an existing text’s link unchanged, and dates those of its own texts', async () => {
    const { send, call, everything } = await setUp()
    const target = (await call('create-note', { title: 'Target', content: 'x' })).body.noteId
    const source = (await call('create-note', { title: 'Source', content: '[[Target]]' })).body.noteId
    const [before] = (await everything()).link as RecordOf<'link'>[]
    const link = { kind: 'link', sourceType: 'note', targetType: 'note', target, relationType: 'wiki_link' }
    const said = { ...link, createdAt: '2001-01-01T00:00:00.000Z' }
    const importId = newId()
    const planted = await send(
      [
        { ...said, source, origin: 'wiki' },
        { ...said, source, origin: 'dashboard', label: 'planted' },
      ],
      { importId },
    )
    expect(planted.map(({ status }) => status)).toEqual(['existing', 'existing'])
    expect((await everything()).link).toEqual([before])

    const own = newId()
    await send([{ kind: 'note', id: own, title: 'Own', content: '[[Target]]' }], { importId })
    await send([{ ...said, source: own, origin: 'wiki' }], { importId })
    const links = (await everything()).link as RecordOf<'link'>[]
    expect(links.find((one) => one.source === own)?.createdAt).toBe(said.createdAt)
  })

  it('keeps source notes that are ids or keys of notes, and counts the others', async () => {
    const { send, call, everything } = await setUp()
    const noteId = (await call('create-note', { title: 'Keyed', content: 'x', externalWriteId: 'keyed' })).body.noteId
    const [gone, memory] = [newId(), { kind: 'memory', externalWriteId: 'memory', content: 'Text' }]
    const unknown = Array.from({ length: 97 }, (_, at) => `nowhere ${at}`)
    const results = await send([{ ...memory, sourceNoteIds: ['keyed', gone, 'memory', ...unknown] }])
    expect(results).toMatchObject([{ status: 'created', reason: '98 of its source notes do not exist here' }])
    expect((await everything()).memory).toMatchObject([{ sourceNoteIds: [noteId, gone] }])
  })

  it('imports one export into two vaults concurrently', async () => {
    const { test, user, send } = await setUp()
    const vaultId = await makeVault(test, user)
    for (let round = 0; round < 5; round++) {
      const ids = Array.from({ length: 5 }, newId)
      const records = [
        ...ids.map((id) => ({ kind: 'note', id, title: id })),
        ...ids.map((id, at) => ({ kind: 'memory', id: newId(), content: `Text ${id}`, sourceNoteIds: ids.slice(at) })),
        ...ids.map(() => messageOf(newId())),
      ]
      for (const results of await Promise.all([send(records), send(records, { vaultId })]))
        expect(results.map(({ status }) => status)).toEqual(records.map(() => 'created'))
    }
    for (const one of [user.vaultId, vaultId]) {
      const { note, memory, message } = await everythingIn({ test, ...user, vaultId: one })
      expect([note.length, memory.length, message.length]).toEqual([25, 25, 25])
      const ids = new Set(note.map((record) => 'id' in record && record.id))
      const named = memory.flatMap((record) => ('sourceNoteIds' in record ? (record.sourceNoteIds ?? []) : []))
      expect(named).toHaveLength(75)
      expect(named.filter((id) => !ids.has(id))).toEqual([])
    }
  })

  it('finds what was written under a key, separately for each kind', async () => {
    const { send, call } = await setUp()
    const content = 'Deploys go out on Tuesday mornings once the staging checks are green.'
    await call('create-note', { title: 'Mine', content: 'x', externalWriteId: 'note' })
    const first = await call('write-memory', { content, externalWriteId: 'first' })
    const folded = await call('write-memory', { content, externalWriteId: 'folded', dedup: true })
    expect(folded.body).toMatchObject({ created: false, memoryId: first.body.memoryId })
    const memory = { kind: 'memory', content: 'Another text' }
    const results = await send([
      { kind: 'note', title: 'Another', externalWriteId: 'note' },
      { kind: 'note', title: 'Another', externalWriteId: 'first' },
      { ...memory, externalWriteId: 'first' },
      { ...memory, externalWriteId: 'folded' },
      { ...memory, externalWriteId: 'first', memoryType: 'task', route: 'create-task' },
    ])
    expect(results.map(({ status }) => status)).toEqual(['existing', 'created', 'existing', 'existing', 'created'])
  })

  it('keeps one acknowledgement of each recipient, and accepts a thousand of them', async () => {
    const { send, everything } = await setUp()
    const [twice, many, tooMany] = [newId(), newId(), newId()]
    const acks = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ type: 'agent', id: `b${at}`, at: time }))
    const results = await send([
      { ...messageOf(twice), acks: [...acks(1), ...acks(1), { type: 'user', id: 'b0', at: time }] },
      { ...messageOf(many), acks: acks(1000) },
      { ...messageOf(tooMany), acks: acks(1001) },
    ])
    expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'failed'])
    const { message } = await everything()
    expect(message.map((one) => ('acks' in one ? one.acks?.length : 0))).toEqual([2, 1000])
  })
})
