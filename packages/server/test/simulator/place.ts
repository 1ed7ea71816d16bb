// Where histories happen one after the other, each with a user of its own: a database, and the servers that share it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../../src/api/registry.ts'
import { openPostgresNetwork, type Endpoint, type PostgresNetwork } from './postgres-network.ts'
import { discardServer, startServer, type Running, type World } from './servers.ts'

export interface Place {
  network: PostgresNetwork
  clock: Clock
  world: Pick<World, 'post' | 'onCrash'>
  /** The process of this server that was started last. */
  server(name: string): Running
  restart(name: string): Promise<Running>
  /** Creates a record, before faults begin. */
  make(operation: string, body: object, key: string): Promise<Record<string, unknown>>
  /** Not while timers are stopped. */
  close(): Promise<void>
}

interface Clock {
  reset(at: number): void
  advance(ms: number): void
  /** From now on, the server's clock is so much ahead. */
  skew(name: string, ms: number): void
  /** All clocks show the latest time. */
  align(): void
}

export async function openPlace(databaseUrl: string): Promise<Place> {
  const network = openPostgresNetwork(databaseUrl)
  const keyDir = await mkdtemp(join(tmpdir(), 'holdfast-keys-'))
  const { clock, now } = createClock()
  const world: Place['world'] = { post: unused, onCrash: unused }
  const parts = {
    network,
    databaseUrl,
    keyDir,
    world: {
      now,
      // Whichever history it is.
      post:
        (server: Endpoint) =>
        (...request: Parameters<ReturnType<World['post']>>) =>
          world.post(server)(...request),
      onCrash: (server: Endpoint) => world.onCrash(server),
    },
  }
  const servers = new Map<string, Running>()
  const all: Running[] = []
  const restart = async (name: string) => {
    const server = await startServer(name, parts)
    servers.set(name, server)
    all.push(server)
    return server
  }
  // The first one creates the instance.
  for (const name of ['A', 'B', 'C']) await restart(name)
  const server = (name: string) => servers.get(name) ?? unused()
  return {
    network,
    clock,
    world,
    server,
    restart,
    make: (operation, body, key) => make(server('A'), operation, body, key),
    async close() {
      for (const one of all) await discardServer(one, network)
      await network.close()
      await rm(keyDir, { recursive: true, force: true })
    },
  }
}

function unused(): never {
  throw new Error('no history goes on')
}

async function make({ app }: Running, operation: string, body: object, key: string): Promise<Record<string, unknown>> {
  const audience = key.startsWith('svc_') ? 'agent' : 'person'
  const route = routes.find((known) => known.name === operation && known.audience === audience)
  if (route === undefined) throw new Error(`there is no operation ${operation}`)
  const headers = { authorization: `Bearer ${key}` }
  const response = await app.server.inject({ method: 'POST', url: route.path, headers, payload: body })
  if (response.statusCode !== 201) throw new Error(`${operation}: ${response.payload}`)
  return response.json<Record<string, unknown>>()
}

function createClock(): { clock: Clock; now(name: string): number } {
  const skews = new Map<string, number>()
  let time = Date.now()
  return {
    clock: {
      reset(at) {
        time = at
        skews.clear()
      },
      advance: (ms) => void (time += ms),
      skew: (name, ms) => void skews.set(name, ms),
      align() {
        time += Math.max(0, ...skews.values())
        skews.clear()
      },
    },
    now: (name) => time + (skews.get(name) ?? 0),
  }
}
