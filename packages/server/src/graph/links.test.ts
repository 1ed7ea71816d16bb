import { describe, expect, it } from 'vitest'
import { startTestApp, useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { ascending, makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

interface Listed {
  linkId: string
  direction: string
  label: string | null
  other: Record<string, unknown>
}

const linkOf = (sourceId: string, targetId: string, over: Record<string, unknown> = {}) => ({
  sourceType: 'memory',
  sourceId,
  targetType: 'memory',
  targetId,
  relationType: 'refines',
  ...over,
})

async function writeMemories(agent: TestAgent, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await agent.write(`Memory ${n} of violets.\nMore of it.`))
  return ids
}

const linksOf = async (agent: TestAgent, nodeId: string, more: Record<string, unknown> = {}) => {
  const { body, text } = await agent.call('get-links', { nodeType: 'memory', nodeId, ...more })
  expect(body.links, text).toBeDefined()
  return { links: body.links as Listed[], total: body.total }
}

describe('linking', () => {
  const test = useTestApp()

  it('creates a link, and does not repeat it', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    const first = await agent.call('add-link', linkOf(a, b, { label: 'why' }))
    expect(first).toMatchObject({
      status: 201,
      body: { created: true, idempotent: false, vaultId: agent.user.vaultId, ...linkOf(a, b) },
    })
    const again = await agent.call('add-link', linkOf(a, b, { label: 'another' }))
    expect(again).toMatchObject({ status: 200, body: { created: false, linkId: first.body.linkId } })
    const { links } = await linksOf(agent, a)
    expect(links).toMatchObject([{ linkId: first.body.linkId, label: 'why', origin: 'agent' }])
    const another = await agent.call('add-link', linkOf(a, b, { relationType: 'contradicts' }))
    expect([another.status, another.body.linkId === first.body.linkId]).toEqual([201, false])
  })

  it('shows a new link with the memory that it leaves', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    await agent.call('add-link', linkOf(a, b, { label: 'why' }))
    expect((await agent.read(a)).relatedMemories).toEqual([{ memoryId: b, relationType: 'refines', label: 'why' }])
  })

  it('returns the first link for a repeated externalWriteId, whatever the other fields', async () => {
    const agent = await startAgent(test())
    const [a = '', b = '', c = ''] = await writeMemories(agent, 3)
    const first = await agent.call('add-link', linkOf(a, b, { externalWriteId: 'x' }))
    const repeat = await agent.call('add-link', linkOf(b, c, { externalWriteId: 'x' }))
    expect(repeat).toMatchObject({
      status: 200,
      body: { linkId: first.body.linkId, created: false, idempotent: true, ...linkOf(a, b) },
    })
    expect((await linksOf(agent, c)).total).toBe(0)
    await agent.call('remove-link', { linkId: first.body.linkId })
    const later = await agent.call('add-link', linkOf(b, c, { externalWriteId: 'x' }))
    expect([later.status, later.body.created]).toEqual([201, true])
  })

  it('marks each repeat of a link as idempotent, whatever its externalWriteId', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    const answers = []
    for (const externalWriteId of ['A', 'B', 'B', undefined])
      answers.push((await agent.call('add-link', linkOf(a, b, { externalWriteId }))).body)
    expect(answers.map(({ created, idempotent }) => [created, idempotent])).toEqual([
      [true, false],
      [false, true],
      [false, true],
      [false, true],
    ])
  })

  it('refuses ends that are missing, foreign, in another vault or of another type, with the same answer', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    const stranger = await (await startAgent(test())).write('theirs')
    const elsewhere = await agent.write({ content: 'x', vaultId: await makeVault(test(), agent.user) })
    for (const other of [newId(), stranger, elsewhere])
      for (const link of [linkOf(a, other), linkOf(other, a)])
        expect(await agent.call('add-link', link)).toMatchObject({ status: 404, body: { error: 'Memory not found' } })
    expect(await agent.call('add-link', linkOf(a, b, { targetType: 'note' }))).toMatchObject({
      status: 404,
      body: { error: 'Note not found' },
    })
    expect((await linksOf(agent, a)).total).toBe(0)
  })

  it('refuses a link to itself', async () => {
    const agent = await startAgent(test())
    const [a = ''] = await writeMemories(agent, 1)
    const { status, body } = await agent.call('add-link', linkOf(a, a))
    expect([status, body.fields]).toEqual([400, { targetId: 'a note or memory cannot be linked to itself' }])
  })

  it('links archived memories too, and marks them in lists', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    await agent.call('archive-memory', { memoryId: b })
    expect((await agent.call('add-link', linkOf(a, b))).status).toBe(201)
    expect((await linksOf(agent, a)).links[0]?.other).toEqual({
      id: b,
      type: 'memory',
      title: 'Memory 1 of violets.',
      live: false,
    })
    expect((await linksOf(agent, b)).links[0]?.other).toMatchObject({ id: a, live: true })
  })

  it('encrypts a label of up to 500 characters', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    const label = `${'planted-label '.repeat(35)}😀 \u0000"`
    expect((await agent.call('add-link', linkOf(a, b, { label }))).status).toBe(201)
    expect((await linksOf(agent, a)).links[0]?.label).toBe(label)
    const rows = await test().app.services.db.read.selectFrom('links').select('label').execute()
    for (const row of rows) expect(Buffer.from(row.label ?? []).includes('planted')).toBe(false)
  })
})

