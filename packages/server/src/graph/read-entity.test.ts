import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson, type TestPerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'

interface About {
  name: string
  counts: { memories: number; tasks: number; notLive: number }
  firstAt: string | null
  timeline: { unit: string; points: { from: string; to: string; count: number }[] }
  neighbors: { name: string; count: number }[]
  notes: { title: string; excerpt: string }[]
  totalNotes: number
}

const read = async (person: TestPerson, name: string, query: Record<string, unknown> = {}) => {
  const { status, body, text } = await person.call('read-entity', { name, ...query })
  expect([200, text]).toEqual([status, text])
  const { about, memories, total } = body as unknown as { about: About; memories: { title: string }[]; total: number }
  return { ...about, total, titles: memories.map(({ title }) => title) }
}

eachDialect('an entity of a vault', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user })
    return { person, agent }
  }

  it('has memories and tasks, newest first, with the entities next to it', async () => {
    const { person, agent } = await start()
    await agent.write({ content: 'first', entities: ['ada  lovelace', 'Engines'] })
    clock.advance(60_000)
    await agent.write({ content: 'second', entities: ['Ada Lovelace', 'Engines', 'London'] })
    await agent.write({ content: 'other', entities: ['Engines'] })
    clock.advance(60_000)
    await agent.call('create-task', { title: 'third', entities: ['Ada Lovelace'] })
    const ada = await read(person, 'ADA LOVELACE')
    expect(ada).toMatchObject({
      name: 'Ada Lovelace',
      counts: { memories: 2, tasks: 1, notLive: 0 },
      titles: ['third', 'second', 'first'],
      neighbors: [
        { name: 'Engines', count: 2 },
        { name: 'London', count: 1 },
      ],
      total: 3,
    })
    expect((await read(person, 'Ada Lovelace', { limit: 1, offset: 1 })).titles).toEqual(['second'])
    expect(
      (await read(person, 'Ada Lovelace', { from: ada.firstAt, to: new Date(clock.now()).toISOString() })).total,
    ).toBe(2)
  })

  it('counts what is no longer live, and lists it only on request', async () => {
    const { person, agent } = await start()
    const gone = await agent.write({ content: 'gone', entities: ['Ferns'] })
    await agent.write({ content: 'here', entities: ['Ferns'] })
    await agent.call('archive-memory', { memoryId: gone })
    expect(await read(person, 'Ferns')).toMatchObject({ titles: ['here'], counts: { memories: 1, notLive: 1 } })
    expect((await read(person, 'Ferns', { state: 'all' })).titles.toSorted()).toEqual(['gone', 'here'])
  })

  it('is mentioned by live notes that contain its whole name', async () => {
    const { person, agent } = await start()
    await agent.write({ content: 'x', entities: ['North Pier'] })
    await person.call('create-note', { title: 'Boats', content: 'They leave from the north pier at nine.' })
    await person.call('create-note', { title: 'Winds', content: 'The pier lies north of the town.' })
    const { body } = await person.call('create-note', { title: 'Old', content: 'North Pier is closed.' })
    await person.call('delete-note', { noteId: body.noteId })
    const pier = await read(person, 'North Pier')
    expect(pier).toMatchObject({
      totalNotes: 1,
      notes: [{ title: 'Boats', excerpt: expect.stringContaining('north pier') }],
    })
  })

  it('finds an everyday word in titles and tags of notes only', async () => {
    const { person } = await start()
    await person.call('create-note', { title: 'Notes about home', content: 'a' })
    await person.call('create-note', { title: 'Tagged', content: 'b', tags: ['home'] })
    await person.call('create-note', { title: 'Other', content: 'We go home at five.' })
    expect((await read(person, 'Home')).notes.map(({ title }) => title).toSorted()).toEqual([
      'Notes about home',
      'Tagged',
    ])
  })

  it('can have a name in any script, and of 200 characters', async () => {
    const { person, agent } = await start()
    const long = 'x'.repeat(200)
    await agent.write({ content: 'tokyo', entities: ['東京', 'Ζωή', long] })
    await person.call('create-note', { title: '旅', content: '来週は東京都へ行く。' })
    expect(await read(person, '東京')).toMatchObject({ titles: ['tokyo'], totalNotes: 1 })
    expect(await read(person, 'ζωή')).toMatchObject({ name: 'Ζωή', titles: ['tokyo'] })
    expect(await read(person, long)).toMatchObject({ name: long, titles: ['tokyo'] })
  })

  it('has a timeline without gaps, of days first and of months later', async () => {
    const { person, agent } = await start()
    await agent.write({ content: 'a', entities: ['Clock'] })
    clock.advance(2 * 86_400_000)
    await agent.write({ content: 'b', entities: ['Clock'] })
    const days = (await read(person, 'Clock')).timeline
    expect([days.unit, days.points.map(({ count }) => count)]).toEqual(['day', [1, 0, 1]])
    clock.advance(90 * 86_400_000)
    await agent.write({ content: 'c', entities: ['Clock'] })
    const months = (await read(person, 'Clock')).timeline
    expect([months.unit, months.points.reduce((sum, { count }) => sum + count, 0)]).toEqual(['month', 3])
    expect(months.points.map(({ from }) => from)).toEqual(
      months.points.map(({ from }) => `${from.slice(0, 7)}-01T00:00:00.000Z`),
    )
  })

  it('is empty if nothing is about it, and for another user', async () => {
    const [{ person, agent }, stranger] = [await start(), await makePerson(test())]
    await agent.write({ content: 'secret', entities: ['Ada'] })
    const nothing = { name: 'Ada', total: 0, totalNotes: 0, neighbors: [], firstAt: null, timeline: { points: [] } }
    expect(await read(stranger, 'Ada')).toMatchObject(nothing)
    expect(await read(person, 'Bob')).toMatchObject({ ...nothing, name: 'Bob' })
    expect((await stranger.call('read-entity', { name: 'Ada', vaultId: person.user.vaultId })).status).toBe(404)
  })
})
