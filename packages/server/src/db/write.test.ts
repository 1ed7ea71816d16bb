import { expect, it } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { openTestDatabase } from '../../test/database.ts'
import type { Database, Tx } from './dialect.ts'

const addUser = (tx: Tx, id: string) =>
  tx
    .insertInto('users')
    .values({
      id,
      emailTag: Buffer.from(id),
      profile: Buffer.from('sealed') as never,
      profileRevision: 1,
      passwordHash: '',
      isOwner: 0,
      wrappedMek: Buffer.alloc(1),
      mekVersion: 1,
      minGeneration: 1,
      createdAt: 1,
    })
    .execute()

const userIds = async (db: Database) =>
  (await db.read.selectFrom('users').select('id').orderBy('id').execute()).map((row) => row.id)

eachDialect('write', (dialect) => {
  it('keeps what its callback wrote, and returns the callback’s result', async () => {
    const db = await openTestDatabase(dialect)
    expect(await db.write(async (tx) => (await addUser(tx, 'a'), 'done'))).toBe('done')
    expect(await userIds(db)).toEqual(['a'])
    await db.close()
  })

  it('rolls back one failing callback and keeps concurrent ones', async () => {
    const db = await openTestDatabase(dialect)
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((id) =>
        db.write(async (tx) => {
          await addUser(tx, id)
          if (id === 'b') throw new Error('refused')
          return id
        }),
      ),
    )
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(await userIds(db)).toEqual(['a', 'c', 'd'])
    await db.close()
  })

  it('survives a callback whose statement the database rejects', async () => {
    const db = await openTestDatabase(dialect)
    await db.write((tx) => addUser(tx, 'a'))
    const outcomes = await Promise.allSettled([db.write((tx) => addUser(tx, 'a')), db.write((tx) => addUser(tx, 'b'))])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled'])
    expect(await userIds(db)).toEqual(['a', 'b'])
    await db.close()
  })

  it('returns long integers and bytes unchanged', async () => {
    const db = await openTestDatabase(dialect)
    await db.write((tx) => addUser(tx, 'a'))
    await db.write((tx) =>
      tx
        .updateTable('users')
        .set({ createdAt: 1_795_000_000_123, wrappedMek: Buffer.of(0, 255, 7) })
        .execute(),
    )
    const row = await db.read.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(row.createdAt).toBe(1_795_000_000_123)
    expect(Buffer.from(row.wrappedMek)).toEqual(Buffer.of(0, 255, 7))
    await db.close()
  })
})
