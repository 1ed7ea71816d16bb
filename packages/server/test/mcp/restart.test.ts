import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createApp, type App } from '../../src/app.ts'
import { createLog } from '../../src/core/log.ts'
import { configOfTests } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { connectHttp, connectStdio } from './connect.ts'

/** Starts a server on a folder that outlives it. */
async function makePlace(): Promise<(port: number) => Promise<App>> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-restart-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const rootKey = { given: undefined, command: undefined, dir: join(folder, 'keys') }
  const config = { ...configOfTests, dataDir: join(folder, 'data'), databaseUrl: undefined, rootKey }
  return (port) => createApp({ ...config, port }, { log: createLog('silent') })
}

it('hosts continue after a restart of the server, without a new connection', async () => {
  const start = await makePlace()
  const first = await start(0)
  const { key } = await makeUserWithAgent({ app: first })
  const url = await first.listen()
  const overHttp = [await connectHttp({ url, key, era: '2025' }), await connectHttp({ url, key, era: '2026' })]
  const bridged = await connectStdio({ url, key, era: '2025' })
  const hosts = [...overHttp, bridged]
  for (const { say } of hosts) await say('session_start', { mode: 'none' })
  await bridged.say('write_memory', { content: 'Kept over a restart.' })

  await first.stop()
  expect(await bridged.fail('list_tasks')).toMatch(/^MEMORY_UNAVAILABLE/)
  expect((await bridged.client.listTools()).tools).toHaveLength(15)

  const second = await start(Number(new URL(url).port))
  onTestFinished(() => second.stop())
  await second.listen()
  for (const { say } of overHttp)
    expect(await say('search_memories', { query: 'restart' })).toContain('Kept over a restart.')
})
