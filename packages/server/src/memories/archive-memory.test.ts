import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'

eachDialect('archive-memory', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('hides a memory only from search', async () => {
    const agent = await startAgent(test())
    const id = await agent.write('The bicycle is red')
    expect(await agent.search('bicycle')).toEqual([id])
    clock.advance(5)
    const { status, body } = await agent.call('archive-memory', { memoryId: id, reason: 'sold' })
    expect([status, body]).toEqual([
      200,
      { memoryId: id, archived: true, alreadyArchived: false, archivedAt: clock.iso(), vaultId: agent.user.vaultId },
    ])
    expect(await agent.search('bicycle')).toEqual([])
    expect(await agent.search('bicycle', { includeArchived: true })).toEqual([id])
    expect(await agent.read(id)).toMatchObject({
      content: 'The bicycle is red',
      status: 'archived',
      archivedAt: clock.iso(),
      archiveReason: 'sold',
      version: 2,
      updatedAt: clock.iso(),
    })
  })

  it('returns the first answer again, and changes nothing', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('once')
    const first = await agent.call('archive-memory', { memoryId, reason: 'first' })
    clock.advance(1_000)
    const second = await agent.call('archive-memory', { memoryId, reason: 'second' })
    expect([second.status, second.body]).toEqual([200, { ...first.body, alreadyArchived: true }])
    expect(await agent.read(memoryId)).toMatchObject({ archiveReason: 'first', version: 2 })
  })

  it('is done by only one of several concurrent calls', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('contested')
    const answers = await Promise.all(Array.from({ length: 8 }, () => agent.call('archive-memory', { memoryId })))
    expect(answers.filter(({ body }) => body.alreadyArchived === false)).toHaveLength(1)
    expect(await agent.read(memoryId)).toMatchObject({ version: 2 })
  })

  it('can be undone and repeated', async () => {
    const agent = await startAgent(test())
    const id = await agent.write('to and fro')
    await agent.call('archive-memory', { id, reason: 'x' })
    await agent.call('update-memory', { memoryId: id, archived: false })
    expect(await agent.search('fro')).toEqual([id])
    expect(await agent.read(id)).toMatchObject({ status: 'active', archivedAt: null, archiveReason: null })
    expect((await agent.call('archive-memory', { memoryId: id })).body).toMatchObject({ alreadyArchived: false })
    expect(await agent.read(id)).toMatchObject({ status: 'archived', archiveReason: null, version: 4 })
  })
})
