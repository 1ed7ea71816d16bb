import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { asSealed } from '../crypto/cell.ts'
import { unlockVault } from '../jobs/each-vault.ts'
import { createMemory } from '../memories/create-memory.ts'
import { findExtracted, storeExtracted } from './store-extracted.ts'

eachDialect('a memory that is deleted permanently', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, preset: 'admin', agentId: 'ada' })
    const say = async (content: string) => {
      clock.advance(1000)
      const { body } = await agent.call('ingest-turn', { role: 'user', content, agentRunId: 'one' })
      return body as { turnId: string; memoryIds: string[] }
    }
    const archive = async (memoryId: string) => agent.call('archive-memory', { memoryId })
    const turnsOf = async (memoryId: string | undefined) => {
      const { body } = await person.call('list-run-turns', { memoryId })
      return (body.turns as { turnId: string }[]).map(({ turnId }) => turnId)
    }
    const read = async (id: string) => (await person.call('list-run-turns', { id })).status
    return { person, agent, say, archive, turnsOf, read }
  }

  it('takes the turns with it in which it was found, also the ones that only repeated it', async () => {
    const { person, say, archive, turnsOf, read } = await start()
    const first = await say('Never push to main.')
    const other = await say('I prefer tabs over spaces.')
    const again = await say('never push to main')
    const [id = ''] = first.memoryIds
    expect(again.memoryIds).toEqual([id])
    expect(await turnsOf(id)).toEqual([first.turnId, again.turnId])
    await archive(id)
    const { body } = await person.call('erase-memory', { id })
    expect(body).toEqual({ id, deleted: true, deletedTurnIds: expect.any(Array) })
    expect((body.deletedTurnIds as string[]).toSorted()).toEqual([first.turnId, again.turnId].toSorted())
    expect(await Promise.all([first, again, other].map(({ turnId }) => read(turnId)))).toEqual([404, 404, 200])
    const rows = await test().app.services.db.read.selectFrom('turns').select('id').execute()
    expect(rows.map((row) => row.id)).not.toContain(first.turnId)
  })

  it('leaves the turns if the caller wants to keep them', async () => {
    const { person, say, archive, read } = await start()
    const { turnId, memoryIds } = await say('Never push to main.')
    await archive(memoryIds[0] ?? '')
    const { body } = await person.call('erase-memory', { id: memoryIds[0], withTurns: false })
    expect([body.deletedTurnIds, await read(turnId)]).toEqual([[], 200])
  })

  it('leaves the turns if it cannot be deleted', async () => {
    const { person, say, read } = await start()
    const { turnId, memoryIds } = await say('Never push to main.')
    expect((await person.call('erase-memory', { id: memoryIds[0] })).status).toBe(400)
    expect(await read(turnId)).toBe(200)
  })

  it('is deleted with its turns if it is damaged, archived or not', async () => {
    const { person, agent, say, archive, read } = await start()
    const { db } = test().app.services
    const remembered = [await say('Never push to main.'), await say('I prefer tabs over spaces.')]
    const ids = remembered.map(({ memoryIds: [id = ''] }) => id)
    await archive(ids[0] ?? '')
    await db.write((tx) =>
      tx
        .updateTable('memories')
        .set({ head: asSealed(Buffer.alloc(80)), body: asSealed(Buffer.alloc(80)) })
        .where('id', 'in', ids)
        .execute(),
    )
    for (const [at, { turnId }] of remembered.entries()) {
      const { status, body } = await person.call('erase-memory', { id: ids[at] })
      expect([status, body]).toEqual([200, { id: ids[at], deleted: true, deletedTurnIds: [turnId] }])
      expect(await read(turnId)).toBe(404)
      expect((await person.call('erase-memory', { id: ids[at] })).status).toBe(404)
    }
    const live = await agent.write('violets')
    expect((await person.call('erase-memory', { id: live })).status).toBe(400)
  })

  it('has no turns if it was written by itself', async () => {
    const { agent, say, archive, person, turnsOf, read } = await start()
    const { turnId } = await say('Is that so?')
    const id = await agent.write({ content: 'violets', externalWriteId: 'mine' })
    expect(await turnsOf(id)).toEqual([])
    await archive(id)
    expect((await person.call('erase-memory', { id })).body.deletedTurnIds).toEqual([])
    expect(await read(turnId)).toBe(200)
    expect((await person.call('list-run-turns', { memoryId: id })).status).toBe(404)
  })
  it('cannot be given the turns of others, with the keys that theirs would have', async () => {
    const { agent, person, say, turnsOf } = await start()
    const { turnId } = await say('Is that so?')
    const id = await agent.write({ content: 'violets' })
    const forged = { content: 'violets', dedup: true, externalWriteId: `ingest-turn:${turnId}:0` }
    for (const { status, body } of [
      await agent.call('write-memory', forged),
      await person.call('write-memory', forged),
    ])
      expect([status, body]).toMatchObject([400, { fields: { externalWriteId: expect.any(String) } }])
    expect(await turnsOf(id)).toEqual([])
  })

  it('has no turns if its key was stored before such keys were refused', async () => {
    const { agent, say, turnsOf } = await start()
    const { turnId } = await say('Is that so?')
    const { services } = test().app
    const vault = await unlockVault(services, agent.user.userId, agent.user.vaultId)
    if (vault === undefined) throw new Error('the vault was just made')
    const ctx = { ...services, vault, actor: { integrationId: undefined } }
    const { memoryId } = await createMemory(ctx, {
      content: 'violets',
      memoryType: 'fact',
      externalWriteId: `ingest-turn:${turnId}:0`,
      origin: { agentId: 'ada', agentRunId: undefined, modelId: undefined, route: 'write-memory' },
    })
    expect(await turnsOf(memoryId)).toEqual([])
    // Nor does it answer for what the turn says, as when a language model reads the turn later.
    const said = { content: 'Prune the roses in March.', memoryType: 'fact', importance: 3, confidence: 3 } as const
    const at = clock.now()
    const turn = { turnId, role: 'user', agentId: 'ada', integrationId: undefined, content: said.content } as const
    const [storedId] = await storeExtracted(
      ctx,
      { ...turn, score: 5, status: 'queued', occurredAt: at, createdAt: at },
      [{ ...said, entities: [] }],
      { dedup: { nearDuplicate: 1, semanticDuplicate: 1, supersede: 1 }, by: 'a model', permit: undefined },
    )
    expect(await agent.read(String(storedId))).toMatchObject({ content: said.content })
    expect(await findExtracted(services.db.read, vault, [turnId])).toEqual(new Map([[turnId, []]]))
  })
})
