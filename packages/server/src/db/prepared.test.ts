import { expect, it } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { newId } from '../core/ids.ts'
import { preparedForIds, type Param } from './prepared.ts'

const leases = preparedForIds((db, param: Param<{ holder: string }>, names) =>
  db.selectFrom('jobLeases').select('name').where('holder', '=', param('holder')).where('name', 'in', names),
)

eachDialect('a query that is prepared for ids', (dialect) => {
  it('finds the rows of lists of any length, also of none, each once', async () => {
    const db = await openTestDatabase(dialect)
    const [holder, other] = [newId(), newId()]
    const names = Array.from({ length: 9 }, (_, at) => `job ${at}`)
    await db.write(async (tx) => {
      for (const [at, name] of names.entries())
        await tx
          .insertInto('jobLeases')
          .values({ name, holder: at === 8 ? other : holder, leaseUntil: 1, restUntil: 1 })
          .execute()
    })
    for (let length = 0; length <= names.length; length++) {
      const wanted = names.slice(0, length)
      const found = await leases.execute(db.read, { holder }, wanted.toReversed())
      expect(found.map(({ name }) => name).toSorted()).toEqual(wanted.slice(0, 8))
    }
    await db.close()
  })
})