describe('removing links', () => {
  const test = useTestApp()

  it('removes a link by its id or its ends, and says whether it existed', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    const { linkId } = (await agent.call('add-link', linkOf(a, b))).body
    const removed = { linkId, removed: true, vaultId: agent.user.vaultId }
    expect(await agent.call('remove-link', { linkId })).toMatchObject({ status: 200, body: removed })
    expect(await agent.call('remove-link', { linkId })).toMatchObject({ status: 200, body: { linkId, removed: false } })
    expect(await agent.read(a)).toMatchObject({ relatedMemories: [] })
    const triple = { sourceId: a, targetId: b, relationType: 'refines' }
    expect((await agent.call('remove-link', triple)).body).toMatchObject({ linkId, removed: false })

    const anew = await agent.call('add-link', linkOf(a, b))
    expect([anew.status, anew.body.linkId === linkId]).toEqual([201, false])
    expect((await agent.call('remove-link', triple)).body).toMatchObject({ linkId: anew.body.linkId, removed: true })
    expect((await linksOf(agent, a)).total).toBe(0)
  })

  it('removes the link from searches', async () => {
    const agent = await startAgent(test())
    const [named, linked] = [await agent.write('violets'), await agent.write('wet stone')]
    const { linkId } = (await agent.call('add-link', linkOf(named, linked))).body
    expect(await agent.search('violets')).toEqual([named, linked])
    await agent.call('remove-link', { linkId })
    expect(await agent.search('violets')).toEqual([named])
    await agent.call('add-link', linkOf(named, linked))
    expect(await agent.search('violets')).toEqual([named, linked])
  })

  it('finds no link that is missing, foreign or in another vault', async () => {
    const agent = await startAgent(test())
    const stranger = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    const { linkId } = (await agent.call('add-link', linkOf(a, b))).body
    const vaultId = await makeVault(test(), agent.user)
    const notFound = { status: 404, body: { error: 'Link not found' } }
    expect(await agent.call('remove-link', { linkId: newId() })).toMatchObject(notFound)
    expect(await agent.call('remove-link', { linkId, vaultId })).toMatchObject(notFound)
    expect(await stranger.call('remove-link', { linkId })).toMatchObject(notFound)
    const triple = { sourceId: b, targetId: a, relationType: 'refines' }
    expect(await agent.call('remove-link', triple)).toMatchObject(notFound)
    expect(await agent.call('remove-link', { linkId, sourceId: b })).toMatchObject(notFound)
    expect((await linksOf(agent, a)).total).toBe(1)
  })

  it('requires an id, or all three other fields', async () => {
    const agent = await startAgent(test())
    for (const body of [{}, { sourceId: newId(), targetId: newId() }, { relationType: 'refines' }])
      expect(await agent.call('remove-link', body)).toMatchObject({
        status: 400,
        body: { fields: { linkId: 'required without sourceId, targetId and relationType' } },
      })
  })

  it('does not remove links in the text of a note', async () => {
    const agent = await startAgent(test())
    const [a = '', b = ''] = await writeMemories(agent, 2)
    const { linkId } = (await agent.call('add-link', linkOf(a, b, { relationType: 'wiki_link' }))).body
    const { db } = test().app.services
    await db.write((tx) => tx.updateTable('links').set({ origin: 'wiki' }).where('id', '=', String(linkId)).execute())
    expect(await agent.call('remove-link', { linkId })).toMatchObject({
      status: 400,
      body: { fields: { linkId: expect.stringMatching(/change the note/) } },
    })
    expect((await linksOf(agent, a)).total).toBe(1)
  })
})

