import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, type Compilable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from './dialect.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

const ids = Array.from({ length: 50 }, (_, number) => `id ${number}`)
const dir = mkdtempSync(join(tmpdir(), 'holdfast-plans-'))
let db: Database

beforeAll(async () => {
  // As a server finds it that was just installed: no row has ever been counted.
  db = openSqlite(dir)
  await migrate(db)
})
afterAll(async () => {
  await db.close()
  rmSync(dir, { recursive: true, force: true })
})

async function explain(query: Compilable): Promise<string> {
  const { sql: text, parameters } = query.compile()
  const plan = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, [...parameters])
  const { rows } = await db.read.executeQuery<{ detail: string }>(plan)
  return rows.map(({ detail }) => detail).join('\n')
}

describe('a query for some records of a large vault', () => {
  it('finds memories by their ids and does not read the vault', async () => {
    const query = db.read.selectFrom('memories').selectAll().where('userId', '=', 'u').where('vaultId', '=', 'v')
    expect(await explain(query.where('id', 'in', ids))).toContain('(userId=? AND id=?)')
  })

  it('finds links by their sources and does not read all links', async () => {
    const query = db.read.selectFrom('links').selectAll().where('userId', '=', 'u').where('vaultId', '=', 'v')
    expect(await explain(query.where('sourceId', 'in', ids).orderBy('id'))).toContain(
      '(userId=? AND vaultId=? AND sourceId=?)',
    )
  })

  it('finds what changed by the change number', async () => {
    const query = db.read.selectFrom('indexEntries').selectAll().where('userId', '=', 'u').where('vaultId', '=', 'v')
    expect(await explain(query.where('seq', '>', 5).orderBy('seq').limit(10))).toContain('seq>?')
  })
})
