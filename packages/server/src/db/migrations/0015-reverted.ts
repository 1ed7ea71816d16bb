import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** What was taken back of imports, and may come again. */
export const reverted: Migration = {
  name: '0015-reverted',
  statements: ({ read, columns, dialect }) => [
    table(read.schema, columns, 'revertedRecords', ['userId', 'vaultId', 'recordId'], {
      text: ['userId', 'vaultId', 'recordId'],
      bytes: [],
      long: [],
      small: ['version'],
    }),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('revertedRecords', 'sqlite_autoindex_revertedRecords_1', '100000 100000 10000 1')`,
  'ANALYZE sqlite_schema',
]
