import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'

eachDialect('what agents remove of a person’s', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const asPerson = async ({ user }: TestAgent, name: string, input: object = {}) => {
    clock.advance(1)
    return test().call(name, { vaultId: user.vaultId, ...input }, { key: user.dashboardToken })
  }

  it('is in the review until a person keeps it so or restores it', async () => {
    const agent = await startAgent(test())
    const write = async (content: string) =>
      String((await asPerson(agent, 'write-memory', { content, importance: 2 })).body.memoryId)
    const list = async () => {
      const { body } = await asPerson(agent, 'list-review', { kind: 'removed' })
      return body as unknown as { total: number; items: { memories: { memoryId: string }[]; removed: object }[] }
    }
    const decide = async (id: string, decision: string) =>
      (await asPerson(agent, 'decide-review', { kind: 'removed', ids: [id], decision })).status
    const [archived, superseded, expired] = [
      await write('Archive me.'),
      await write('Replace me.'),
      await write('End.'),
    ]
    const cleaned = await write('Clean me up.')
    await agent.call('archive-memory', { memoryId: archived, reason: 'Old' })
    clock.advance(1)
    const successor = await agent.write({ content: 'Replaced.', supersededById: superseded })
    clock.advance(1)
    await agent.call('update-memory', { memoryId: expired, expiresAt: clock.iso(50) })
    const { noteId } = (await asPerson(agent, 'create-note', { title: 'Plan', content: 'One.' })).body
    await agent.call('delete-note', { noteId })
    const own = await agent.write({ content: 'My own.', importance: 4 })
    await agent.call('archive-memory', { memoryId: own })
    expect(await list()).toMatchObject({
      total: 3,
      items: [{ memories: [], removed: { how: 'trashed', title: 'Plan' } }, {}, {}],
    })
    expect(await decide(String(noteId), 'restore')).toBe(200)
    expect((await agent.call('read-note', { noteId })).body.note).toMatchObject({ status: 'active' })
    clock.advance(100)
    await agent.call('cleanup-memories', { maxImportance: 2, dryRun: false })
    expect(await list()).toMatchObject({
      total: 4,
      items: [
        { memories: [{ memoryId: cleaned }], removed: { how: 'archived' } },
        { memories: [{ memoryId: expired }], removed: { how: 'expired' } },
        { memories: [{ memoryId: superseded }], removed: { how: 'superseded', successor: { memoryId: successor } } },
        { memories: [{ memoryId: archived }], removed: { how: 'archived', reason: 'Old' } },
      ],
    })
    for (const id of [superseded, expired, cleaned]) expect(await decide(id, 'restore')).toBe(200)
    expect(await decide(archived, 'keep')).toBe(200)
    expect((await list()).total).toBe(0)
    for (const id of [superseded, expired, cleaned])
      expect(await agent.read(id)).toMatchObject({ status: 'active', supersededById: null, expiresAt: null })
    expect(await agent.read(successor)).toMatchObject({ status: 'active', supersedesId: null })
    expect(await agent.search('Replace me')).toContain(superseded)
    // Searches found it until the agent set a date that had passed.
    await agent.call('update-memory', { memoryId: expired, expiresAt: '2020-01-01T00:00:00Z' })
    const expiry = { how: 'expired', at: expect.stringContaining(clock.iso(0).slice(0, 19)) as unknown }
    expect(await list()).toMatchObject({ items: [{ removed: expiry }] })
    // Whatever the agent changes later, that was the end.
    clock.advance(60_000)
    await agent.call('update-memory', { memoryId: expired, content: 'The end.' })
    expect(await list()).toMatchObject({ items: [{ removed: expiry }] })
    expect(await agent.read(archived)).toMatchObject({ status: 'archived' })
    expect(await decide(archived, 'accept')).toBe(400)
    expect(await decide(crypto.randomUUID(), 'restore')).toBe(404)
  })
})