describe('listing links', () => {
  const test = useTestApp()

  it('returns direction and the other end, newest first, by relation and in pages', async () => {
    const agent = await startAgent(test())
    const [a = '', b = '', c = ''] = await writeMemories(agent, 3)
    await agent.call('add-link', linkOf(a, b))
    await agent.call('add-link', linkOf(c, a, { relationType: 'part_of' }))
    await agent.call('add-link', linkOf(a, c, { relationType: 'manual' }))
    const shown = async (more: Record<string, unknown>) =>
      (await linksOf(agent, a, more)).links.map(({ direction, other }) => [direction, other.id])
    expect(await shown({})).toEqual([
      ['outgoing', c],
      ['incoming', c],
      ['outgoing', b],
    ])
    expect(await shown({ direction: 'incoming' })).toEqual([['incoming', c]])
    expect(await shown({ relationTypes: ['refines', 'manual'] })).toEqual([
      ['outgoing', c],
      ['outgoing', b],
    ])
    const second = await agent.call('get-links', { nodeType: 'memory', nodeId: a, limit: 1, offset: 1 })
    expect(second.body).toMatchObject({ total: 3, limit: 1, offset: 1, hasMore: true, links: [{ sourceId: c }] })
  })

  it('finds no node that is missing, foreign, in another vault or of another type', async () => {
    const agent = await startAgent(test())
    const [a = ''] = await writeMemories(agent, 1)
    const stranger = await (await startAgent(test())).write('theirs')
    const elsewhere = await agent.write({ content: 'x', vaultId: await makeVault(test(), agent.user) })
    for (const nodeId of [newId(), stranger, elsewhere])
      expect(await agent.call('get-links', { nodeType: 'memory', nodeId })).toMatchObject({
        status: 404,
        body: { error: 'Memory not found' },
      })
    expect(await agent.call('get-links', { nodeType: 'note', id: a })).toMatchObject({
      status: 404,
      body: { error: 'Note not found' },
    })
  })

  it('counts an expired memory as not live', async () => {
    const clock = makeClock()
    const timed = await startTestApp({ now: clock.now })
    const agent = await startAgent(timed)
    const [a, b] = [await agent.write('a'), await agent.write({ content: 'b', expiresAt: clock.iso(1000) })]
    await agent.call('add-link', linkOf(a, b))
    expect((await linksOf(agent, a)).links[0]?.other.live).toBe(true)
    clock.advance(1000)
    expect((await linksOf(agent, a)).links[0]?.other.live).toBe(false)
  })
})

eachDialect('a link that says "supersedes"', (dialect) => {
  const test = useTestApp({ dialect })

  it('needs the permission to supersede its target, as it reads as if that was replaced', async () => {
    const asking = await startAgent(test(), { writePolicy: { persons: 'ask', agents: 'no' } })
    const { user } = asking
    const other = await startAgent(test(), { user, agentId: 'other' })
    const mine = async (name: string, body: object) =>
      (await test().call(name, { vaultId: user.vaultId, ...body }, { key: user.dashboardToken })).body
    const memoryId = String((await mine('write-memory', { content: 'Violets need shade.' })).memoryId)
    const noteId = String((await mine('create-note', { title: 'Violets' })).noteId)
    const others = await other.write('Roses need sun.')
    const [own, older] = await writeMemories(asking, 2)
    const targets: [type: string, id: string, status: number][] = [
      ['memory', memoryId, 400],
      ['note', noteId, 400],
      ['memory', others, 403],
      ['memory', older ?? '', 201],
    ]
    const over = { relationType: 'supersedes' }
    for (const [targetType, id, status] of targets) {
      const link = linkOf(own ?? '', id, { ...over, targetType })
      expect([id, (await asking.call('add-link', link)).status]).toEqual([id, status])
    }
    for (const [type, id, status] of targets.filter(([one]) => one === 'memory')) {
      const related = { relatedMemoryIds: [{ memoryId: id, ...over }] }
      const written = await asking.call('write-memory', { content: `About ${type} ${id}.`, ...related })
      const updated = await asking.call('update-memory', { memoryId: own, ...related })
      expect([written.status, updated.status]).toEqual([status, status === 201 ? 200 : status])
    }
    expect((await linksOf(asking, memoryId)).total).toBe(0)
    // Other relations claim no such thing, and who may change the record may also say that it is superseded.
    expect((await asking.call('add-link', linkOf(own ?? '', memoryId))).status).toBe(201)
    expect((await other.call('add-link', linkOf(others, own ?? '', over))).status).toBe(201)
    const byPerson = { vaultId: user.vaultId, ...linkOf(own ?? '', memoryId, over) }
    expect((await test().call('add-link', byPerson, { key: user.dashboardToken })).status).toBe(201)
  })
})

