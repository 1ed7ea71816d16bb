import { expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { startTestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'
import { makeUserWithAgent } from '../factories.ts'

/** No one else gets an answer while a batch blocks the event loop. */

/** The longest delay of a timer during the work. */
async function longestWaitMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let since = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - since)
    since = performance.now()
  }, 1)
  await work()
  clearInterval(timer)
  return Math.max(longest, performance.now() - since)
}

eachDialect('an import', (dialect) => {
  const setUp = async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const user = await makeUserWithAgent(test, { preset: 'admin' })
    const send = async (records: unknown[]) => {
      const raw = JSON.stringify({ vaultId: user.vaultId, importId: newId(), records })
      let results: { status: string; reason?: string }[] = []
      const waitedMs = await longestWaitMs(async () => {
        const { status, body } = await test.call('import-records', {}, { key: user.dashboardToken, raw })
        expect(status).toBe(200)
        results = body.results as typeof results
      })
      return { results, waitedMs }
    }
    return { send }
  }

  it('yields to other work, however many links its notes contain', async () => {
    const { send } = await setUp()
    const titles = Array.from({ length: 1000 }, (_, at) => `Note ${at % 40} of ${Math.floor(at / 40)}`)
    const content = titles.map((title) => `[[${title}]]`).join(' ')
    const records = titles.slice(0, 40).map((title) => ({ kind: 'note', title, content }))
    const { results, waitedMs } = await send(records)
    expect(results.map(({ status }) => status)).toEqual(records.map(() => 'created'))
    // In one piece it took 5 s on a busy machine, in pieces 0.35 s.
    expect(waitedMs).toBeLessThan(1500)
  })

  it('rejects far too many items before examining them', async () => {
    const { send } = await setUp()
    const empty = Array.from({ length: 400_000 }, () => ({}))
    const names = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`n${at}`, 1]))
    const memory = { kind: 'memory', content: 'Text' }
    const records = [
      { ...memory, task: { status: 'todo', statusHistory: empty } },
      { ...memory, entities: empty },
      { ...memory, metadata: names },
      { ...memory, metadata: { deep: [empty] } },
      { kind: 'note', title: 'Many tags', tags: empty },
      { kind: 'note', title: 'Written', unknown: empty },
    ]
    const { results, waitedMs } = await send(records)
    expect(results.map(({ reason, status }) => reason ?? status)).toEqual([
      'task.statusHistory: must have at most 200 items',
      'entities: must have at most 100 items',
      'metadata: contains more than 32768 values',
      'metadata: contains more than 32768 values',
      'tags: must have at most 50 items',
      'created',
    ])
    // 17 s when each item was examined. A busy machine takes up to 1.6 s to read the body.
    expect(waitedMs).toBeLessThan(6000)
  })
})
