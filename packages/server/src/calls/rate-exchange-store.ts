import { newId } from '../core/ids.ts'
import type { Database } from '../db/dialect.ts'
import type { SecondCounts } from './rates.ts'
import type { RateExchange } from './rates.ts'

/** The recent counts of each server, one row per user and class. A server replaces its own rows and reads those of others. */
export function createRateExchange(db: Database): RateExchange {
  const server = newId()
  return {
    async publish(published, at) {
      const rows = published.map(({ userId, requestClass, counts }) => ({
        userId,
        requestClass,
        server,
        counts: JSON.stringify(counts),
        at,
      }))
      await db.write((tx) =>
        tx
          .insertInto('rateCounts')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['userId', 'requestClass', 'server']).doUpdateSet(({ ref }) => ({
              counts: ref('excluded.counts'),
              at: ref('excluded.at'),
            })),
          )
          .execute(),
      )
    },
    async readOthers(userIds) {
      const rows = await db.read
        .selectFrom('rateCounts')
        .select(['userId', 'requestClass', 'server', 'counts'])
        .where('userId', 'in', userIds)
        .where('server', '!=', server)
        .execute()
      return rows.map((row) => ({ ...row, counts: JSON.parse(row.counts) as SecondCounts }))
    },
    async purge(before) {
      await db.write((tx) => tx.deleteFrom('rateCounts').where('at', '<', before).execute())
    },
  }
}
