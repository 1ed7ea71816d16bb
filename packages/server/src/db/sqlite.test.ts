import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from './dialect.ts'
import { StoreError } from './store-error.ts'
import { migrate } from './migrate.ts'
import { hasSqliteFile, openSqlite, refuseDamagedSqlite, sqliteFile } from './sqlite.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-sqlite-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function pragmas(db: Database) {
  const ask = async (from: Parameters<Parameters<Database['write']>[0]>[0] | Database['read'], name: string) => {
    const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(from)
    return Object.values(rows[0] ?? {})[0]
  }
  const names = ['journal_mode', 'synchronous', 'secure_delete', 'trusted_schema']
  const read = await Promise.all(names.map((name) => ask(db.read, name)))
  const write = await db.write(async (tx) => {
    const found = []
    for (const name of names) found.push(await ask(tx, name))
    return found
  })
  return { read, write }
}

/** A file of several pages with a few hundred rows. */
async function makeFilled(): Promise<void> {
  const db = openSqlite(dir)
  await migrate(db)
  await db.write(async (tx) => {
    for (let n = 0; n < 300; n++)
      await tx
        .insertInto('indexSnapshots')
        .values({ userId: 'u', vaultId: 'v', seq: n, segment: 0, segments: 1, cell: Buffer.alloc(500, n) as never })
        .execute()
  })
  await db.close()
}

describe('an opened file', () => {
  it('writes with WAL and synchronous=FULL, on the first open and on every later one', async () => {
    for (let opened = 0; opened < 3; opened++) {
      const db = openSqlite(dir)
      const safe = ['wal', 2, 1, 0]
      expect(await pragmas(db)).toEqual({ read: safe, write: safe })
      await db.close()
    }
  })

  it('cannot be opened by another process', async () => {
    const db = openSqlite(dir)
    await migrate(db)
    const other = new SqliteDatabase(sqliteFile(dir), { timeout: 0 })
    expect(() => other.prepare('select * from instance').all()).toThrow(/locked/)
    other.close()
    await db.close()
  })

  it('is not called damaged while another program has it open', async () => {
    await makeFilled()
    const other = new SqliteDatabase(sqliteFile(dir))
    other.exec('begin; select * from instance')
    const busy = new RegExp(`Another program has the database ${sqliteFile(dir)} open .*Nothing was changed`)
    // SQLite waits for five seconds.
    expect(() => openSqlite(dir)).toThrow(busy)
    other.close()
    await openSqlite(dir).close()
  })

  it('is closed to others with its log, also if an earlier version left it open to them', async () => {
    await makeFilled()
    chmodSync(dir, 0o755)
    chmodSync(sqliteFile(dir), 0o644)
    const db = openSqlite(dir)
    await db.write((tx) => sql`delete from "indexSnapshots"`.execute(tx))
    const modes = readdirSync(dir).map((name) => statSync(join(dir, name)).mode & 0o777)
    await db.close()
    // Windows has no such file modes.
    expect(new Set(modes)).toEqual(new Set([process.platform === 'win32' ? 0o666 : 0o600]))
    expect(modes.length).toBeGreaterThan(1)
  })

  it('is copied whole to a separate file, for its user only', async () => {
    await makeFilled()
    const db = openSqlite(dir)
    const copyFile = join(dir, 'copy.db')
    await db.copyTo?.(copyFile, { signal: new AbortController().signal, onProgress: () => {} })
    await db.close()
    // Windows has no such file modes.
    expect(statSync(copyFile).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
    const copy = new SqliteDatabase(copyFile, { readonly: true })
    expect(copy.prepare('select count(*) as n from indexSnapshots').get()).toEqual({ n: 300 })
    copy.close()
  })
})

describe('a damaged file', () => {
  const damages: [string, (file: string) => void][] = [
    ['text', (file) => writeFileSync(file, 'This is no database, although it is longer than its header. '.repeat(100))],
    ['half of it', (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2 / 4096) * 4096)],
    ['half a page', (file) => truncateSync(file, 2_000)],
    [
      'with pages overwritten',
      (file) => writeFileSync(file, Buffer.from(readFileSync(file).fill(0xaa, 4096 * 3, 4096 * 40))),
    ],
  ]

  it.each(damages)('(%s) is rejected with an error that says what to do', async (_kind, damage) => {
    await makeFilled()
    damage(sqliteFile(dir))
    const before = readFileSync(sqliteFile(dir))
    expect(hasSqliteFile(dir)).toBe(true)
    expect(() => refuseDamagedSqlite(dir)).toThrow(StoreError)
    expect(() => refuseDamagedSqlite(dir)).toThrow(
      new RegExp(`${sqliteFile(dir)} is damaged or unreadable.*Nothing was changed.*backup`),
    )
    expect(readFileSync(sqliteFile(dir)).equals(before)).toBe(true)
  })

  it('is distinguished from an intact one', async () => {
    await makeFilled()
    expect(() => refuseDamagedSqlite(dir)).not.toThrow()
  })

  it('that is not a database is also rejected on opening', () => {
    writeFileSync(sqliteFile(dir), 'This is no database.'.repeat(500))
    expect(() => openSqlite(dir)).toThrow(StoreError)
  })
})

