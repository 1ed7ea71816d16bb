import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

type Body = Record<string, unknown>
const memories = { sourceType: 'memory', targetType: 'memory' }

eachDialect('memories that move to another vault', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  async function start() {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    const { body } = await person.call('create-vault', { vaultId: undefined, name: 'Other' })
    const otherId = String(body['vaultId'])
    const move = (ids: readonly string[], input: Body = {}) =>
      person.call('move-memories', { ids, targetVaultId: otherId, ...input })
    const found = async (q: string, vaultId: string = person.user.vaultId) => {
      const { body: page, text } = await person.call('list-memories', { vaultId, q })
      expect(page['memories'], text).toBeDefined()
      return (page['memories'] as { id: string }[]).map(({ id }) => id)
    }
    const read = async (id: string, vaultId: string = otherId) =>
      (await person.call('list-memories', { vaultId, id })).body as Body & { memory: Body }
    const linksOf = async (id: string, vaultId = otherId) =>
      (await person.call('get-links', { vaultId, nodeType: 'memory', nodeId: id })).body['links'] as Body[]
    return { person, agent, otherId, move, found, read, linksOf }
  }

  it('keep their ids, words, times and state, and are found only there', async () => {
    const { person, agent, otherId, move, found, read } = await start()
    const id = await agent.write({
      content: 'The spare key lies under the blue pot.',
      summary: 'Where the key is',
      importance: 4,
      entities: ['Key'],
      metadata: { pot: 'blue' },
      agentRunId: 'run-1',
      externalWriteId: 'key-1',
    })
    await person.call('archive-memories', { ids: [id], reason: 'Moved the pot' })
    const before = await read(id, person.user.vaultId)
    clock.advance(60_000)
    expect(await move([id, newId()])).toMatchObject({
      status: 200,
      body: { dryRun: false, movedIds: [id], notFound: [expect.any(String)], cutLinks: 0, cutSources: 0, taken: [] },
    })
    const { memory } = await read(id)
    expect(memory).toEqual({ ...before.memory, vaultId: otherId, version: Number(before.memory['version']) + 1 })
    expect((await person.call('list-memories', { id })).status).toBe(404)
    await person.call('update-memories', { vaultId: otherId, ids: [id], archived: false })
    expect([await found('blue pot'), await found('blue pot', otherId)]).toEqual([[], [id]])
    expect((await person.call('list-memories', { vaultId: otherId, runId: 'run-1' })).body['total']).toBe(1)
  })

  it('take along what belongs to them, and a preview lists what will be cut', async () => {
    const { person, agent, otherId, move, read, linksOf } = await start()
    const noteId = String((await agent.call('create-note', { title: 'Pots', content: 'All the pots' })).body['noteId'])
    const stays = await agent.write('It stays.')
    const first = await agent.write({ content: 'The first.', relatedMemoryIds: [stays], sourceNoteIds: [noteId] })
    const second = await agent.write('The second.')
    await person.call('add-link', {
      ...memories,
      sourceId: second,
      targetId: first,
      relationType: 'refines',
      label: 'in another light',
    })
    const cut = { keptLinks: 1, cutSources: 1, taken: [] }
    const planned = await move([first, second], { dryRun: true })
    expect(planned.body).toMatchObject({ dryRun: true, movedIds: [first, second], ...cut })
    const { cutLinks } = planned.body as { cutLinks: number }
    expect(cutLinks).toBeGreaterThanOrEqual(1)
    expect((await read(first, person.user.vaultId)).memory).toMatchObject({ version: 1 })
    expect((await move([first, second])).body).toMatchObject({ dryRun: false, ...cut, cutLinks })
    expect(await linksOf(first)).toMatchObject([{ relationType: 'refines', label: 'in another light' }])
    expect((await read(first)).memory).toMatchObject({ sourceNoteIds: [], vaultId: otherId })
    expect(await linksOf(stays, person.user.vaultId)).toEqual([])
  })

  it('stay tasks, with state and history, and stay superseded by memories that move along', async () => {
    const { person, agent, otherId, move, read } = await start()
    const { body } = await person.call('create-task', { title: 'Water the ferns', assignedAgentId: 'fern' })
    const { taskId } = body as { taskId: string }
    await person.call('update-task', { id: taskId, status: 'in_progress' })
    const old = await agent.write('The ferns stand in the hall.')
    const newer = await agent.write({ content: 'The ferns stand outside.', supersededById: old })
    expect((await move([taskId, old, newer])).body).toMatchObject({ movedIds: [taskId, old, newer] })
    const tasks = await person.call('list-tasks', { vaultId: otherId, assignedAgentId: 'fern' })
    expect(tasks.body).toMatchObject({
      total: 1,
      tasks: [{ taskId, status: 'in_progress', statusHistory: [{ from: 'todo', to: 'in_progress' }] }],
    })
    expect((await person.call('list-tasks', {})).body['total']).toBe(0)
    const { body: history } = await person.call('read-memory-history', { vaultId: otherId, id: old })
    expect((history['history'] as Body[]).map(({ memoryId }) => memoryId)).toEqual([newer, old])
    expect((await read(old)).memory).toMatchObject({ supersededById: newer })
    const live = await person.call('list-memories', { vaultId: otherId, type: 'fact' })
    expect((live.body['memories'] as Body[]).map(({ id }) => id)).toEqual([newer])
  })

  it('return unchanged, and are found again', async () => {
    const { person, agent, otherId, move, found } = await start()
    const id = await agent.write('Violets need shade.')
    expect(await found('violets')).toEqual([id])
    await move([id])
    expect(await found('violets')).toEqual([])
    await move([id], { vaultId: otherId, targetVaultId: person.user.vaultId })
    expect([await found('violets'), await found('violets', otherId)]).toEqual([[id], []])
    expect(await agent.search('violets')).toEqual([id])
  })

  it('keep how often they were read', async () => {
    const { agent, otherId, move } = await start()
    const { db, lastUsed } = test().app.services
    const id = await agent.write('Violets need shade.')
    await agent.search('violets')
    await lastUsed.flush()
    const reads = () => db.read.selectFrom('memoryReads').selectAll().where('memoryId', '=', id).execute()
    const [before] = await reads()
    await move([id])
    expect(await reads()).toEqual([{ ...before, vaultId: otherId, accessCount: 1 }])
  })

  it('need no second review there of what a person has kept', async () => {
    const { person, agent, otherId, move } = await start()
    const written = await person.call('write-memory', { content: 'Never push.' })
    const changed = String(written.body['memoryId'])
    await agent.call('update-memory', { memoryId: changed, content: 'Always push.' })
    const [kept, open] = [
      await agent.write({ content: 'Violets may need shade.', confidence: 1 }),
      await agent.write({ content: 'Bees may sleep.', confidence: 1 }),
    ]
    await person.call('decide-review', { kind: 'changed', ids: [changed], decision: 'keep' })
    await person.call('decide-review', { kind: 'unsure', ids: [kept], decision: 'keep' })
    expect((await move([changed, kept, open])).body).toMatchObject({ movedIds: expect.arrayContaining([kept]) })
    const { body } = await person.call('list-review', { vaultId: otherId, kind: 'unsure' })
    expect(body).toMatchObject({
      items: [{ memories: [{ memoryId: open }] }],
      total: 1,
      counts: { changed: 0, unsure: 1 },
    })
  })

  it('move all or none: not if a record there has the same externalWriteId', async () => {
    const { person, agent, otherId, move, read } = await start()
    const [one, two] = [await agent.write('One.'), await agent.write({ content: 'Two.', externalWriteId: 'two' })]
    await move([two])
    const again = await agent.write({ content: 'Two again.', externalWriteId: 'two' })
    expect((await move([one, again], { dryRun: true })).body).toMatchObject({ taken: [again] })
    expect(await move([one, again])).toMatchObject({ status: 409, body: { error: expect.stringContaining(again) } })
    expect((await read(one, person.user.vaultId)).memory).toMatchObject({ version: 1 })
    expect((await person.call('list-memories', { vaultId: otherId })).body['total']).toBe(1)
  })

  it('can only move to another vault of their owner', async () => {
    const { person, agent, move } = await start()
    const id = await agent.write('Mine.')
    const stranger = await makePerson(test())
    expect((await move([id], { targetVaultId: stranger.user.vaultId })).status).toBe(404)
    expect((await move([id], { targetVaultId: newId() })).status).toBe(404)
    expect(await move([id], { targetVaultId: person.user.vaultId })).toMatchObject({
      status: 400,
      body: { fields: { targetVaultId: expect.any(String) } },
    })
    const others = await stranger.call('move-memories', { ids: [id], targetVaultId: stranger.user.vaultId })
    expect(others.status).toBe(400)
  })

  it('end up in one vault after two concurrent moves', async () => {
    const { person, agent, otherId, move, found } = await start()
    const { body } = await person.call('create-vault', { vaultId: undefined, name: 'Third' })
    const thirdId = String(body['vaultId'])
    const id = await agent.write('The gardener whistles.')
    const answers = await Promise.all([move([id]), move([id], { targetVaultId: thirdId })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const places = await Promise.all([found('whistles'), found('whistles', otherId), found('whistles', thirdId)])
    expect(places.flat()).toEqual([id])
  })

  it('are exported as selected, with the links between them', async () => {
    const { person, agent } = await start()
    const [first, second, third] = [await agent.write('One.'), await agent.write('Two.'), await agent.write('Three.')]
    await person.call('add-link', { ...memories, sourceId: first, targetId: second, relationType: 'refines' })
    await person.call('add-link', { ...memories, sourceId: first, targetId: third, relationType: 'refines' })
    const records = async (kind: string) =>
      (await person.call('export-records', { kind, id: [second, first] })).body['records'] as Body[]
    expect((await records('memory')).map(({ id }) => id)).toEqual([second, first])
    expect(await records('link')).toMatchObject([{ source: first, target: second }])
    expect([await records('note'), await records('settings')]).toEqual([[], []])
  })
})
