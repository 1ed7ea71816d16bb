import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { migrate } from '../migrate.ts'
import { initial } from './0001-initial.ts'

const yearMs = 365 * 86_400_000

eachDialect('the migration of sign-in', (dialect) => {
  it('lets tokens expire a year after they were created, and ends sessions', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [initial])
    const credential = (id: string, kind: 'session' | 'token', expiresAt: number | null) => ({
      id,
      kind,
      expiresAt,
      userId: 'ada',
      secretHash: Buffer.from(id),
      createdAt: 1000,
      lastUsedAt: 1000,
      client: null,
    })
    const rows = [credential('program', 'token', null), credential('browser', 'session', 5000)]
    await db.write((tx) =>
      tx
        .insertInto('dashboardCredentials')
        // The column of the newer schema doesn't exist yet.
        .values(rows as never)
        .execute(),
    )
    await migrate(db)
    const kept = await db.read.selectFrom('dashboardCredentials').select(['id', 'expiresAt']).execute()
    expect(kept).toEqual([{ id: 'program', expiresAt: 1000 + yearMs }])
    await db.close()
  })
})
