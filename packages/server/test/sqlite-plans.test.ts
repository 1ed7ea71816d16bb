import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/core/ids.ts'
import { createRandomKey, scopeKeys } from '../src/crypto/keys.ts'
import type { Database, Reader } from '../src/db/dialect.ts'
import { migrate } from '../src/db/migrate.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { findLinks, listLinks } from '../src/links/graph-store.ts'
import { countLinks, listLinksFrom } from '../src/links/store.ts'
import { findMemories } from '../src/memories/store.ts'
import { countMemories } from '../src/vaults/store.ts'
import { entriesSince, linksSince } from '../src/vault-index/store.ts'

const dir = mkdtempSync(join(tmpdir(), 'holdfast-plans-'))
const vaultId = newId()
const keys = scopeKeys(vaultId, [{ generation: 1, key: createRandomKey() }])
const scope = { id: vaultId, userId: newId(), keys }
const ids = Array.from({ length: 50 }, newId)
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

/** How SQLite will run each query that `work` sends. */
async function plansOf(work: (reader: Reader) => Promise<unknown>): Promise<string[]> {
  const sent: RootOperationNode[] = []
  const note: KyselyPlugin = {
    transformQuery({ node }) {
      sent.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(db.read.withPlugin(note))
  return Promise.all(sent.map(explain))
}

async function explain(node: RootOperationNode): Promise<string> {
  const { sql, parameters } = db.read.getExecutor().compileQuery(node, createQueryId())
  const query = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters])
  const { rows } = await db.read.executeQuery<{ detail: string }>(query)
  return rows.map(({ detail }) => detail).join('\n')
}

describe('in a large vault', () => {
  it('memories are found by their ids', async () => {
    const [plan] = await plansOf((reader) => findMemories(reader, scope, ids))
    expect(plan).toContain('SEARCH memories USING INDEX sqlite_autoindex_memories_1 (userId=? AND id=?)')
  })

  it('links are found by their sources', async () => {
    const [plan] = await plansOf((reader) => listLinksFrom(reader, scope, ids))
    expect(plan).toContain('SEARCH links USING INDEX links_triple (userId=? AND vaultId=? AND sourceId=?)')
  })

  it('links are found by their ends and relation', async () => {
    const triples = ids.map((id) => ({ sourceId: id, targetId: newId(), relationType: 'refines' as const }))
    const [plan] = await plansOf((reader) => findLinks(reader, scope, triples))
    expect(plan).toContain(
      'USING INDEX links_triple (userId=? AND vaultId=? AND sourceId=? AND targetId=? AND relationType=?)',
    )
  })

  it('the links of a node are listed and counted without a look at the others, or at their rows', async () => {
    const query = { nodeId: ids[0] ?? '', direction: 'both' } as const
    const listed = await plansOf((reader) => listLinks(reader, scope, query, { limit: 20, offset: 0 }))
    const counted = await plansOf((reader) => countLinks(reader, scope, ids))
    for (const plans of [listed, counted])
      for (const end of ['source', 'target'])
        expect(plans.join('\n')).toContain(
          `USING COVERING INDEX links_by_${end} (userId=? AND vaultId=? AND ${end}Id=?)`,
        )
    expect(listed.join('\n')).toContain('MERGE (UNION ALL)')
    expect(listed.join('\n')).not.toContain('TEMP B-TREE')
  })

  it('memories are counted without a look at their rows', async () => {
    const [plan] = await plansOf((reader) => countMemories(reader, scope.userId, [vaultId], 5))
    expect(plan).toContain('SEARCH memories USING COVERING INDEX memories_ranked (userId=? AND vaultId=?)')
  })

  it('changed entries are found by their change numbers', async () => {
    const [plan] = await plansOf((reader) => entriesSince(reader, scope, 5).next())
    expect(plan).toContain('USING INDEX indexEntries_changes (userId=? AND vaultId=? AND seq>?)')
  })

  it('changed links are found by their change numbers', async () => {
    const [plan] = await plansOf((reader) => linksSince(reader, scope, 5).next())
    expect(plan).toContain('USING INDEX links_changes (userId=? AND vaultId=? AND seq>?)')
  })
})
