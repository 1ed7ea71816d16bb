import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eachDialect, type FreshStore } from '../dialects.ts'
import { measured, scaled } from '../promises/measured.ts'
import { agentOf, readAll, searchFor, wordFor, type Agent } from './agent.ts'
import { killRepeatedly } from './kill-rounds.ts'
import { change, query } from './raw-store.ts'
import { setUp, siteFor, spawnServer, startServer } from './server-process.ts'

const minutes = 60_000

const target = { kills: 1_000, acknowledged: 100_000 }

/** Each round reads everything written before, so many rounds on one store would take far longer. */
const roundsOnOneStore = 50

/** A server that starts, is killed or waits for the next call leaves its processor idle. */
const storesAtOnce = availableParallelism() + 1

eachDialect('a server killed a thousand times while many clients write', (dialect) => {
  it(
    'keeps every acknowledged memory, complete and findable, and no part of another',
    { timeout: 300 * minutes },
    async () => {
      const kills = scaled(target.kills)
      const rounds = Math.min(roundsOnOneStore, kills)
      const writesPerKill = target.acknowledged / target.kills
      const total = { kills: 0, acknowledged: 0, unknown: 0 }
      const killOnFreshStores = async () => {
        while (total.kills < kills || total.acknowledged < scaled(target.acknowledged)) {
          // A slow machine writes for longer between kills, so that it reaches both targets together.
          const isBehind = total.acknowledged < total.kills * writesPerKill
          const { acknowledged, unknown } = await killRepeatedly(await dialect.freshUrl(), {
            rounds,
            longestMs: isBehind ? 3_000 : 1_000,
          })
          total.kills += rounds
          total.acknowledged += acknowledged
          total.unknown += unknown
        }
      }
      await Promise.all(Array.from({ length: storesAtOnce }, killOnFreshStores))
      const { acknowledged, unknown } = total
      expect(acknowledged).toBeGreaterThan(unknown)
      measured({ kills: total.kills, 'acknowledged writes': acknowledged, lost: 0, 'unanswered writes': unknown })
    },
  )
})

eachDialect('a first start killed at random moments', (dialect) => {
  it('leaves nothing that stops the next start', { timeout: 5 * minutes }, async () => {
    const site = siteFor(await dialect.freshUrl())
    for (let round = 0; round < 20; round++) {
      const server = spawnServer(site)
      await sleep(randomInt(100, 900))
      await server.kill('SIGKILL')
    }
    const { agentKey } = await setUp(site)
    expect((await agentOf(await startServer(site), agentKey)('write-memory', { content: 'first' })).status).toBe(201)
  })
})

/** Enough changes and words that a snapshot is due and takes several segments. */
async function fill(agent: Agent): Promise<Map<string, string>> {
  const written = new Map<string, string>()
  const writeSome = async (from: number, to: number) => {
    for (let number = from; number < to; number++) {
      const others = Array.from({ length: 2_000 }, (_, at) => wordFor(10_000 + ((number * 37 + at * 11) % 9_000)))
      const { status, body } = await agent('write-memory', { content: `${wordFor(number)} ${others.join(' ')}` })
      expect(status).toBe(201)
      written.set(wordFor(number), body['memoryId'] as string)
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5].map((client) => writeSome(client * 200, client * 200 + 200)))
  return written
}

/** How much of a snapshot was stored before the server was killed. */
async function storedPart(store: FreshStore): Promise<'nothing' | 'a part' | 'all'> {
  const rows = await query(store, 'select "segments" from "indexSnapshots"')
  if (rows.length === 0) return 'nothing'
  return rows.length < Number(rows[0]?.['segments']) ? 'a part' : 'all'
}

async function checkSearch(agent: Agent, written: Map<string, string>): Promise<void> {
  for (const [word, memoryId] of [...written].slice(0, 50))
    expect([word, (await searchFor(agent, word))[0]?.memoryId]).toEqual([word, memoryId])
  expect((await readAll(agent, [...written.values()])).notFound).toEqual([])
}

eachDialect('a server killed while it writes an index snapshot', (dialect) => {
  it('finds everything afterwards, and finally writes a complete one', { timeout: 10 * minutes }, async () => {
    const site = siteFor(await dialect.freshUrl())
    const { agentKey, vaultId } = await setUp(site)
    let server = await startServer(site)
    const written = await fill(agentOf(server, agentKey))
    let cutShort = 0
    // Finds out when this machine writes the snapshot.
    let usualMs = 125
    for (let round = 0; round < 20; round++) {
      await server.kill('SIGKILL')
      const part = await storedPart(site.store)
      if (part === 'a part') cutShort++
      // A complete one would be loaded, and no other written.
      else await change(site.store, 'delete from "indexSnapshots"')
      if (part === 'nothing') usualMs *= 1.4
      else if (part === 'all') usualMs /= 1.4
      server = await startServer(site)
      await searchFor(agentOf(server, agentKey), wordFor(1))
      await sleep(randomInt(Math.ceil(usualMs * 2)))
    }
    await server.kill('SIGKILL')
    expect(cutShort).toBeGreaterThan(0)

    server = await startServer(site)
    await checkSearch(agentOf(server, agentKey), written)
    await server.kill('SIGTERM')
    const [vault] = await query(site.store, `select "seq" from "vaults" where "id" = '${vaultId}'`)
    const segments = await query(site.store, 'select "seq", "segments" from "indexSnapshots"')
    expect(segments.length).toBeGreaterThan(1)
    expect(segments).toEqual(segments.map(() => ({ seq: vault?.['seq'], segments: segments.length })))
    await checkSearch(agentOf(await startServer(site), agentKey), written)
  })
})