describe('hasSqliteFile', () => {
  it('returns false for a missing or emptied file', async () => {
    expect(hasSqliteFile(dir)).toBe(false)
    writeFileSync(sqliteFile(dir), '')
    expect(hasSqliteFile(dir)).toBe(false)
  })

  it('recognizes a database that was copied before anything left its WAL', async () => {
    const db = openSqlite(dir)
    await migrate(db)
    const copy = mkdtempSync(join(tmpdir(), 'holdfast-sqlite-'))
    for (const suffix of ['', '-wal']) copyFileSync(sqliteFile(dir) + suffix, sqliteFile(copy) + suffix)
    await db.close()
    expect(hasSqliteFile(copy)).toBe(true)
    refuseDamagedSqlite(copy)
    const opened = openSqlite(copy)
    expect(await opened.read.selectFrom('instance').selectAll().execute()).toEqual([])
    await opened.close()
    rmSync(copy, { recursive: true })
  })
})

describe('explainFailure', () => {
  const failure = (code: unknown) => Object.assign(new Error('text of the driver'), { code })

  it.each([
    ['SQLITE_IOERR_FSYNC', 'fatal'],
    ['SQLITE_IOERR_DIR_FSYNC', 'fatal'],
    ['SQLITE_FULL', 'unavailable'],
    ['SQLITE_IOERR_WRITE', 'unavailable'],
    ['SQLITE_IOERR', 'unavailable'],
    ['SQLITE_CORRUPT', 'unavailable'],
    ['SQLITE_CORRUPT_INDEX', 'unavailable'],
    ['SQLITE_NOTADB', 'unavailable'],
    ['SQLITE_CANTOPEN', 'unavailable'],
    ['SQLITE_READONLY_DBMOVED', 'unavailable'],
    ['SQLITE_BUSY', 'unavailable'],
    ['SQLITE_BUSY_SNAPSHOT', 'unavailable'],
  ])('treats %s as an outage (%s)', async (code, kind) => {
    const db = openSqlite(dir)
    expect(db.explainFailure(failure(code))).toMatchObject({ kind, reason: expect.not.stringContaining('driver') })
    await db.close()
  })

  it('treats everything else as an internal error', async () => {
    const db = openSqlite(dir)
    for (const error of [failure('SQLITE_CONSTRAINT_UNIQUE'), failure('SQLITE_ERROR'), failure(7), new Error('x'), 'x'])
      expect(db.explainFailure(error)).toBeUndefined()
    await db.close()
  })

  it('recognizes what the driver throws when the disk is full', async () => {
    const db = openSqlite(dir)
    await migrate(db)
    const fill = db.write(async (tx) => {
      await sql`pragma max_page_count = 1`.execute(tx)
      await tx
        .insertInto('indexSnapshots')
        .values({ userId: 'u', vaultId: 'v', seq: 1, segment: 0, segments: 1, cell: Buffer.alloc(1_000_000) as never })
        .execute()
    })
    const error: unknown = await fill.catch((thrown: unknown) => thrown)
    expect(db.explainFailure(error)).toEqual({ kind: 'unavailable', reason: 'the disk is full' })
    await db.close()
  })
})
