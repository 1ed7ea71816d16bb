import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from './migrate.ts'
import { markFile } from './sqlite-log-mark.ts'
import { openSqlite, refuseDamagedSqlite, sqliteFile } from './sqlite.ts'
import { StoreError } from './store-error.ts'

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-log-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The files that a killed process leaves. */
async function leaveStore(): Promise<string> {
  const [origin, dir] = [makeFolder(), makeFolder()]
  const db = openSqlite(origin)
  await migrate(db)
  for (const end of ['', '-wal', '-open']) copyFileSync(sqliteFile(origin) + end, sqliteFile(dir) + end)
  await db.close()
  return dir
}

it('a database whose log was deleted after a kill is refused and not changed, until the log is back', async () => {
  const dir = await leaveStore()
  const [file, log] = [sqliteFile(dir), `${sqliteFile(dir)}-wal`]
  renameSync(log, `${log}.moved`)
  expect(() => refuseDamagedSqlite(dir)).toThrow(StoreError)
  expect(() => refuseDamagedSqlite(dir)).toThrow(/log of the database is missing: .*-wal[^]*Nothing was changed/)
  expect(existsSync(log)).toBe(false)

  renameSync(`${log}.moved`, log)
  refuseDamagedSqlite(dir)
  const db = openSqlite(dir)
  expect(await db.read.selectFrom('memories').selectAll().execute()).toEqual([])
  await db.close()
  expect([file, log, markFile(file)].map((each) => existsSync(each))).toEqual([true, false, false])
})

it('a database whose log is given up opens without it', async () => {
  const dir = await leaveStore()
  rmSync(`${sqliteFile(dir)}-wal`)
  rmSync(markFile(sqliteFile(dir)))
  expect(() => refuseDamagedSqlite(dir)).not.toThrow()
  await openSqlite(dir).close()
})

it('a database that was closed in an orderly way needs no log', async () => {
  const dir = makeFolder()
  for (let start = 0; start < 3; start++) {
    if (start > 0) refuseDamagedSqlite(dir)
    const db = openSqlite(dir)
    expect(existsSync(markFile(sqliteFile(dir)))).toBe(true)
    await migrate(db)
    await db.close()
  }
})

it('a start that fails after a kill does not make the next one miss the log that it has applied', async () => {
  const dir = await leaveStore()
  // Where the draft of the mark goes.
  mkdirSync(`${markFile(sqliteFile(dir))}.new`)
  refuseDamagedSqlite(dir)
  expect(() => openSqlite(dir)).toThrow(StoreError)
  rmdirSync(`${markFile(sqliteFile(dir))}.new`)
  refuseDamagedSqlite(dir)
  const db = openSqlite(dir)
  expect(await db.read.selectFrom('memories').selectAll().execute()).toEqual([])
  await db.close()
})
