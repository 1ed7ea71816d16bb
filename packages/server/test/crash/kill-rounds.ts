// Rounds of: start, let many clients write, kill -9 at a random moment, start again on the same data, check every promise.

import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { FreshStore } from '../dialects.ts'
import { agentOf, patient } from './agent.ts'
import { setUp, siteFor, startServer, type Site } from './server-process.ts'
import { checkPromises, checkRows, writeWithClients, type Storm } from './write-storm.ts'

const clients = 8

export interface Outcome {
  acknowledged: number
  unknown: number
}

const countAcknowledged = (storm: Storm, since: number): number =>
  storm.slice(since).filter((write) => write.memoryId !== undefined).length

interface Rounds {
  rounds: number
  /** The server is killed at a random moment up to this. */
  longestMs: number
  /** What happens to the store of the killed server. Default: nothing. */
  afterKill?: () => void
}

export const killRepeatedly = (store: FreshStore, rounds: Rounds): Promise<Outcome> =>
  killAtSite(siteFor(store), rounds)

export async function killAtSite(site: Site, { rounds, longestMs, afterKill = () => {} }: Rounds): Promise<Outcome> {
  const { store } = site
  const { agentKey, vaultId } = await setUp(site)
  const storm: Storm = []
  const outcome = { acknowledged: 0, unknown: 0 }
  let server = await startServer(site)
  for (let round = 0; round < rounds; round++) {
    const since = storm.length
    const writing = writeWithClients(storm, agentOf(server, agentKey), clients)
    // Counted from the first answer, which takes a second on a busy machine: a round without any would prove nothing.
    await expect.poll(() => countAcknowledged(storm, since)).toBeGreaterThan(0)
    await sleep(randomInt(longestMs))
    await server.kill('SIGKILL')
    await writing
    afterKill()
    const known = countAcknowledged(storm, since)
    outcome.acknowledged += known
    outcome.unknown += storm.length - since - known
    await checkRows(store, vaultId)
    server = await startServer(site)
    await checkPromises(storm, patient(agentOf(server, agentKey)), since)
  }
  await server.kill('SIGKILL')
  await checkRows(store, vaultId)
  return outcome
}
