import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { startTestApp } from './app.ts'
import { startEmbeddedServer } from './embedded-postgres.ts'
import { makeUserWithAgent } from './factories.ts'

// `apt-get install pgbouncer` on Debian. The pooler refuses to run as root.
const unprivilegedId = 65534
const pools = 4

function reasonToSkip(): string | undefined {
  const postgres = inject('postgres')
  if ('missing' in postgres) return postgres.missing
  return spawnSync('pgbouncer', ['--version']).error === undefined ? undefined : 'pgbouncer isn’t installed'
}

/** A PostgreSQL behind a pooler that gives each transaction another connection, and that accepts no start-up parameters. */
async function startPooledServer(): Promise<string> {
  const server = await startEmbeddedServer()
  onTestFinished(() => server.stop())
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-pgbouncer-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const settings = [
    '[databases]',
    `* = host=${new URL(server.url).searchParams.get('host')}`,
    '[pgbouncer]',
    'listen_addr =',
    `unix_socket_dir = ${dir}`,
    'auth_type = trust',
    'admin_users = postgres',
    // As docs/self-hosting.md says. With the default, nothing is answered for 15 seconds after a KILL.
    'server_login_retry = 1',
    `auth_file = ${join(dir, 'users')}`,
    'pool_mode = transaction',
    `default_pool_size = ${pools}`,
  ]
  writeFileSync(join(dir, 'users'), '"postgres" ""\n')
  writeFileSync(join(dir, 'settings'), settings.join('\n'))
  const ids = process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {}
  if (ids.uid !== undefined) chownSync(dir, ids.uid, ids.gid)
  const pooler = spawn('pgbouncer', [join(dir, 'settings')], { ...ids, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(pooler, 'exit')
  onTestFinished(async () => {
    pooler.kill('SIGKILL')
    await ended
  })
  let said = ''
  pooler.stderr.on('data', (data: Buffer) => (said += data.toString()))
  await expect.poll(() => said, { timeout: 10_000 }).toContain('process up')
  return `postgres://postgres@localhost:6432/postgres?host=${encodeURIComponent(dir)}`
}

const skipped = reasonToSkip()

describe.skipIf(skipped)(
  `PgBouncer in transaction mode${skipped === undefined ? '' : ` (skipped: ${skipped})`}`,
  () => {
    it('serves servers that start together and one after the other, and leaves no lock behind', async () => {
      const url = await startPooledServer()
      for (let round = 0; round < 4; round++) {
        const starts = Array.from({ length: 2 }, async () => {
          const db = await openPostgres(url)
          try {
            await migrate(db)
            // As many at once as the pooler has connections, so that the next round meets all of them.
            const writes = Array.from({ length: pools }, () =>
              db.write(async (tx) => {
                await sql`select pg_sleep(0.05)`.execute(tx)
                const { rows } = await sql<{
                  value: string
                }>`select current_setting('statement_timeout') as value`.execute(tx)
                return rows[0]?.value
              }),
            )
            expect(await Promise.all(writes)).toEqual(Array.from({ length: pools }, () => '10s'))
          } finally {
            await db.close()
          }
        })
        await Promise.all(starts)
      }
      const db = await openPostgres(url)
      const { rows } = await sql`select pid from pg_locks where locktype = 'advisory'`.execute(db.read)
      await db.close()
      expect(rows).toEqual([])
    })

    it('answers again soon after all connections were killed', async () => {
      const url = await startPooledServer()
      const admin = new Client({ connectionString: url.replace('/postgres?', '/pgbouncer?') })
      await admin.connect()
      const test = await startTestApp({ config: { databaseUrl: url } })
      const { key } = await makeUserWithAgent(test)
      const write = async () => (await test.call('write-memory', { content: 'The harbour freezes.' }, { key })).status
      const over = new AbortController()
      const writing = Array.from({ length: 8 }, async () => {
        while (!over.signal.aborted) await write()
      })
      await admin.query('PAUSE postgres')
      await admin.query('KILL postgres')
      await admin.query('RESUME postgres')
      // Half of the time that PgBouncer waits by default.
      await expect.poll(write, { timeout: 7_500 }).toBe(201)
      over.abort()
      await Promise.all(writing)
      await admin.end()
    })

    it('serves a whole server, also while many clients write at once', async () => {
      const test = await startTestApp({ config: { databaseUrl: await startPooledServer() } })
      const { key } = await makeUserWithAgent(test)
      const numbers = Array.from({ length: 40 }, (_, at) => at)
      const answers = await Promise.all(
        numbers.map((number) => test.call('write-memory', { content: `Harbour ${number} freezes.` }, { key })),
      )
      expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 201))
      const memoryIds = answers.map(({ body }) => body['memoryId'])
      expect((await test.call('read-memories', { memoryIds }, { key })).body).toMatchObject({ notFound: [] })
      expect((await test.call('search-memories', { query: 'harbour 7' }, { key })).text).toContain('Harbour 7 freezes.')
    })
  },
)
