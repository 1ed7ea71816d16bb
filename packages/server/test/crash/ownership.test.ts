import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { agentOf } from './agent.ts'
import { setUp, siteFor, spawnServer, startServer } from './server-process.ts'

const refusal = /Another Holdfast is running on the data folder .*\. Stop it first, or set another HOLDFAST_DATA_DIR/

eachDialect('the data folder of a running server', (dialect) => {
  it('is refused to a second one with a clear error, and free again immediately after kill -9', async () => {
    const site = siteFor(await dialect.freshUrl())
    const { agentKey } = await setUp(site)
    const first = await startServer(site)
    const second = spawnServer(site)
    expect(await second.exited).toEqual({ code: 1, signal: null })
    expect(second.output()).toMatch(refusal)
    expect(second.output()).not.toMatch(/at .*\.ts:\d+/)
    expect((await agentOf(first, agentKey)('write-memory', { content: 'still served' })).status).toBe(201)

    await first.kill('SIGKILL')
    const third = await startServer(site)
    expect((await agentOf(third, agentKey)('write-memory', { content: 'served again' })).status).toBe(201)
  })

  it('is refused to a second one while the first is still starting', async () => {
    const site = siteFor(await dialect.freshUrl())
    const first = spawnServer(site)
    while (!existsSync(join(site.dataDir, 'holdfast.lock'))) await sleep(1)
    const second = spawnServer(site)
    const exits = [await Promise.race([first.exited, second.exited])]
    expect(exits).toEqual([{ code: 1, signal: null }])
    const [loser, winner] = (await Promise.race([first.exited.then(() => true), sleep(0, false)]))
      ? [first, second]
      : [second, first]
    expect(loser.output()).toMatch(refusal)
    while (!winner.output().includes('is running')) await sleep(10)
    expect(await winner.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
