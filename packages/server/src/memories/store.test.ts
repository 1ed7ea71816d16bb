import { expect, it } from 'vitest'
import { insertVaultRow, useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { foreignScopes, makeVaultScope, type VaultScope } from '../../test/vault-scopes.ts'
import { newId } from '../core/ids.ts'
import { CellError } from '../crypto/cell.ts'
import type { Database } from '../db/dialect.ts'
import type { MemoriesTable } from '../db/tables/memories.ts'
import { findByExternalWriteId } from './claim-store.ts'
import type { Memory } from './memory.ts'
import { addReads } from './read-store.ts'
import { findMemories, getMemory, insertMemory, updateMemory } from './store.ts'

const memoryIn = (scope: VaultScope, over: Partial<Memory> = {}): Memory => ({
  memoryId: newId(),
  vaultId: scope.id,
  memoryType: 'fact',
  content: 'The cat sleeps on the server.',
  importance: 3,
  confidence: 4,
  supersedesId: undefined,
  supersededById: undefined,
  archivedAt: undefined,
  expiresAt: undefined,
  occurredAt: 1_795_000_000_000,
  integrationId: newId(),
  accessCount: 0,
  lastAccessedAt: undefined,
  contentRevision: 1,
  version: 1,
  createdAt: 1_795_000_000_123,
  updatedAt: 1_795_000_000_456,
  ...over,
  head: { entities: ['cat'], sourceNoteIds: [], metadata: { a: [1, null] }, route: 'write-memory', ...over.head },
})

async function insert(db: Database, scope: VaultScope, over: Partial<Memory> = {}): Promise<Memory> {
  const memory = memoryIn(scope, over)
  await db.write((tx) => insertMemory(tx, scope, memory))
  return memory
}

const head = (externalWriteId: string): Memory['head'] => ({
  entities: [],
  sourceNoteIds: [],
  metadata: {},
  route: 'write-memory',
  externalWriteId,
})

const overwrite = (db: Database, memoryId: string, columns: Partial<MemoriesTable>) =>
  db.write((tx) => tx.updateTable('memories').set(columns).where('id', '=', memoryId).execute())

const rowOf = (db: Database, memoryId: string) =>
  db.read.selectFrom('memories').selectAll().where('id', '=', memoryId).executeTakeFirstOrThrow()

eachDialect('memories store', (dialect) => {
  const open = useTestDatabase(dialect)

  it('returns a memory as it was inserted, with every field', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const full = await insert(db, scope, {
      memoryType: 'skill',
      content: ' \u0000 "ünï" 𝄞\r\n ',
      importance: 1,
      confidence: 5,
      supersedesId: newId(),
      supersededById: newId(),
      archivedAt: 1,
      expiresAt: 2 ** 52,
      contentRevision: 7,
      version: 9,
      head: {
        ...head('x'),
        summary: 's',
        writeReason: 'w',
        agentId: 'a',
        agentRunId: 'r',
        modelId: 'm',
        archiveReason: 'o',
      },
    })
    const plain = await insert(db, scope)
    expect(await getMemory(db.read, scope, full.memoryId)).toEqual(full)
    expect(await getMemory(db.read, scope, plain.memoryId)).toEqual(plain)
  })

  it('finds several at once and omits missing ones', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const ids = [(await insert(db, scope)).memoryId, (await insert(db, scope)).memoryId]
    const found = await findMemories(db.read, scope, [...ids, newId()])
    expect(found.map(({ memoryId }) => memoryId).toSorted()).toEqual(ids.toSorted())
    expect(await findMemories(db.read, scope, [])).toEqual([])
    await expect(getMemory(db.read, scope, newId())).rejects.toThrow('Memory not found')
  })

  it('changes plain columns without encrypting again, and encrypted ones only on request', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const memory = await insert(db, scope)
    const before = await rowOf(db, memory.memoryId)
    const archived = { ...memory, archivedAt: 5, version: 2, updatedAt: 6 }
    await db.write((tx) => updateMemory(tx, scope, archived, { resealed: false }))
    const between = await rowOf(db, memory.memoryId)
    expect([Buffer.from(between.head), Buffer.from(between.body)]).toEqual([
      Buffer.from(before.head),
      Buffer.from(before.body),
    ])
    expect(await getMemory(db.read, scope, memory.memoryId)).toEqual(archived)
    const rewritten = { ...archived, content: 'Other words', contentRevision: 2, version: 3 }
    await db.write((tx) => updateMemory(tx, scope, rewritten, { resealed: true }))
    expect(await getMemory(db.read, scope, memory.memoryId)).toEqual(rewritten)
  })

  it('finds and changes nothing in another vault or of another user', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const memory = await insert(db, scope, { head: head('mine') })
    const { memoryId } = memory
    for (const [whose, foreign] of foreignScopes(scope)) {
      await db.write((tx) => updateMemory(tx, foreign, { ...memory, importance: 1 }, { resealed: false }))
      expect(
        {
          found: await findMemories(db.read, foreign, [memoryId]),
          external: await findByExternalWriteId(db.read, foreign, 'mine'),
        },
        whose,
      ).toEqual({ found: [], external: undefined })
    }
    for (const [, foreign] of foreignScopes(scope))
      await addReads(db, [{ userId: foreign.userId, vaultId: foreign.id, id: memoryId, at: 9, count: 9 }])
    expect(await db.read.selectFrom('memoryReads').selectAll().execute()).toEqual([])
    expect(await getMemory(db.read, scope, memoryId)).toEqual(memory)
  })

  it('finds a memory by its externalWriteId in its own vault, where it is unique', async () => {
    const [db, scope, other] = [open(), makeVaultScope(), makeVaultScope()]
    const { memoryId } = await insert(db, scope, { head: head('order-7'), version: 4 })
    await insert(db, other, { head: head('order-7') })
    expect(await findByExternalWriteId(db.read, scope, 'order-7')).toEqual({ memoryId, memoryType: 'fact', version: 4 })
    expect(await findByExternalWriteId(db.read, scope, 'order-8')).toBeUndefined()
    expect(await findByExternalWriteId(db.read, scope, 'Order-7')).toBeUndefined()
    await expect(insert(db, scope, { head: head('order-7') })).rejects.toThrow(/unique/i)
    await insert(db, scope)
    await insert(db, scope)
  })

  it('counts reads of a memory without changing its version', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const { memoryId } = await insert(db, scope)
    await insertVaultRow(db, scope)
    const use = (at: number, count: number) =>
      addReads(db, [{ userId: scope.userId, vaultId: scope.id, id: memoryId, at, count }])
    await use(10, 2)
    await use(20, 3)
    await use(15, 1)
    expect(await getMemory(db.read, scope, memoryId)).toMatchObject({ accessCount: 6, lastAccessedAt: 20, version: 1 })
  })

  it('rejects cells that were moved between columns, rows, vaults, users or revisions', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const sibling = makeVaultScope(scope.userId)
    const stranger = makeVaultScope()
    const [target, source] = [await insert(db, scope), await insert(db, scope)]
    const [inSibling, ofStranger] = [await insert(db, sibling), await insert(db, stranger)]
    const original = await rowOf(db, target.memoryId)
    const { head: otherHead, body: otherBody } = await rowOf(db, source.memoryId)
    const siblingRow = await rowOf(db, inSibling.memoryId)
    const strangerRow = await rowOf(db, ofStranger.memoryId)
    const moves: [string, Partial<MemoriesTable>][] = [
      ['head in the place of the body', { body: original.head }],
      ['body in the place of the head', { head: original.body }],
      ['the body of another row', { body: otherBody }],
      ['the head of another row', { head: otherHead }],
      ['the body from another vault', { body: siblingRow.body }],
      ['the body of another user', { body: strangerRow.body }],
      ['another revision', { contentRevision: 2 }],
    ]
    for (const [move, columns] of moves) {
      await overwrite(db, target.memoryId, columns)
      await expect(getMemory(db.read, scope, target.memoryId), move).rejects.toThrow(CellError)
      await overwrite(db, target.memoryId, original)
    }
    await overwrite(db, inSibling.memoryId, { vaultId: scope.id })
    await expect(getMemory(db.read, scope, inSibling.memoryId)).rejects.toThrow(CellError)
    await overwrite(db, ofStranger.memoryId, { vaultId: scope.id, userId: scope.userId })
    await expect(getMemory(db.read, scope, ofStranger.memoryId)).rejects.toThrow(CellError)
    expect(await getMemory(db.read, scope, target.memoryId)).toEqual(target)
  })

  it('stores no user text unencrypted', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const planted = 'planted-word'
    const texts = { summary: planted, writeReason: planted, agentId: planted, agentRunId: planted, modelId: planted }
    const { memoryId } = await insert(db, scope, {
      content: planted,
      head: { ...head(planted), ...texts, entities: [planted], metadata: { [planted]: planted } },
    })
    const row = await rowOf(db, memoryId)
    for (const value of Object.values(row))
      expect(Buffer.from(value instanceof Uint8Array ? value : String(value)).includes('planted')).toBe(false)
  })
})
