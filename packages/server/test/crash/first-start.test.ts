import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { agentOf } from './agent.ts'
import { makeFailingDisk, whyNot } from './failing-disk.ts'
import { query } from './raw-store.ts'
import { setUp, siteFor, spawnServer, startServer, type Site } from './server-process.ts'

const hasKey = ({ keyDir }: Site) => readdirSync(keyDir).some((name) => name.endsWith('.key'))
const has = (name: string) => (site: Site) => existsSync(join(site.dataDir, name))

/** What a first start creates, in order; on PostgreSQL without the second. */
const traces: ((site: Site) => boolean)[] = [
  has('holdfast.lock'),
  (site) => site.store.kind === 'postgres' || has('holdfast.db')(site),
  hasKey,
  has('instance.json'),
  has('server.json'),
]

eachDialect('a killed first start', (dialect) => {
  it('leaves nothing at any point that stops the next start', async () => {
    const site = siteFor(await dialect.freshUrl())
    for (const isThere of traces) {
      const server = spawnServer(site)
      while (!isThere(site)) await sleep(1)
      expect(await server.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    }
    const { agentKey } = await setUp(site)
    const server = await startServer(site)
    expect((await agentOf(server, agentKey)('write-memory', { content: 'first' })).status).toBe(201)
    await server.kill('SIGTERM')
    const instances = await query(site.store, 'select "id" from "instance"')
    const sidecar = JSON.parse(readFileSync(join(site.dataDir, 'instance.json'), 'utf8')) as { instanceId: string }
    expect(instances).toEqual([{ id: sidecar.instanceId }])
    expect(existsSync(join(site.keyDir, `${sidecar.instanceId}.key`))).toBe(true)
  })
})

describe.skipIf(whyNot)(`a power cut after the first start${whyNot ? ` (skipped: ${whyNot})` : ''}`, () => {
  it('leaves the id of the instance, which the next start needs', async () => {
    const { site } = makeFailingDisk()
    const [file, synced = ''] = [join(site.dataDir, 'instance.json'), site.env['DISK_SYNCED']]
    site.env['DISK_FILES'] = file
    await setUp(site)
    // It got its name after the sync.
    expect(readFileSync(join(synced, 'instance.json.new'), 'utf8')).toBe(readFileSync(file, 'utf8'))
  })
})