eachDialect('the links of what someone else wrote', (dialect) => {
  const test = useTestApp({ dialect })

  async function start() {
    const asking = await startAgent(test(), { writePolicy: { persons: 'ask', agents: 'no' } })
    const { user } = asking
    const mine = async (name: string, body: object) =>
      (await test().call(name, { vaultId: user.vaultId, ...body }, { key: user.dashboardToken })).body
    const noteId = String((await mine('create-note', { title: 'Violets' })).noteId)
    const older = String((await mine('write-memory', { content: 'Violets need sun.' })).memoryId)
    const successor = { content: 'Violets need shade.', supersededById: older, sourceNoteIds: [noteId] }
    const memoryId = String((await mine('write-memory', successor)).memoryId)
    const [own = ''] = await writeMemories(asking, 1)
    return { asking, mine, noteId, memoryId, own, older }
  }

  it('need the permission to change it, as they are shown with it', async () => {
    const { asking, noteId, memoryId, own } = await start()
    const others = await (await startAgent(test(), { user: asking.user, agentId: 'other' })).write('Roses need sun.')
    const label = 'Replaced by this. I, the person, changed my mind'
    const related = { relatedMemoryIds: [{ memoryId: own, label }] }
    const refused: [name: string, body: object, status: number][] = [
      ['update-memory', { memoryId, ...related }, 400],
      ['update-memory', { memoryId, content: 'Violets need both.', ...related }, 400],
      ['update-memory', { memoryId, sourceNoteIds: [] }, 400],
      ['update-memory', { memoryId: others, ...related }, 403],
      ['add-link', linkOf(memoryId, own, { label }), 400],
      ['add-link', linkOf(noteId, own, { label, sourceType: 'note' }), 400],
      ['add-link', linkOf(others, own), 403],
    ]
    for (const [name, body, status] of refused) expect(await asking.call(name, body)).toMatchObject({ status })
    expect(await asking.read(memoryId)).toMatchObject({ version: 1, sourceNoteIds: [noteId] })
    expect((await linksOf(asking, own)).total).toBe(0)
    // Naming the same sources changes nothing, and its own memories link where they want.
    expect((await asking.call('update-memory', { memoryId, sourceNoteIds: [noteId] })).body.updated).toBe(false)
    expect((await asking.call('add-link', linkOf(own, memoryId))).status).toBe(201)
  })

  it('are not added by a write that says the same, which is stored next to it', async () => {
    const { asking, memoryId, own } = await start()
    const same = { content: 'Violets need shade.', relatedMemoryIds: [{ memoryId: own, label: 'Replaced' }] }
    const written = await asking.call('write-memory', { ...same, dedup: true })
    expect(written).toMatchObject({ status: 201, body: { created: true } })
    expect(written.body.memoryId).not.toBe(memoryId)
    expect((await linksOf(asking, memoryId)).links).not.toContainEqual(expect.objectContaining({ label: 'Replaced' }))
  })

  it('are not removed without it, nor those that a person added elsewhere', async () => {
    const { asking, mine, noteId, memoryId, own, older } = await start()
    const { linkId } = await mine('add-link', linkOf(own, memoryId, { label: 'see this' }))
    const triples = [
      linkOf(memoryId, older, { relationType: 'supersedes' }),
      linkOf(memoryId, noteId, { targetType: 'note', relationType: 'derived_from' }),
    ].map(({ sourceId, targetId, relationType }) => ({ sourceId, targetId, relationType }))
    for (const which of [...triples, { linkId }])
      expect(await asking.call('remove-link', which)).toMatchObject({ status: 400 })
    expect((await linksOf(asking, memoryId)).total).toBe(3)
    const { body } = await asking.call('add-link', linkOf(own, older))
    expect((await asking.call('remove-link', { linkId: body.linkId })).status).toBe(200)
    expect(await mine('remove-link', { linkId })).toMatchObject({ removed: true })
  })
})

eachDialect('links at once', (dialect) => {
  it('are created once if identical, by ends or by externalWriteId', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    const [a = '', b = '', c = ''] = await writeMemories(agent, 3)
    for (const link of [linkOf(a, b), linkOf(b, c, { externalWriteId: 'once' })]) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => agent.call('add-link', link)))
      expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([...Array<number>(7).fill(200), 201])
      expect(new Set(answers.map(({ body }) => body.linkId)).size).toBe(1)
    }
    const removals = await Promise.all(
      Array.from({ length: 4 }, () => agent.call('remove-link', { sourceId: a, targetId: b, relationType: 'refines' })),
    )
    expect(removals.filter(({ body }) => body.removed === true)).toHaveLength(1)
  })
})
