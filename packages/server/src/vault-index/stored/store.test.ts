import { expect, it } from 'vitest'
import { useTestDatabase } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { foreignScopes, makeVaultScope, type VaultScope } from '../../../test/vault-scopes.ts'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/dialect.ts'
import type { IndexEntriesTable } from '../../db/tables/vault-index.ts'
import { insertLink } from '../../links/store.ts'
import {
  entriesSince,
  insertEntry,
  linksSince,
  listKinds,
  lockVault,
  updateEntry,
  type StoredEntry,
  type StoredFacts,
} from './store.ts'

const facts: StoredFacts = {
  kind: 'memory',
  type: 'fact',
  importance: 3,
  archived: 0,
  createdAt: 1_795_000_000_000,
  occurredAt: 1_795_000_000_001,
  expiresAt: null,
  supersededAt: null,
  vectorsMissing: 1,
  vectorModel: null,
}

const insert = (db: Database, scope: VaultScope, itemId: string, seq: number) =>
  db.write((tx) => insertEntry(tx, scope, seq, { itemId, facts, entry: Buffer.from(itemId) }))

async function collect<T>(pages: AsyncGenerator<T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}

const entries = (db: Database, scope: VaultScope, seq: number): Promise<StoredEntry[]> =>
  collect(entriesSince(db.read, scope, seq))

const overwrite = (db: Database, itemId: string, columns: Partial<IndexEntriesTable>) =>
  db.write((tx) => tx.updateTable('indexEntries').set(columns).where('itemId', '=', itemId).execute())

