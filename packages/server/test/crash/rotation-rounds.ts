// Rounds of: rotate all keys while clients read and write, kill -9 at a random moment, start again on the same data. No call may fail
// while the server runs, and afterwards every row must be readable, with the new keys alone.

import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { findRunningServer } from '../../src/auth/operator-token.ts'
import { sealedPlaces } from '../../src/rotation/sealed-places.ts'
import type { FreshStore } from '../dialects.ts'
import { agentOf, readAll, searchFor, send, wordFor } from './agent.ts'
import { change, query } from './raw-store.ts'
import { setUp, siteFor, startServer, type RunningServer, type Site } from './server-process.ts'

interface Rounds {
  memories: number
  kills: number
  /** A server lives at most this long after its start. */
  longestMs: number
}

export interface Outcome {
  calls: number
  /** 95th percentile of the calls' durations before the first rotation and during the rotations, in milliseconds. */
  p95BeforeMs: number
  p95DuringMs: number
  /** The highest generation of a vault's key. */
  generation: number
}

/** What clients have done so far. Failures are statuses that nobody expects, and connections lost by a server that runs. */
interface Load {
  ids: string[]
  failures: string[]
}

const clients = 4

export async function rotateUnderLoad(store: FreshStore, { memories, kills, longestMs }: Rounds): Promise<Outcome> {
  const site = siteFor(store)
  const account = await setUp(site)
  const before = await readKeyNames(store)
  const load: Load = { ids: [], failures: [] }
  let server = await startServer(site)
  const outputs: (() => string)[] = [server.output]
  await fill(server, account, load, memories)
  // As PostgreSQL does by itself, which tests turn off: without statistics it reads rows by the wrong index.
  if (store.kind === 'postgres') await change(store, 'analyze')
  const undisturbed = work(server, account, load)
  await sleep(Math.min(longestMs, 3_000))
  const quiet = await undisturbed.stop()
  const restart = async () => {
    await server.kill('SIGKILL')
    await passTime(site)
    server = await startServer(site)
    outputs.push(server.output)
  }
  const latencies: number[][] = []
  for (let round = 0; round < kills; round++) {
    const working = work(server, account, load)
    for (const keys of ['root', 'users', 'vaults']) await ask(server, site, keys)
    await sleep(randomInt(longestMs))
    const stopped = working.stop()
    await restart()
    latencies.push(await stopped)
  }
  for (let settled = false; !settled;) {
    const working = work(server, account, load)
    settled = await isSettled(server, site)
    const stopped = working.stop()
    if (!settled) await restart()
    latencies.push(await stopped)
  }
  await checkAll(server, account, load)
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(load.failures).toEqual([])
  for (const output of outputs) expect(output()).not.toMatch(/CellError|KeyWrapError|damaged/)
  const during = latencies.flat()
  const after = await readKeyNames(store)
  expect(after.rootKey).not.toBe(before.rootKey)
  expect(after.masterKey).toBeGreaterThan(before.masterKey)
  return {
    calls: quiet.length + during.length,
    p95BeforeMs: p95(quiet),
    p95DuringMs: p95(during),
    generation: await checkGenerations(store),
  }
}

/** Which root key and which version of the owner's master key are in use. */
async function readKeyNames(store: FreshStore): Promise<{ rootKey: string; masterKey: number }> {
  const [names] = await query(store, 'select "rootKeyId", "mekVersion" from "instance", "users"')
  return { rootKey: String(names?.['rootKeyId']), masterKey: Number(names?.['mekVersion']) }
}

type Account = Awaited<ReturnType<typeof setUp>>

/** Sealed under the user's key outside of vaults. */
const defaultsPath = '/api/documents/defaults'
const document = (number: number) => ({ documentType: 'soul', content: `Be kind to ${wordFor(number)}.` })

async function fill(server: RunningServer, { agentKey }: Account, load: Load, count: number): Promise<void> {
  const agent = agentOf(server, agentKey)
  const writeSome = async (first: number) => {
    for (let number = first; number < count; number += 16) {
      const content = `${wordFor(number)} is number ${number}.`
      let reply = await agent('write-memory', { content })
      // On a busy machine the server may ask to wait.
      for (; reply.status === 503; reply = await agent('write-memory', { content })) await sleep(2_000)
      expect(reply.status).toBe(201)
      load.ids[number] = String(reply.body['memoryId'])
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, first) => writeSome(first)))
}

