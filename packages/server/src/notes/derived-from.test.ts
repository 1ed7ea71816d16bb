import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

eachDialect('memories derived from notes', (dialect) => {
  const test = useTestApp({ dialect })

  const start = async () => {
    const agent = await startAgent(test())
    const create = async (title: string, over: object = {}) =>
      String((await agent.call('create-note', { title, ...over })).body.noteId)
    const sourcesOf = async (nodeId: string) => {
      const { links } = (await agent.call('get-links', { nodeType: 'memory', nodeId, direction: 'outgoing' })).body
      return (links as { targetId: string; relationType: string; origin: string }[])
        .map(({ targetId, relationType, origin }) => `${targetId} ${relationType} ${origin}`)
        .toSorted()
    }
    return { ...agent, create, sourcesOf }
  }

  it('are linked to them, according to the latest write', async () => {
    const agent = await start()
    const [a, b, c] = [await agent.create('A'), await agent.create('B'), await agent.create('C')]
    const memoryId = await agent.write({ content: 'from notes', sourceNoteIds: [a, b] })
    const link = (noteId: string) => `${noteId} derived_from write`
    expect(await agent.sourcesOf(memoryId)).toEqual([link(a), link(b)].toSorted())
    await agent.call('update-memory', { memoryId, sourceNoteIds: [b, c] })
    expect(await agent.sourcesOf(memoryId)).toEqual([link(b), link(c)].toSorted())
    await agent.call('update-memory', { memoryId, importance: 5 })
    expect(await agent.sourcesOf(memoryId)).toHaveLength(2)
    await agent.call('update-memory', { memoryId, sourceNoteIds: [] })
    expect(await agent.sourcesOf(memoryId)).toEqual([])
  })

  it('keep a link that an agent created itself', async () => {
    const agent = await start()
    const noteId = await agent.create('A')
    const memoryId = await agent.write({ content: 'x' })
    const ends = { sourceType: 'memory', sourceId: memoryId, targetType: 'note', targetId: noteId }
    await agent.call('add-link', { ...ends, relationType: 'derived_from' })
    await agent.call('update-memory', { memoryId, sourceNoteIds: [noteId] })
    await agent.call('update-memory', { memoryId, sourceNoteIds: [] })
    expect(await agent.sourcesOf(memoryId)).toEqual([`${noteId} derived_from agent`])
  })

  it('cannot name a note of another vault, or a memory', async () => {
    const agent = await start()
    const vaultId = await makeVault(test(), agent.user)
    const memoryId = await agent.write('a memory')
    for (const id of [newId(), memoryId, await agent.create('There', { vaultId })]) {
      const written = await agent.call('write-memory', { content: 'x', sourceNoteIds: [id] })
      const updated = await agent.call('update-memory', { memoryId, sourceNoteIds: [id] })
      for (const { status, body } of [written, updated])
        expect([status, body]).toEqual([404, { error: 'Note not found' }])
    }
  })

  it('are counted next to notes in the list of vaults', async () => {
    const agent = await start()
    for (const content of ['a', 'b']) await agent.write(content)
    await agent.write({ content: 'c', memoryType: 'preference' })
    const noteId = await agent.create('A')
    await agent.create('B')
    const vaultId = await makeVault(test(), agent.user)
    await agent.create('There', { vaultId })
    await agent.call('delete-note', { noteId })
    const { body } = await agent.call('list-vaults')
    expect(body.vaults).toMatchObject([
      { memoryCount: 3, noteCount: 1 },
      { memoryCount: 0, noteCount: 1 },
    ])
  })
})
