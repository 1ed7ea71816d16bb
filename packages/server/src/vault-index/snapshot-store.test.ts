import { expect, it } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { openTestDatabase } from '../../test/database.ts'
import { newId } from '../core/ids.ts'
import { createRandomKey, scopeKeys } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import { SnapshotError } from './segments.ts'
import { newSnapshotRun, readSnapshot, writeSegment } from './snapshot-store.ts'
import type { IndexScope } from './store.ts'

function newScope(): IndexScope {
  const id = newId()
  return { id, userId: newId(), keys: scopeKeys(id, [{ generation: 1, key: createRandomKey() }]) }
}

/** Writes segments of a snapshot at change 7, each with a text that names it, all in one run. */
function startRun(db: Database, scope: IndexScope, name: string, segments: number) {
  const run = newSnapshotRun()
  return (segment: number) =>
    db.write((tx) => writeSegment(tx, scope, { seq: 7, segment, segments }, run, Buffer.from(`${name}${segment}`)))
}

const read = async (db: Database, scope: IndexScope) =>
  (await readSnapshot(db.read, scope))?.segments.map((segment) => segment.toString())

eachDialect('a snapshot', (dialect) => {
  it('counts once its last segment is there', async () => {
    const [db, scope] = [await openTestDatabase(dialect), newScope()]
    const write = startRun(db, scope, 'a', 2)
    await write(0)
    expect(await read(db, scope)).toBeUndefined()
    await write(1)
    expect(await read(db, scope)).toEqual(['a0', 'a1'])
    await db.close()
  })

  it('holds nothing of an earlier one that was cut short at the same change', async () => {
    const [db, scope] = [await openTestDatabase(dialect), newScope()]
    const interrupted = startRun(db, scope, 'a', 4)
    for (const segment of [0, 1, 2]) await interrupted(segment)
    const write = startRun(db, scope, 'b', 2)
    for (const segment of [0, 1]) await write(segment)
    expect(await read(db, scope)).toEqual(['b0', 'b1'])
    await db.close()
  })

  it('that two processes wrote into at once is refused', async () => {
    const [db, scope] = [await openTestDatabase(dialect), newScope()]
    const [a, b] = [startRun(db, scope, 'a', 2), startRun(db, scope, 'b', 2)]
    for (const write of [() => a(0), () => b(0), () => b(1), () => a(1)]) await write()
    await expect(readSnapshot(db.read, scope)).rejects.toThrow(SnapshotError)
    await db.close()
  })
})
