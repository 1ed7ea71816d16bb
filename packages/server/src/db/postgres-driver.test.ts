import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { onPostgres } from '../../test/dialects.ts'
import type { Database, Reader, Tx } from './dialect.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { prepared, type Param } from './prepared.ts'

async function show(db: Reader | Tx, setting: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(db)
  return rows[0]?.value
}

async function open(url: string): Promise<Database> {
  const db = await openPostgres(url)
  onTestFinished(() => db.close())
  return db
}

async function openEmpty(url: string): Promise<Database> {
  const db = await open(url)
  await migrate(db)
  return db
}

const addLease = prepared((db, param: Param<{ name: string }>) =>
  db.insertInto('jobLeases').values({ name: param('name'), holder: '', leaseUntil: 1, restUntil: 1 }),
)

const readLease = prepared((db, param: Param<{ name: string }>) =>
  db.selectFrom('jobLeases').selectAll().where('name', '=', param('name')),
)

const leases = async (db: Database) =>
  (await db.read.selectFrom('jobLeases').select('name').orderBy('name').execute()).map(({ name }) => name)

/**
 * Starts a proxy that closes a connection as soon as it has forwarded the statement, so that the client gets no answer. Returns its URL.
 */
async function cutAfter(statement: string, url: string): Promise<string> {
  const { searchParams, pathname } = new URL(url)
  const sockets: Socket[] = []
  const network = createServer((socket) => {
    const server = connect(`${searchParams.get('host')}/.s.PGSQL.5432`)
    sockets.push(socket, server)
    for (const end of sockets) end.on('error', () => {})
    server.on('data', (data) => socket.write(data))
    server.on('end', () => socket.end())
    socket.on('end', () => server.end())
    socket.on('data', (data) => {
      server.write(data)
      if (data.includes(statement)) socket.destroy()
    })
  })
  await once(network.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    network.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = network.address() as AddressInfo
  return `postgres://postgres@127.0.0.1:${port}${pathname}`
}

onPostgres('a transaction', (dialect) => {
  const freshUrl = async () => {
    const store = await dialect.freshUrl()
    if (store.kind !== 'postgres') throw new Error('a PostgreSQL was expected')
    return store.url
  }

  it('is durable, also on the standby, and limited in time, although someone changed the settings', async () => {
    const url = await freshUrl()
    const db = await open(url)
    const admin = new Client(url)
    await admin.connect()
    onTestFinished(() => admin.end())
    const name = new URL(url).pathname.slice(1)
    for (const level of ['off', 'local', 'remote_write']) {
      await admin.query(`alter database "${name}" set synchronous_commit = ${level}`)
      await admin.query(`alter database "${name}" set statement_timeout = 0`)
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [name],
      )
      await expect.poll(() => show(db.read, 'synchronous_commit').catch(() => undefined)).toBe(level)
      const inside = await db.write(async (tx) => [
        await show(tx, 'synchronous_commit'),
        await show(tx, 'statement_timeout'),
        await show(tx, 'idle_in_transaction_session_timeout'),
      ])
      expect(inside).toEqual(['on', '10s', '1s'])
    }
  })

  it('throws why an insert failed, also after other statements, and keeps nothing', async () => {
    const db = await openEmpty(await freshUrl())
    await db.write((tx) => addLease.execute(tx, { name: 'a' }))
    const last = db.write(async (tx) => {
      await addLease.execute(tx, { name: 'b' })
      await addLease.execute(tx, { name: 'a' })
    })
    await expect(last).rejects.toMatchObject({ code: '23505' })
    const earlier = db.write(async (tx) => {
      await addLease.execute(tx, { name: 'a' })
      await addLease.execute(tx, { name: 'c' })
      await readLease.execute(tx, { name: 'c' })
    })
    await expect(earlier).rejects.toMatchObject({ code: '23505' })
    expect(await leases(db)).toEqual(['a'])
    // The same connection is used again.
    await db.write((tx) => addLease.execute(tx, { name: 'b' }))
    expect(await leases(db)).toEqual(['a', 'b'])
  })

  it('reads what it has inserted, and says how many rows', async () => {
    const db = await openEmpty(await freshUrl())
    const found = await db.write(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('jobLeases')
        .values(['a', 'b'].map((name) => ({ name, holder: '', leaseUntil: 1, restUntil: 1 })))
        .executeTakeFirstOrThrow()
      return [numInsertedOrUpdatedRows, await readLease.execute(tx, { name: 'b' })]
    })
    expect(found).toEqual([2n, [{ name: 'b', holder: '', leaseUntil: 1, restUntil: 1 }]])
  })

  it('of a frozen process doesn’t hold up others for long, and its work runs again', async () => {
    const url = await freshUrl()
    const [frozen, other] = [await openEmpty(url), await open(url)]
    await frozen.write((tx) => addLease.execute(tx, { name: 'a' }))
    const lockLease = (tx: Tx, holder: string) => tx.updateTable('jobLeases').set({ holder }).execute()
    const isLocked = Promise.withResolvers<void>()
    const isOver = Promise.withResolvers<void>()
    let attempts = 0
    const first = frozen.write(async (tx) => {
      attempts++
      await lockLease(tx, 'frozen')
      isLocked.resolve()
      await isOver.promise
      await addLease.execute(tx, { name: 'frozen' })
    })
    await isLocked.promise
    await other.write((tx) => lockLease(tx, 'other'))
    isOver.resolve()
    await first
    expect(attempts).toBe(2)
    expect(await leases(other)).toEqual(['a', 'frozen'])
  })

  it('of a process that was busy for too long runs again, although the process has not read why', async () => {
    const db = await openEmpty(await freshUrl())
    let attempts = 0
    await db.write(async (tx) => {
      await addLease.execute(tx, { name: 'a' })
      await readLease.execute(tx, { name: 'a' })
      // Blocks the thread, as long work does.
      if (attempts++ === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
      await readLease.execute(tx, { name: 'a' })
    })
    expect(attempts).toBe(2)
    expect(await leases(db)).toEqual(['a'])
  })
})