/** Clients that read, search, write and change memories until they are stopped, or the server is killed right after. */
function work(server: RunningServer, { agentKey, dashboardToken }: Account, load: Load): { stop(): Promise<number[]> } {
  const agent = agentOf(server, agentKey)
  const person = (method: string, body?: object) =>
    send(server, dashboardToken, defaultsPath, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const latenciesMs: number[] = []
  const stopping = new AbortController()
  const calls = [
    () => agent('read-memories', { memoryIds: [load.ids[randomInt(load.ids.length)]] }),
    () => agent('search-memories', { query: wordFor(randomInt(load.ids.length)), topK: 3 }),
    () => agent('write-memory', { content: `${wordFor(load.ids.length)} is new.` }),
    () => agent('update-memory', { memoryId: load.ids[randomInt(load.ids.length)], importance: 4 }),
    () => person('PATCH', document(randomInt(100))),
    () => person('GET'),
  ]
  const client = async (first: number) => {
    for (let at = first; !stopping.signal.aborted; at++) {
      const began = performance.now()
      try {
        const reply = await calls[at % calls.length]?.()
        latenciesMs.push(performance.now() - began)
        // No setting lifts the limit of a person's calls.
        if (reply?.status === 429) await sleep(1_000)
        else if (reply?.status === 201) load.ids.push(String(reply.body['memoryId']))
        else if (reply?.status !== 200 || hidesRecords(reply.body))
          load.failures.push(`${reply?.status} ${JSON.stringify(reply?.body)}`)
      } catch (error) {
        if (!stopping.signal.aborted) load.failures.push(String(error))
      }
    }
  }
  const working = Promise.all(Array.from({ length: clients }, (_, first) => client(first)))
  return {
    async stop() {
      stopping.abort()
      await working
      return latenciesMs
    },
  }
}

/** Whether a search has left out records that it can't read. */
const hidesRecords = ({ degraded = [] }: Record<string, unknown>): boolean =>
  JSON.stringify(degraded).includes('damaged')

const asOperator = (server: RunningServer, site: Site, path: string, body?: object) =>
  send(server, findRunningServer(site.dataDir)?.token ?? '', path, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function ask(server: RunningServer, site: Site, keys: string): Promise<void> {
  const { status, body } = await asOperator(server, site, '/api/system/encryption-keys/rotate', { keys })
  expect([status, body]).toMatchObject([200, {}])
}

/** As if all waiting times were over: with a server that was killed, all of its calls have ended. */
const passTime = ({ store }: Site): Promise<void> =>
  change(
    store,
    'update "instance" set "rootKeySince" = 1',
    'update "vaultKeys" set "sealsFrom" = 1 where "sealsFrom" > 1',
    'update "users" set "nextMekFrom" = 1 where "nextMekFrom" > 1',
    'delete from "servers"',
    'delete from "jobLeases"',
  )

const settlesWithinMs = 5_000

/** Whether no key is left to replace, once the job that starts with the server has done what it can without waiting. */
async function isSettled(server: RunningServer, site: Site): Promise<boolean> {
  let last = ''
  for (let until = performance.now() + settlesWithinMs; performance.now() < until; await sleep(250)) {
    const { body } = await asOperator(server, site, '/api/system/encryption-keys')
    const { users, vaults } = body['storedKeys'] as Record<'users' | 'vaults', { left: number; stuck: number }>
    expect([users.stuck, vaults.stuck]).toEqual([0, 0])
    if (users.left === 0 && vaults.left === 0) return true
    // As long as there is progress, there is no reason to kill it.
    const now = JSON.stringify(body['storedKeys'])
    if (now !== last) until = performance.now() + settlesWithinMs
    last = now
  }
  return false
}

async function checkAll(server: RunningServer, { agentKey, dashboardToken }: Account, { ids }: Load): Promise<void> {
  const agent = agentOf(server, agentKey)
  const readDefaults = () => send(server, dashboardToken, defaultsPath, { method: 'GET' })
  let reply = await readDefaults()
  // The load may have used up what a person may do in a minute.
  for (; reply.status === 429; reply = await readDefaults()) await sleep(1_000 * Number(reply.body['retryAfter']))
  expect([reply.status, JSON.stringify(reply.body)]).toEqual([200, expect.stringContaining('Be kind to ')])
  const { memories, notFound } = await readAll(agent, ids)
  expect([memories.length, notFound]).toEqual([ids.length, []])
  for (let number = 0; number < 20; number++)
    expect((await searchFor(agent, wordFor(number))).map(({ memoryId }) => memoryId)).toContain(ids[number])
}

/** One key is left for each scope, and nothing is sealed under another one. */
async function checkGenerations(store: FreshStore): Promise<number> {
  const keys = await query(store, 'select "scopeId", "generation" from "vaultKeys"')
  expect(new Set(keys.map(({ scopeId }) => scopeId)).size).toBe(keys.length)
  for (const { table, columns, scope } of sealedPlaces)
    for (const column of columns) {
      const found = await query(
        store,
        `select distinct substr("sealed"."${column}", 3, 4) as "header", "key"."generation" from "${table}" as "sealed"
         left join "vaultKeys" as "key" on "key"."scopeId" = "sealed"."${scope}" where "sealed"."${column}" is not null`,
      )
      for (const { header, generation } of found)
        expect([table, Buffer.from(header as Uint8Array).readUInt32BE()]).toEqual([table, Number(generation)])
    }
  return Math.max(...keys.map(({ generation }) => Number(generation)))
}

function p95(latenciesMs: readonly number[]): number {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * 0.95)] ?? 0) * 10) / 10
}