eachDialect('index entries', (dialect) => {
  const open = useTestDatabase(dialect)

  it('are not written to a vault that is gone: locking it fails', async () => {
    const locked = open().write((tx) => lockVault(tx, makeVaultScope()))
    await expect(locked).rejects.toMatchObject({ code: 'not_found', message: 'Vault not found' })
  })

  it('are returned as they were stored, with their facts', async () => {
    const [db, scope, itemId] = [open(), makeVaultScope(), newId()]
    const given = { ...facts, expiresAt: 2 ** 52, supersededAt: 7, archived: 1 }
    await db.write((tx) => insertEntry(tx, scope, 3, { itemId, facts: given, entry: Buffer.of(0, 255) }))
    expect(await entries(db, scope, 0)).toEqual([{ ...given, itemId, seq: 3, entry: Buffer.of(0, 255) }])
  })

  it('return the kind of record for an id, only in their own vault', async () => {
    const [db, scope, memoryId, noteId] = [open(), makeVaultScope(), newId(), newId()]
    await insert(db, scope, memoryId, 1)
    await db.write((tx) =>
      insertEntry(tx, scope, 2, { itemId: noteId, facts: { ...facts, kind: 'note' }, entry: Buffer.of(0) }),
    )
    const kindsIn = (owner: VaultScope) => listKinds(db.read, owner, [memoryId, noteId, newId()])
    const both = { [memoryId]: 'memory', [noteId]: 'note' }
    expect(Object.fromEntries(await kindsIn(scope))).toEqual(both)
    for (const [whose, foreign] of foreignScopes(scope))
      expect([whose, (await kindsIn(foreign)).size]).toEqual([whose, 0])
    expect((await listKinds(db.read, scope, [])).size).toBe(0)
  })

  it('are listed after a change number, oldest change first', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const ids = Array.from({ length: 4 }, newId)
    for (const [at, seq] of [4, 2, 3, 1].entries()) await insert(db, scope, ids[at] ?? '', seq)
    const seqs = async (after: number) => (await entries(db, scope, after)).map(({ seq }) => seq)
    expect(await seqs(0)).toEqual([1, 2, 3, 4])
    expect(await seqs(2)).toEqual([3, 4])
    expect(await seqs(4)).toEqual([])
  })

  it('move to the latest change that affected them', async () => {
    const [db, scope, a, b] = [open(), makeVaultScope(), newId(), newId()]
    await insert(db, scope, a, 1)
    await insert(db, scope, b, 2)
    await db.write((tx) => updateEntry(tx, scope, 3, { itemId: a, facts: { archived: 1 } }))
    await db.write((tx) =>
      updateEntry(tx, scope, 4, { itemId: b, facts: { importance: 5 }, entry: Buffer.from('new') }),
    )
    expect(await entries(db, scope, 2)).toEqual([
      { ...facts, itemId: a, seq: 3, archived: 1, entry: Buffer.from(a) },
      { ...facts, itemId: b, seq: 4, importance: 5, entry: Buffer.from('new') },
    ])
  })

  it('are complete if pages end within one change', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const ids = Array.from({ length: 1_100 }, newId)
    // Changes of seven entries each, so pages of round numbers end within one.
    await db.write(async (tx) => {
      for (const [at, itemId] of ids.entries())
        await insertEntry(tx, scope, Math.floor(at / 7) + 1, { itemId, facts, entry: Buffer.of(1) })
    })
    const pages: number[] = []
    const found: string[] = []
    for await (const page of entriesSince(db.read, scope, 0)) {
      pages.push(page.length)
      found.push(...page.map(({ itemId }) => itemId))
    }
    expect(pages.length).toBeGreaterThan(1)
    expect((pages[0] ?? 0) % 7).not.toBe(0)
    expect(found.length).toBe(ids.length)
    expect(new Set(found)).toEqual(new Set(ids))
  })

  it('are never found or changed for another vault or another user', async () => {
    const [db, scope, itemId] = [open(), makeVaultScope(), newId()]
    await insert(db, scope, itemId, 1)
    const before = await entries(db, scope, 0)
    for (const [whose, foreign] of foreignScopes(scope)) {
      expect(await entries(db, foreign, 0), whose).toEqual([])
      await db.write((tx) => updateEntry(tx, foreign, 9, { itemId, facts: { archived: 1 } }))
      await expect(
        db.write((tx) => updateEntry(tx, foreign, 9, { itemId, facts: {}, entry: Buffer.of(1) })),
        whose,
      ).rejects.toThrow(/no result|another scope/)
    }
    expect(await entries(db, scope, 0)).toEqual(before)
  })

  it('are rejected if a cell was moved between rows, vaults, users or revisions', async () => {
    const [db, scope, stranger] = [open(), makeVaultScope(), makeVaultScope()]
    const sibling = makeVaultScope(scope.userId)
    const [target, source, inSibling, ofStranger] = [newId(), newId(), newId(), newId()]
    await insert(db, scope, target, 1)
    await insert(db, scope, source, 2)
    await insert(db, sibling, inSibling, 1)
    await insert(db, stranger, ofStranger, 1)
    const cells = new Map(
      (await db.read.selectFrom('indexEntries').select(['itemId', 'entry']).execute()).map((row) => [
        row.itemId,
        row.entry,
      ]),
    )
    const original = cells.get(target)
    const unopened = async () =>
      (await entries(db, scope, 0)).filter(({ entry }) => entry === undefined).map(({ itemId }) => itemId)
    const moves: Partial<IndexEntriesTable>[] = [source, inSibling, ofStranger].map(
      (from) => ({ entry: cells.get(from) }) as never,
    )
    for (const columns of [...moves, { revision: 2 }]) {
      await overwrite(db, target, columns)
      expect(await unopened()).toEqual([target])
      await overwrite(db, target, { entry: original, revision: 1 } as never)
    }
    expect(await unopened()).toEqual([])
    await overwrite(db, inSibling, { vaultId: scope.id })
    expect(await unopened()).toEqual([inSibling])
  })
})

eachDialect('links of an index', (dialect) => {
  const open = useTestDatabase(dialect)

  it('are those created after the number, only in this vault, paged', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const sourceId = newId()
    const targets = Array.from({ length: 1_010 }, newId)
    const link = { sourceType: 'memory', targetType: 'memory', relationType: 'refines', origin: 'agent' } as const
    await db.write(async (tx) => {
      for (const [at, targetId] of targets.entries())
        await insertLink(tx, scope, { seq: Math.floor(at / 7) + 1, at: 1 }, { ...link, sourceId, targetId })
    })
    const found = await collect(linksSince(db.read, scope, 0))
    expect(found.length).toBe(targets.length)
    expect(new Set(found.map(({ targetId }) => targetId))).toEqual(new Set(targets))
    expect(found[0]).toMatchObject({ seq: 1, sourceId, targetId: expect.any(String), relationType: 'refines' })
    const last = Math.floor(1_009 / 7) + 1
    expect(await collect(linksSince(db.read, scope, last - 1))).toHaveLength(1_010 - (last - 1) * 7)
    expect(await collect(linksSince(db.read, scope, last))).toEqual([])
    for (const [whose, foreign] of foreignScopes(scope))
      expect(await collect(linksSince(db.read, foreign, 0)), whose).toEqual([])
  })
})
