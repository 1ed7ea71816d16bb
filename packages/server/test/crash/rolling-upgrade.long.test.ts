import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { onPostgres } from '../dialects.ts'
import { findProgram } from '../program.ts'
import { measured } from '../promises/measured.ts'
import { agentOf, type Agent } from './agent.ts'
import { query } from './raw-store.ts'
import { setUp, siteFor, spawnServer, startServer, type RunningServer, type Site } from './server-process.ts'

/** This version's program with one more migration. */
function nextVersion(migration: { name: string; statement: string }): string {
  const program = findProgram()
  const built = dirname(dirname(program))
  const folder = mkdtempSync(join(dirname(built), 'next-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(built, folder, { recursive: true, verbatimSymlinks: true })
  const added = `{name:'${migration.name}',statements:()=>[${JSON.stringify(migration.statement)}]}`
  const changed = globSync('dist/**/*.js', { cwd: folder }).filter((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const withMigration = text.replace(/\bmigrations=\[[^\]]+/, (listed) => `${listed},${added}`)
    if (withMigration !== text) writeFileSync(join(folder, name), withMigration)
    return withMigration !== text
  })
  expect(changed).toHaveLength(1)
  return join(folder, relative(built, program))
}

const drainSeconds = 3

/** Agents whose calls a balancer gives to servers that say they are ready, as `docs/deploy.md` describes it. */
function startLoad(key: string) {
  const agents = new Map<RunningServer, { agent: Agent; isReady: boolean }>()
  const counts = { calls: 0, failures: [] as string[] }
  const ids: string[] = []
  const over = new AbortController()
  let turn = 0
  const watch = async () => {
    while (!over.signal.aborted) {
      await Promise.all(
        Array.from(agents, async ([{ url }, state]) => {
          state.isReady = await fetch(`${url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          )
        }),
      )
      await sleep(200)
    }
  }
  const client = async (number: number) => {
    for (let call = 0; !over.signal.aborted; call++) {
      const ready = [...agents.values()].filter(({ isReady }) => isReady)
      const to = ready[turn++ % ready.length]
      if (to === undefined) {
        await sleep(50)
        continue
      }
      counts.calls++
      const words = `ferry ${number} of ${call}`
      try {
        const reply = await (call % 2 === 0
          ? to.agent('write-memory', { content: `The ${words} has left.`, externalWriteId: words })
          : to.agent('search-memories', { query: words, topK: 3 }))
        if (reply.status >= 400) counts.failures.push(`${reply.status} ${JSON.stringify(reply.body)}`)
        else if (call % 2 === 0) ids.push(String(reply.body['memoryId']))
      } catch (error) {
        counts.failures.push(String(error))
      }
    }
  }
  const running = [watch(), ...Array.from({ length: 8 }, (_, number) => client(number))]
  return {
    counts,
    ids,
    add: (server: RunningServer) => void agents.set(server, { agent: agentOf(server, key), isReady: false }),
    async end() {
      over.abort()
      await Promise.all(running)
    },
  }
}

onPostgres('a new version', (dialect) => {
  it(
    'that only adds to the database replaces three servers one by one, and no request fails',
    { timeout: 300_000 },
    async () => {
      const store = await dialect.freshUrl()
      const first = siteFor(store)
      const { agentKey } = await setUp(first)
      const siteOf = (program?: string): Site => {
        const site = siteFor(store, { keyDir: first.keyDir })
        const env = { ...site.env, HOLDFAST_DRAIN_SECONDS: String(drainSeconds) }
        return { ...site, env, ...(program !== undefined && { program }) }
      }
      const old: RunningServer[] = []
      for (let server = 0; server < 3; server++) old.push(await startServer(siteOf()))
      const load = startLoad(agentKey)
      for (const server of old) load.add(server)
      await sleep(3_000)
      const statement =
        `alter table "memories" add column "added" text; alter table "vaults" add column "added" bigint not null default 0; ` +
        `create table "added" ("id" text)`
      const program = nextVersion({ name: '0999-expand-added', statement })
      for (const server of old) {
        load.add(await startServer(siteOf(program)))
        await sleep(1_000)
        expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
      }
      await sleep(2_000)
      // And back: a server of the version before works with what the newer one added.
      load.add(await startServer(siteOf()))
      await sleep(3_000)
      await load.end()
      const { calls, failures } = load.counts
      measured({ calls, 'failed calls': failures.length })
      expect(failures).toEqual([])
      expect(calls).toBeGreaterThan(500)
      const stored = await query(store, 'select "id" from "memories"')
      expect(stored.length).toBe(new Set(load.ids).size)
    },
  )

  it(
    'that changes the database starts once the servers of the version before have stopped',
    { timeout: 120_000 },
    async () => {
      const store = await dialect.freshUrl()
      const site = siteFor(store)
      await setUp(site)
      const server = await startServer(site)
      const program = nextVersion({ name: '0999-changed', statement: 'alter table "memories" add column "added" text' })
      const next: Site = { ...siteFor(store, { keyDir: site.keyDir }), program }
      const refused = spawnServer(next)
      expect((await refused.exited).code).not.toBe(0)
      expect(refused.output()).toMatch(/Migration 0999-changed changes .* one still runs .*\(process \d+\)/)
      await server.kill('SIGTERM')
      await startServer(next)
    },
  )
})
