import { expect, it } from 'vitest'
import type { Database } from '../src/db/dialect.ts'
import { proposing } from '../src/review/testing/proposing.ts'
import { noTelemetry, type Telemetry } from '../src/telemetry/telemetry.ts'
import { useTestApp } from './app.ts'
import { eachDialect } from './dialects.ts'
import { makeClock } from './scenarios.ts'

const rolledBack = new Error('rolled back')

/** Each transaction is rolled back once, and its work runs again: after a deadlock, or because a write failed that shared the transaction. */
function repeating(db: Database): Database {
  async function write<T>(work: Parameters<typeof db.write<T>>[0], lane?: string): Promise<T> {
    const first = db.write(async (tx) => {
      await work(tx)
      throw rolledBack
    }, lane)
    // Whatever the first attempt found, the second one decides.
    await first.catch(() => {})
    return db.write(work, lane)
  }
  return { ...db, write }
}

const telemetry: Telemetry = { ...noTelemetry, store: repeating }

eachDialect('work that runs again after a rollback', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now, telemetry })
  const { start, asPerson, personWrites, review, only, decide } = proposing(test, clock)

  it('names what it created once in the activity, and nothing that was rolled back', async () => {
    const agent = await start()
    const { body } = await agent.call('create-folder', { path: 'Harbour' })
    const { body: listed } = await asPerson(agent, 'list-activity')
    const entry = (listed.activity as { operation: string; recordId: string; records: number }[]).find(
      ({ operation }) => operation === 'create-folder',
    )
    expect(entry).toMatchObject({ recordId: body.folderId, records: 1 })
  })

  it('accepts a proposal with its change', async () => {
    const agent = await start()
    const memoryId = await personWrites(agent, { content: 'Never push on Fridays.' })
    await agent.call('update-memory', { memoryId, content: 'Always push on Fridays.' })
    const item = await only(agent)
    expect((await decide(agent, 'accept', item, { expectedVersion: 1 })).status).toBe(200)
    expect((await review(agent)).counts).toMatchObject({ proposal: 0 })
    expect((await decide(agent, 'reject', item)).status).toBe(409)
    expect(await agent.read(memoryId)).toMatchObject({ content: 'Always push on Fridays.', version: 2 })
  })

  it('merges memories, and can undo that with all links', async () => {
    const agent = await start()
    const neighbour = await agent.write('Ingrid knows the tides.')
    const kept = await personWrites(agent, { content: 'Ingrid is the harbour master.' })
    const relatedMemoryIds = [{ memoryId: neighbour, relationType: 'refines' }]
    const other = await agent.write({ content: 'The harbour master is Ingrid.', relatedMemoryIds })
    const links = async () =>
      (await agent.call('get-links', { nodeType: 'memory', nodeId: kept, direction: 'both' })).body['links']
    const { body } = await asPerson(agent, 'merge-memories', { id: kept, otherIds: [other] })
    expect(await links()).toHaveLength(2)
    const undo = { kind: 'duplicate', ids: [kept, other], decision: 'undo', undo: body['undo'] }
    expect((await asPerson(agent, 'decide-review', undo)).status).toBe(200)
    expect(await links()).toEqual([])
  })

  it('reverts a run, and lists each record once', async () => {
    const agent = await start()
    const memoryId = await agent.write({ content: 'Violets want the full sun.', agentRunId: 'bad day' })
    const { body } = await asPerson(agent, 'list-runs')
    const [run] = body.runs as { id: string }[]
    const { body: reverted } = await asPerson(agent, 'revert-run', { id: run?.id })
    expect(reverted).toMatchObject({ archived: [memoryId], trashed: [], left: [] })
  })
})