onPostgres('a connection that was made during a migration', (dialect) => {
  it('has the usual limits afterwards', async () => {
    const store = await dialect.freshUrl()
    if (store.kind !== 'postgres') throw new Error('a PostgreSQL was expected')
    const db = await open(store.url)
    await db.withMigrationLock(async () => {
      await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.1)`.execute(db.read)))
    })
    const limits = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { rows } = await sql<{ limit: string }>`
          select current_setting('statement_timeout') as limit from pg_sleep(2.5)`.execute(db.read)
        return rows[0]?.limit
      }),
    )
    expect(limits).toEqual(['10s', '10s', '10s', '10s'])
  })
})

onPostgres('writes of one lane', (dialect) => {
  const openStore = async () => {
    const store = await dialect.freshUrl()
    if (store.kind !== 'postgres') throw new Error('a PostgreSQL was expected')
    return { db: await openEmpty(store.url), url: store.url }
  }

  it('that come together share a commit', async () => {
    const { db } = await openStore()
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        db.write(async (tx) => {
          await addLease.execute(tx, { name })
          const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx)
          return rows[0]?.id
        }, 'a vault'),
      ),
    )
    // The first one began at once, so it was alone.
    expect(new Set(ids).size).toBe(2)
    expect(await leases(db)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('fail on their own, by their work or by an insert', async () => {
    const { db } = await openStore()
    const write = (name: string, error?: Error) =>
      db.write(async (tx) => {
        await addLease.execute(tx, { name })
        if (error !== undefined) throw error
        return name
      }, 'a vault')
    const outcomes = await Promise.allSettled([
      write('a'),
      write('b'),
      write('refused', new Error('refused')),
      write('b'),
      write('c'),
    ])
    expect(outcomes).toMatchObject([
      { value: 'a' },
      { value: 'b' },
      { reason: new Error('refused') },
      { reason: { code: '23505' } },
      { value: 'c' },
    ])
    expect(await leases(db)).toEqual(['a', 'b', 'c'])
  })

  it('are not repeated if their commit got no answer', async () => {
    const { db, url } = await openStore()
    const far = await open(await cutAfter('commit\0', url))
    let runs = 0
    const write = (name: string) =>
      far.write(async (tx) => {
        runs++
        await sql`insert into "jobLeases" values (${name} || pg_current_xact_id()::text, '', 1, 1)`.execute(tx)
      }, 'a vault')
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(write))
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') throw new Error('acknowledged without an answer')
      expect(far.explainFailure(outcome.reason)?.kind).toBe('unavailable')
    }
    expect(runs).toBe(3)
    await expect.poll(() => leases(db)).toHaveLength(3)
  })
})

onPostgres('a prepared statement', (dialect) => {
  it('goes on after its table got another column, also in a transaction', async () => {
    const store = await dialect.freshUrl()
    if (store.kind !== 'postgres') throw new Error('a PostgreSQL was expected')
    const db = await openEmpty(store.url)
    const other = await open(store.url)
    const addColumn = (name: string) => other.read.schema.alterTable('jobLeases').addColumn(name, 'integer').execute()
    await db.write((tx) => addLease.execute(tx, { name: 'a' }))
    const row = { name: 'a', holder: '', leaseUntil: 1, restUntil: 1 }
    expect(await readLease.execute(db.read, { name: 'a' })).toEqual([row])
    await addColumn('one')
    expect(await readLease.execute(db.read, { name: 'a' })).toEqual([{ ...row, one: null }])
    await addColumn('two')
    expect(await db.write((tx) => readLease.execute(tx, { name: 'a' }))).toEqual([{ ...row, one: null, two: null }])
    await sql`deallocate all`.execute(db.read)
    expect(await readLease.execute(db.read, { name: 'a' })).toEqual([{ ...row, one: null, two: null }])
    await db.write((tx) => addLease.execute(tx, { name: 'b' }))
    await sql`deallocate all`.execute(db.read)
    await db.write((tx) => addLease.execute(tx, { name: 'c' }))
    expect(await leases(db)).toEqual(['a', 'b', 'c'])
  })
})
