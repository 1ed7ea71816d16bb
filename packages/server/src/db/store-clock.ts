import { sql, type RawBuilder } from 'kysely'
import type { Reader } from './dialect.ts'
import { locksRows } from './locks-rows.ts'

/**
 * The time by the store's own clock, in milliseconds, for what several servers compare: each has a clock of its own. It is
 * that of the moment, not of the transaction's beginning, which may have waited for a lock.
 */
export const storeClock = (db: Reader): RawBuilder<number> =>
  locksRows(db)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('now', 'subsec') * 1000 as integer)`
