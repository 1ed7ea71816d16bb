import { expect, it } from 'vitest'
import { onPostgres } from '../dialects.ts'
import { measured, scaled } from '../promises/measured.ts'
import { agentOf, send, type Agent } from './agent.ts'
import { setUp, siteFor, startServer, type RunningServer } from './server-process.ts'

/** The ways to take access away, each with the status of every call that starts after the answer. */
const ways = ['revoke the key', 'pause the integration', 'reduce its permissions', 'delete the integration'] as const

interface Person {
  servers: RunningServer[]
  token: string
}

const ask = async ({ servers, token }: Person, path: string, body: object, method = 'POST') => {
  const [server] = servers
  if (server === undefined) throw new Error('there are three')
  const inUrl = method === 'DELETE'
  const url = inUrl ? `${path}?${new URLSearchParams(body as Record<string, string>).toString()}` : path
  const reply = await send(server, token, url, { method, ...(!inUrl && { body: JSON.stringify(body) }) })
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  return reply.body
}

async function takeAway(person: Person, way: (typeof ways)[number], ids: { key: string; integration: string }) {
  if (way === 'revoke the key') return ask(person, '/api/keys', { id: ids.key }, 'DELETE')
  if (way === 'delete the integration') return ask(person, '/api/integrations', { id: ids.integration }, 'DELETE')
  const change = way === 'pause the integration' ? { isActive: false } : { preset: 'read_only' }
  return ask(person, '/api/integrations', { id: ids.integration, ...change }, 'PATCH')
}

/** Calls until it is told that the access is gone; returns how many calls that began after this were accepted. */
async function callOn(agent: Agent, over: { at: number | undefined }): Promise<number> {
  for (;;) {
    const isOver = over.at !== undefined
    const { status } = await agent('write-memory', { content: 'Still here.' })
    if (isOver) return status < 300 ? 1 : 0
  }
}

onPostgres('three servers on one database', (dialect) => {
  it('accept no call that starts after access was taken away', { timeout: 3_600_000 }, async () => {
    const store = await dialect.freshUrl()
    const site = siteFor(store)
    const { dashboardToken: token } = await setUp(site)
    const sites = [site, ...Array.from({ length: 2 }, () => siteFor(store, { keyDir: site.keyDir }))]
    const person: Person = { servers: await Promise.all(sites.map(startServer)), token }
    const trials = scaled(1_000)
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    let accepted = 0
    for (let trial = 0; trial < trials; trial++) {
      const { integration } = await ask(person, '/api/integrations', { label: `Agent ${trial}`, preset: 'read_write' })
      const { id: integrationId } = integration as { id: string }
      const { agentKey, key } = await ask(person, '/api/keys', { integrationId, expiresAt })
      const agents = person.servers.map((server) => agentOf(server, String(agentKey)))
      const before = await Promise.all(agents.map((agent) => agent('write-memory', { content: 'Hello.' })))
      expect(before.map(({ status }) => status)).toEqual([201, 201, 201])
      const over: { at: number | undefined } = { at: undefined }
      const calling = agents.map((agent) => callOn(agent, over))
      const ids = { key: (key as { id: string }).id, integration: integrationId }
      await takeAway(person, ways[trial % ways.length] ?? 'revoke the key', ids)
      over.at = trial
      for (const count of await Promise.all(calling)) accepted += count
    }
    expect(accepted).toBe(0)
    measured({ trials, servers: 3, 'accepted afterwards': accepted })
  })
})
