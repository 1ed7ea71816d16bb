import { Client } from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { insertVaultRow, migratedTemplate, openStore } from './database.ts'
import { onPostgres } from './dialects.ts'

const { reuse } = migratedTemplate

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

const used: string[] = []

// Even if it is the first database of the process, it may not become the model for the others.
onPostgres('a changed database', (dialect) => {
  beforeAll(async () => {
    const store = await dialect.freshUrl(migratedTemplate)
    if (store.kind === 'postgres') used.push(store.url)
    for (const url of used) await query(url, 'alter table vaults rename to chests')
  })

  it('belongs to one block', () => {
    expect(used).toHaveLength(1)
  })
})

onPostgres('an emptied database', (dialect) => {
  let url = ''
  let description = ''
  beforeAll(async () => {
    const store = await dialect.freshUrl(migratedTemplate)
    if (store.kind === 'postgres') ({ url } = store)
    description = (await reuse?.describe(url)) ?? ''
  })

  it('is not one that an earlier block changed', () => {
    expect(used).not.toContain(url)
  })

  it('has no rows but the journal of migrations', async () => {
    const db = await openStore({ kind: 'postgres', url })
    await insertVaultRow(db, { id: 'v', userId: 'u' })
    await db.close()
    expect(await reuse?.empty(url, description)).toBe(true)
    expect(await query(url, 'select * from vaults')).toEqual([])
    expect(await query(url, 'select * from migrations')).not.toEqual([])
  })

  it.each([
    ['a table', 'create table more ()', 'drop table more'],
    [
      'a column',
      'alter table vaults alter "isDefault" drop not null',
      'alter table vaults alter "isDefault" set not null',
    ],
    ['an index', 'create index more on vaults ("seq")', 'drop index more'],
    ['the journal', `update migrations set name = name || 'x'`, `update migrations set name = rtrim(name, 'x')`],
  ])('must not differ in %s', async (_, change, undo) => {
    await query(url, change)
    expect(await reuse?.empty(url, description)).toBe(false)
    await query(url, undo)
    expect(await reuse?.empty(url, description)).toBe(true)
  })
})
