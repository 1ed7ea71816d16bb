import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { onPostgres } from '../dialects.ts'
import { agentOf, readAll, searchFor, wordFor } from './agent.ts'
import { query } from './raw-store.ts'
import { setUp, siteFor, startServer } from './server-process.ts'
import { checkRows } from './write-storm.ts'

const terminateAll = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`

onPostgres('a server whose database ends its connections', (dialect) => {
  it('returns 503 or correct answers, recovers by itself and loses nothing', async () => {
    const store = await dialect.freshUrl()
    const site = siteFor(store)
    const { agentKey, vaultId } = await setUp(site)
    const server = await startServer(site)
    const agent = agentOf(server, agentKey)
    const acknowledged = new Map<string, string>()
    const statuses = new Map<number, number>()
    const over = new AbortController()
    const write = async (client: number) => {
      for (let number = 0; !over.signal.aborted; number++) {
        const content = `${wordFor(client * 100_000 + number)} by client ${client}`
        const { status, body, headers } = await agent('write-memory', { content, externalWriteId: content })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const outage = [503, 'Temporarily unavailable: the database cannot be reached', '5']
        const expected = status === 201 ? [201, undefined, null] : outage
        expect([status, body['error'], headers.get('Retry-After')]).toEqual(expected)
        if (status === 201) acknowledged.set(body['memoryId'] as string, content)
      }
    }
    const clients = Array.from({ length: 8 }, (_, client) => write(client))
    for (let round = 0; round < 15; round++) {
      await query(store, terminateAll)
      await sleep(60)
    }
    over.abort()
    await Promise.all(clients)
    expect(statuses.get(503)).toBeGreaterThan(0)

    const { memories, notFound } = await readAll(agent, [...acknowledged.keys()])
    expect(notFound).toEqual([])
    for (const { memoryId, content } of memories) expect(content).toBe(acknowledged.get(memoryId))
    for (const [memoryId, content] of [...acknowledged].slice(-20))
      expect((await searchFor(agent, content.split(' ')[0] ?? '')).map((hit) => hit.memoryId)).toContain(memoryId)
    await checkRows(store, vaultId)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
