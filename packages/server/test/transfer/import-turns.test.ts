import { expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { startTestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'
import { makeUserWithAgent } from '../factories.ts'
import { longestTurnMs } from '../processor-time.ts'

/** No one else gets an answer while a batch blocks the event loop. */

eachDialect('an import', (dialect) => {
  const setUp = async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const user = await makeUserWithAgent(test, { preset: 'admin' })
    const send = async (records: unknown[]) => {
      const raw = JSON.stringify({ vaultId: user.vaultId, importId: newId(), records })
      let results: { status: string; reason?: string }[] = []
      const heldMs = await longestTurnMs(async () => {
        const { status, body } = await test.call('import-records', {}, { key: user.dashboardToken, raw })
        expect(status).toBe(200)
        results = body.results as typeof results
      })
      return { results, heldMs }
    }
    return { send }
  }

  it('yields to other work, however many links its notes contain', async () => {
    const { send } = await setUp()
    const titles = Array.from({ length: 1000 }, (_, at) => `Note ${at % 40} of ${Math.floor(at / 40)}`)
    const content = titles.map((title) => `[[${title}]]`).join(' ')
    const records = titles.slice(0, 40).map((title) => ({ kind: 'note', title, content }))
    const { results, heldMs } = await send(records)
    expect(results.map(({ status }) => status)).toEqual(records.map(() => 'created'))
    // In one piece it took seconds.
    expect(heldMs).toBeLessThan(750)
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
    const { results, heldMs } = await send(records)
    expect(results.map(({ reason, status }) => reason ?? status)).toEqual([
      'task.statusHistory: must have at most 200 items',
      'entities: must have at most 100 items',
      'metadata: contains more than 32768 values',
      'metadata: contains more than 32768 values',
      'tags: must have at most 50 items',
      'created',
    ])
    // 17 s when each item was examined. Reading the body takes most of the rest.
    expect(heldMs).toBeLessThan(3000)
  })
})
