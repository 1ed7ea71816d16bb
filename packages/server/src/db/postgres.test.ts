import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Database } from './dialect.ts'
import { StoreError } from './store-error.ts'
import { needsTls, openPostgres } from './postgres.ts'
import { Client } from 'pg'
import { migrate } from './migrate.ts'

const server = inject('postgres')

describe('openPostgres', () => {
  it('says that the server cannot be reached, without the address', async () => {
    const opened = openPostgres('postgres://somebody:planted-secret@127.0.0.1:1/nothing')
    await expect(opened).rejects.toThrow(StoreError)
    await expect(opened).rejects.toThrow('PostgreSQL cannot be reached (ECONNREFUSED). Check HOLDFAST_DATABASE_URL.')
  })
})

describe('TLS', () => {
  it.each([
    'postgres://db.example.org/holdfast',
    'postgres://u:p@db.example.org:5433/holdfast?application_name=x',
    'postgres://10.0.0.7/holdfast',
    'postgres://[2001:db8::1]/holdfast',
    'postgres://localhost.example.org/holdfast',
    'postgresql://localhost/holdfast?host=db.example.org',
    'postgres://db.example.org/holdfast?sslrootcert=/etc/ca.pem',
  ])('is required for %s', (url) => expect(needsTls(url)).toBe(true))

  it.each([
    'postgres://localhost/holdfast',
    'postgres://u:p@127.0.0.1:5433/holdfast',
    'postgres://[::1]/holdfast',
    'postgres:///holdfast',
    'postgres://user@/holdfast',
    'postgres://localhost/holdfast?host=/run/postgresql',
    'postgres://%2Frun%2Fpostgresql/holdfast',
    'postgres://db.example.org/holdfast?sslmode=disable',
    'postgres://db.example.org/holdfast?application_name=x&sslmode=no-verify',
    'postgres://db.example.org/holdfast?ssl=0',
  ])('is left to the URL, or not needed, for %s', (url) => expect(needsTls(url)).toBe(false))

  // Windows cannot connect to 0.0.0.0, which is no local address by its name.
  it.skipIf(process.platform === 'win32')(
    'that a server does not offer is an error that says what to do, and sends nothing',
    async () => {
      const received: Buffer[] = []
      // The answer of a PostgreSQL without TLS.
      const fake = createServer((socket) => socket.on('data', (data) => void (received.push(data), socket.write('N'))))
      await once(fake.listen(0, '127.0.0.1'), 'listening')
      onTestFinished(() => void fake.close())
      const { port } = fake.address() as AddressInfo
      const opened = openPostgres(`postgres://somebody:planted-secret@0.0.0.0:${port}/nothing`)
      await expect(opened).rejects.toThrow(StoreError)
      await expect(opened).rejects.toThrow(
        /^PostgreSQL does not accept TLS[^]*sslmode=disable to HOLDFAST_DATABASE_URL\.$/,
      )
      expect(Buffer.concat(received).toString('latin1')).not.toContain('somebody')
    },
  )
})

describe.skipIf('missing' in server)('on a server', () => {
  async function withServer(options: string, work: (db: Database) => Promise<void>): Promise<void> {
    if ('missing' in server) throw new Error(server.missing)
    const url = new URL(server.url)
    if (options !== '') url.searchParams.set('options', options)
    const db = await openPostgres(url.href)
    await work(db).finally(() => db.close())
  }

  it('rejects settings that could lose acknowledged writes', async () => {
    await expect(withServer('-c synchronous_commit=off', async () => {})).rejects.toThrow(
      /synchronous_commit=off: a crash could lose/,
    )
  })

  it('needs a role that owns its database, and no other rights', async () => {
    if ('missing' in server) throw new Error(server.missing)
    const name = `${server.prefix}own`
    const admin = new Client(server.url)
    await admin.connect()
    onTestFinished(async () => {
      await admin.query(`drop database if exists "${name}" with (force)`)
      await admin.query(`drop role if exists "${name}"`)
      await admin.end()
    })
    await admin.query(
      `create role "${name}" login password 'own' nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
    )
    await admin.query(`create database "${name}" owner "${name}"`)
    const url = Object.assign(new URL(server.url), { username: name, password: 'own', pathname: `/${name}` })
    const db = await openPostgres(url.href)
    try {
      await migrate(db)
      const { numDeletedRows } = await db.write((tx) => tx.deleteFrom('memories').executeTakeFirst())
      expect(numDeletedRows).toBe(0n)
    } finally {
      await db.close()
    }
  })

  it('reports outages as such, and everything else as an internal error', async () => {
    await withServer('', async (db) => {
      const kindOf = (code: string) => db.explainFailure(Object.assign(new Error('text'), { code }))?.kind
      const outages = [
        '25006',
        '53100',
        '53300',
        '08006',
        '57P01',
        '57014',
        '40003',
        '25P03',
        '58030',
        'XX001',
        'ECONNREFUSED',
        'EAI_AGAIN',
        'ETIMEDOUT',
      ]
      for (const code of outages) expect([code, kindOf(code)]).toEqual([code, 'unavailable'])
      for (const code of ['23505', '42P01', '22021', 'ERR_ASSERTION'])
        expect([code, kindOf(code)]).toEqual([code, undefined])
      expect(db.explainFailure(new Error('Connection terminated unexpectedly'))?.kind).toBe('unavailable')
      expect(db.explainFailure(new Error('timeout exceeded when trying to connect'))?.kind).toBe('unavailable')
      expect(db.explainFailure(new Error('Client was closed and is not queryable'))?.kind).toBe('unavailable')
      expect(db.explainFailure(new Error('terminated'))).toBeUndefined()
      expect(db.explainFailure('08006')).toBeUndefined()
    })
  })
})
