import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { eachDialect, onPostgres, type TestDialect } from '../../../test/dialects.ts'
import { insertVaultRow, openTestDatabase } from '../../../test/database.ts'
import { newId } from '../../core/ids.ts'
import { createRandomKey, scopeKeys, type VaultScope } from '../../crypto/keys.ts'
import type { Database, Tx } from '../../db/dialect.ts'
import { SnapshotError } from './snapshot.ts'
import { listVaultsToSnapshot, newSnapshotRun, readSnapshot, writeSegment } from './snapshot-store.ts'
import { removeEntries } from './store.ts'

function newScope(): VaultScope {
  const id = newId()
  return { id, userId: newId(), keys: scopeKeys(id, [{ generation: 1, key: createRandomKey() }]) }
}

/** Writes segments of a snapshot at change 7, each with a text that identifies it, all in one run. */
function startRun(db: Database, scope: VaultScope, name: string, segments: number) {
  const run = newSnapshotRun()
  return (segment: number) =>
    db.write((tx) =>
      writeSegment(tx, scope, { seq: 7, segment, segments }, { run, bytes: Buffer.from(`${name}${segment}`) }),
    )
}

async function openWithVault(dialect: TestDialect): Promise<[Database, VaultScope]> {
  const [db, scope] = [await openTestDatabase(dialect), newScope()]
  await insertVaultRow(db, scope)
  return [db, scope]
}

const eraseVault = (tx: Tx, { id, userId }: VaultScope) =>
  tx.deleteFrom('vaults').where('userId', '=', userId).where('id', '=', id).execute()

const countSegments = async (db: Database) =>
  (await db.read.selectFrom('indexSnapshots').select('segment').execute()).length

const read = async (db: Database, scope: VaultScope) =>
  (await readSnapshot(db.read, scope))?.segments.map((segment) => segment.toString())

eachDialect('a snapshot', (dialect) => {
  it('is valid once its last segment is stored', async () => {
    const [db, scope] = await openWithVault(dialect)
    const write = startRun(db, scope, 'a', 2)
    await write(0)
    expect(await read(db, scope)).toBeUndefined()
    await write(1)
    expect(await read(db, scope)).toEqual(['a0', 'a1'])
    await db.close()
  })

  it('that was interrupted keeps its vault due', async () => {
    const [db, scope] = await openWithVault(dialect)
    await db.write((tx) => tx.updateTable('vaults').set({ seq: 9_000 }).execute())
    const isDue = async (minChanges: number) => (await listVaultsToSnapshot(db.read, minChanges)).length === 1
    const writeAt = async (seq: number, segment: number) =>
      db.write((tx) =>
        writeSegment(tx, scope, { seq, segment, segments: 2 }, { run: newSnapshotRun(), bytes: Buffer.from('index') }),
      )
    expect(await isDue(4_000)).toBe(true)
    await writeAt(9_000, 0)
    expect(await isDue(4_000)).toBe(true)
    for (const segment of [0, 1]) await writeAt(7_000, segment)
    expect([await isDue(1_000), await isDue(4_000)]).toEqual([true, false])
    await writeAt(9_000, 1)
    expect(await isDue(0)).toBe(false)
    await db.close()
  })

  it('contains nothing of an earlier one that was interrupted at the same change', async () => {
    const [db, scope] = await openWithVault(dialect)
    const interrupted = startRun(db, scope, 'a', 4)
    for (const segment of [0, 1, 2]) await interrupted(segment)
    const write = startRun(db, scope, 'b', 2)
    for (const segment of [0, 1]) await write(segment)
    expect(await read(db, scope)).toEqual(['b0', 'b1'])
    await db.close()
  })

  it('from before a record was deleted permanently is not written', async () => {
    const [db, scope] = await openWithVault(dialect)
    const write = startRun(db, scope, 'a', 1)
    await db.write((tx) => removeEntries(tx, scope, 8, [newId()]))
    expect([await write(0), await countSegments(db)]).toEqual([false, 0])
    await db.close()
  })

  it('that two processes wrote at the same time is rejected', async () => {
    const [db, scope] = await openWithVault(dialect)
    const [a, b] = [startRun(db, scope, 'a', 2), startRun(db, scope, 'b', 2)]
    for (const write of [() => a(0), () => b(0), () => b(1), () => a(1)]) await write()
    await expect(readSnapshot(db.read, scope)).rejects.toThrow(SnapshotError)
    await db.close()
  })

  it('of a vault whose key was replaced in the meantime is not written', async () => {
    const [db, scope] = await openWithVault(dialect)
    const write = startRun(db, scope, 'a', 1)
    await db.write((tx) => tx.updateTable('vaults').set({ minGeneration: 2 }).execute())
    expect([await write(0), await countSegments(db)]).toEqual([false, 0])
    await db.close()
  })

  it('of a vault that was erased in the meantime is not written', async () => {
    const [db, scope] = await openWithVault(dialect)
    const write = startRun(db, scope, 'a', 2)
    await write(0)
    await db.write((tx) => eraseVault(tx, scope))
    await write(1)
    expect(await countSegments(db)).toBe(1)
    await db.close()
  })
})

onPostgres('a snapshot', (dialect) => {
  it('waits for an erasure in progress, and leaves nothing behind', async () => {
    const [db, scope] = await openWithVault(dialect)
    const erasing = db.write(async (tx) => {
      await eraseVault(tx, scope)
      await sql`select pg_sleep(0.3)`.execute(tx)
    })
    await sql`select pg_sleep(0.1)`.execute(db.read)
    await startRun(db, scope, 'a', 1)(0)
    await erasing
    expect(await countSegments(db)).toBe(0)
    await db.close()
  })
})
