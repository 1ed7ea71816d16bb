// Servers as whole apps in this process, that share one PostgreSQL. A server that crashes is abandoned where it is; another app takes its place.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type App } from '../../src/app.ts'
import { createLog } from '../../src/core/log.ts'
import { noTelemetry } from '../../src/telemetry/telemetry.ts'
import type { Webhooks } from '../../src/webhooks/gate.ts'
import type { Post } from '../../src/webhooks/post.ts'
import { configOfTests } from '../app.ts'
import type { Endpoint, PostgresNetwork } from './postgres-network.ts'

/** One process of a server, from its start to its end. */
export interface Running extends Endpoint {
  readonly app: App
  /** Settles when it crashes. */
  readonly crashed: Promise<void>
}

/** What a server sees of the world outside of the database. */
export interface World {
  /** Its clock. */
  now(name: string): number
  post(server: Endpoint): Post
  /** Called after a crash, once its connections are cut. */
  onCrash(server: Endpoint): void
}

export interface ServerParts {
  network: PostgresNetwork
  databaseUrl: string
  keyDir: string
  world: World
}

let incarnations = 0

/** A server seldom uses more at once, and each takes some milliseconds to open. */
const connectionsAtStart = 6

export async function startServer(name: string, parts: ServerParts): Promise<Running> {
  const endpoint = new ServerEndpoint(name, parts)
  const { network, databaseUrl, keyDir, world } = parts
  network.add(endpoint)
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-simulator-'))
  const app = await createApp(
    {
      ...configOfTests,
      dataDir,
      databaseUrl: `${databaseUrl}&application_name=${endpoint.id}`,
      rootKey: { given: undefined, command: undefined, dir: keyDir },
    },
    {
      log: createLog('error', { write: () => {} }),
      now: () => world.now(name),
      runsJobs: false,
      telemetry: { ...noTelemetry, post: () => world.post(endpoint) },
    },
  )
  // As the app does if it runs jobs, of which a history has its own.
  ;(app.services.webhooks as Webhooks).start()
  await openConnections(app, connectionsAtStart)
  return Object.assign(endpoint, { app, dataDir })
}

/** Opens so many connections, by default all that the app can have: no history depends on how many earlier ones needed or lost. */
export async function openConnections({ services: { db } }: App, count = db.load.max): Promise<void> {
  while (db.load.open < count)
    await Promise.all(Array.from({ length: count }, () => db.read.selectFrom('instance').select('id').execute()))
}

class ServerEndpoint implements Endpoint {
  readonly id: string
  readonly name: string
  readonly crashed: Promise<void>
  isScheduled = false
  isGone = false
  readonly #parts: ServerParts
  readonly #frozen: (() => void)[] = []
  #reportCrash = () => {}
  isOver = false

  constructor(name: string, parts: ServerParts) {
    this.id = `simulated_${++incarnations}`
    this.name = name
    this.#parts = parts
    this.crashed = new Promise((resolve) => (this.#reportCrash = resolve))
  }

  crash(): void {
    if (this.isGone) return
    this.isGone = true
    this.#parts.world.onCrash(this)
    this.#reportCrash()
  }

  freeze(): Promise<never> {
    const reason = new Error('the server is gone')
    if (this.isOver) return Promise.reject(reason)
    return new Promise((_, reject) => this.#frozen.push(() => reject(reason)))
  }

  thaw(): void {
    this.isOver = true
    for (const end of this.#frozen) end()
  }
}

/** Frees what the process of a server would free by ending: all that it still tries fails. */
export async function discardServer(server: Running, network: PostgresNetwork): Promise<void> {
  server.isGone = true
  await network.cutOff(server)
  if (server instanceof ServerEndpoint) server.thaw()
  await server.app.stop().catch(() => {})
  network.remove(server)
  const { dataDir } = server as unknown as { dataDir: string }
  await rm(dataDir, { recursive: true, force: true })
}
