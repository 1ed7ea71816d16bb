import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database, Tx } from './dialect.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

let dir = ''
let db: Database
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-group-'))
  db = openSqlite(dir)
  await migrate(db)
})
afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true, force: true })
})

const insert = (tx: Tx, seq: number, bytes: number) =>
  tx
    .insertInto('indexSnapshots')
    .values({ userId: 'u', vaultId: 'v', seq, segment: 0, segments: 1, cell: Buffer.alloc(bytes) as never })
    .execute()

const storedSeqs = async () =>
  (await db.read.selectFrom('indexSnapshots').select('seq').orderBy('seq').execute()).map(({ seq }) => seq)

const allowPages = (count: number) =>
  db.write((tx) => sql`pragma max_page_count = ${sql.raw(String(count))}`.execute(tx))

it('fails a whole commit with the reason that ended it, and works again once the cause is gone', async () => {
  await allowPages(60)
  const outcomes = await Promise.allSettled([
    db.write((tx) => insert(tx, 1, 10)),
    db.write((tx) => insert(tx, 2, 1_000_000)),
    db.write((tx) => insert(tx, 3, 10)),
  ])
  const failures = outcomes.map((outcome) => (outcome.status === 'rejected' ? db.explainFailure(outcome.reason) : 'ok'))
  const full = { kind: 'unavailable', reason: 'the disk is full' }
  expect(failures).toEqual([full, full, full])
  expect(await storedSeqs()).toEqual([])

  await allowPages(100_000)
  await Promise.all([4, 5].map((seq) => db.write((tx) => insert(tx, seq, 1_000_000))))
  expect(await storedSeqs()).toEqual([4, 5])
})

it('gives others a turn while one writer continues', async () => {
  const turns: number[] = []
  const timer = setInterval(() => turns.push(performance.now()), 5)
  for (let seq = 0; seq < 2_000 && turns.length === 0; seq++) await db.write((tx) => insert(tx, seq, 10))
  clearInterval(timer)
  expect(turns).toHaveLength(1)
})
