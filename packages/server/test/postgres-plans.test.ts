import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addReads } from '../src/memories/read-store.ts'
import { insertVaultRow, useTestDatabase } from './database.ts'
import { onPostgres } from './dialects.ts'

const [userId, vaultId] = ['user', 'vault']
const idOf = (number: number) => `0198c5f0-0000-7000-8000-${String(number).padStart(12, '0')}`

onPostgres('a vault of 5,000 tasks that were just imported', (dialect) => {
  const db = useTestDatabase(dialect)

  it('lists them by reading each once', async () => {
    await insertVaultRow(db(), { id: vaultId, userId })
    await sql`
      insert into memories ("id", "userId", "vaultId", "type", "createdAt", "updatedAt", "occurredAt", "importance", "confidence",
        "contentRevision", "version", "head", "body")
      select lpad(number::text, 12, '0'), ${userId}, ${vaultId}, 'task', number, number, number, 3, 4, 1, 1, '', ''
      from generate_series(1, 5000) number`.execute(db().read)
    await sql`insert into tasks ("userId", "vaultId", "id", "status", "revision") select "userId", "vaultId", "id", 'todo', 1 from memories`.execute(
      db().read,
    )
    const { rows } = await sql<Record<string, string>>`
      explain select memories."id" from tasks join memories on memories."userId" = tasks."userId" and memories."id" = tasks."id"
      where tasks."userId" = ${sql.lit(userId)} and tasks."vaultId" = ${sql.lit(vaultId)} and tasks."status" = 'todo'
        and memories."type" = 'task' and memories."archivedAt" is null and memories."supersededById" is null
      order by memories."importance" desc, memories."updatedAt" desc limit 3`.execute(db().read)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/memories_key/)
    expect(plan).not.toMatch(/memories_ranked/)
  })
})

onPostgres('a vault of 20,000 memories', (dialect) => {
  const db = useTestDatabase(dialect)

  async function fill(): Promise<void> {
    await insertVaultRow(db(), { id: vaultId, userId })
    await sql`
      insert into memories ("id", "userId", "vaultId", "type", "createdAt", "updatedAt", "occurredAt", "importance", "confidence",
        "contentRevision", "version", "head", "body")
      select '0198c5f0-0000-7000-8000-' || lpad(number::text, 12, '0'), ${userId}, ${vaultId}, 'fact', number, number, number, 3, 4, 1, 1,
        sha256(number::text::bytea), sha256(number::text::bytea)
      from generate_series(0, 19999) number`.execute(db().read)
  }

  async function planOf(condition: string): Promise<string> {
    const { rows } = await sql<Record<string, string>>`
      explain select * from memories where "userId" = ${sql.lit(userId)} and "vaultId" = ${sql.lit(vaultId)} and ${sql.raw(condition)}`.execute(
      db().read,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it('reads and counts single memories by their key, also before autovacuum has seen one', async () => {
    // As it does soon after the tables are created, but not soon after an import.
    await sql`vacuum analyze memories`.execute(db().read)
    await fill()
    const ids = [1, 2, 3, 4].map((number) => `'${idOf(number)}'`)
    for (const condition of [`"id" = ${ids[0]}`, `"id" in (${ids.join(', ')})`])
      expect(await planOf(condition)).toMatch(/memories_key/)
  })

  it('counts reads without touching the rows of memories or any index', async () => {
    const used = [100, 101, 5_000, 12_345].map((number) => ({ userId, vaultId, id: idOf(number), at: 1_000, count: 2 }))
    await addReads(db(), used)
    await sql`select pg_stat_force_next_flush()`.execute(db().read)
    const written = await db().write(async (tx) => {
      await addReads({ ...db(), write: (work) => work(tx) }, used)
      const { rows } = await sql<{ table: string; all: number; hot: number }>`
        select relname as "table", pg_stat_get_xact_tuples_updated(oid) as "all", pg_stat_get_xact_tuples_hot_updated(oid) as "hot"
        from pg_class where relkind = 'r' and pg_stat_get_xact_tuples_updated(oid) > 0`.execute(tx)
      return rows
    })
    // A hot update writes into no index.
    expect(written).toEqual([{ table: 'memoryReads', all: 4, hot: 4 }])
  })
})
