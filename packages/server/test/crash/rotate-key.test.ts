import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { findRunningServer } from '../../src/auth/operator-token.ts'
import { eachDialect } from '../dialects.ts'
import { agentOf, send } from './agent.ts'
import { change, query } from './raw-store.ts'
import { runCommand, setUp, siteFor, startServer, type RunningServer, type Site } from './server-process.ts'

const rounds = 3
const agents = 20
const longestMs = 60

async function addAgents(server: RunningServer, dashboardToken: string): Promise<string[]> {
  const keys: string[] = []
  for (let number = 0; number < agents; number++) {
    const body = JSON.stringify({ label: `Agent ${number}`, preset: 'admin' })
    const made = await send(server, dashboardToken, '/api/integrations', { method: 'POST', body })
    const integrationId = (made.body['integration'] as { id: string }).id
    const key = await send(server, dashboardToken, '/api/keys', {
      method: 'POST',
      body: JSON.stringify({ integrationId }),
    })
    keys.push(key.body['agentKey'] as string)
  }
  return keys
}

/** Unknown whether it was answered: the server is killed meanwhile. */
const rotate = (server: RunningServer, site: Site) =>
  send(server, findRunningServer(site.dataDir)?.token ?? '', '/api/system/encryption-keys/rotate', {
    method: 'POST',
    body: '{}',
  }).catch(() => undefined)

const keyFilesIn = ({ keyDir }: Site) => readdirSync(keyDir).filter((name) => name.endsWith('.key'))

eachDialect('a root key rotation that is killed', (dialect) => {
  it('leaves a server that starts and opens everything, at any moment', { timeout: 300_000 }, async () => {
    const site = siteFor(await dialect.freshUrl())
    const { agentKey, dashboardToken } = await setUp(site)
    let server = await startServer(site)
    const keys = [agentKey, ...(await addAgents(server, dashboardToken))]
    const expectAll = async () => {
      const answers = await Promise.all(
        keys.map((key) => agentOf(server, key)('search-memories', { query: 'tomatoes' })),
      )
      for (const { status, body } of answers) {
        expect([status, body]).toMatchObject([200, {}])
        expect(JSON.stringify(body)).toContain('Tomatoes want water')
      }
    }
    await agentOf(server, agentKey)('write-memory', { content: 'Tomatoes want water.' })
    await expectAll()
    for (let round = 0; round < rounds; round++) {
      const rotating = rotate(server, site)
      await sleep(randomInt(longestMs))
      await server.kill('SIGKILL')
      await rotating
      // As if ten minutes had passed, and the killed servers were forgotten.
      await change(site.store, 'update "instance" set "rootKeySince" = 1', 'delete from "servers"')
      server = await startServer(site)
      await expectAll()
    }
    await server.kill('SIGKILL')
    await change(site.store, 'update "instance" set "rootKeySince" = 1', 'delete from "servers"')
    const { code, output } = await runCommand(site, ['rotate-keys', '--json'])
    expect([code, output]).toEqual([0, expect.stringContaining('"changed":true')])
    expect(await query(site.store, 'select "formerRootKeyId" from "instance"')).toEqual([{ formerRootKeyId: null }])
    const current = keyFilesIn(site).find((name) => !name.includes('.until-')) ?? ''
    expect(readFileSync(join(site.keyDir, current), 'utf8').trim().split('\n')).toHaveLength(1)
    expect(readdirSync(site.keyDir).filter((name) => name.endsWith('.new'))).toEqual([])
    server = await startServer(site)
    await expectAll()
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it(
    'leaves nothing behind that the former key opens, including a copy from before',
    { timeout: 120_000 },
    async () => {
      const site = siteFor(await dialect.freshUrl())
      const { agentKey } = await setUp(site)
      const server = await startServer(site)
      await agentOf(server, agentKey)('write-memory', { content: 'Tomatoes want water.' })
      const { code, output } = await runCommand(site, ['rotate-keys'])
      expect(code, output).toBe(0)
      expect(output).toMatch(/Root key replaced\.[^]*1\. Copy the new key[^]*2\. Keep the previous key/)
      const answer = await agentOf(server, agentKey)('search-memories', { query: 'tomatoes' })
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        200,
        expect.stringContaining('Tomatoes want water'),
      ])
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(server.output()).not.toContain('Tomatoes')
      const former = keyFilesIn(site).find((name) => name.includes('.until-')) ?? ''
      const refused = await runCommand(
        { ...site, env: { ...site.env, HOLDFAST_ROOT_KEY_FILE: join(site.keyDir, former) } },
        ['status'],
      )
      expect([refused.code, refused.output]).toEqual([
        1,
        expect.stringContaining('is not the one that encrypts this database'),
      ])
      const again = await runCommand(site, ['rotate-keys'])
      expect([again.code, again.output]).toEqual([0, expect.stringMatching(/^Nothing was changed\./)])
    },
  )
})
