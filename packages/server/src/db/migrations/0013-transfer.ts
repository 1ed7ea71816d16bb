import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** What imports have made. */
export const transfer: Migration = {
  name: '0013-transfer',
  statements: ({ read, columns, dialect }) => [
    table(read.schema, columns, 'importedRecords', ['userId', 'vaultId', 'importId', 'kind', 'recordId'], {
      text: ['userId', 'vaultId', 'importId', 'recordId', 'kind'],
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
    ('importedRecords', 'sqlite_autoindex_importedRecords_1', '100000 100000 100000 10000 5000 1')`,
  'ANALYZE sqlite_schema',
]
