import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Sign-ins and settings are few among all that was done, and what people look for: else each look reads every row. */
export const activityClass: Migration = {
  name: '0022-activity-class',
  statements: ({ read, dialect }) => [
    read.schema.createIndex('activity_class').on('activity').columns(['userId', 'class', 'id']),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('activity', 'activity_class', '1000000 1000000 200000 1')`,
  'ANALYZE sqlite_schema',
]
