import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** What people have decided about what waited for their judgement, what nobody is sure of, and what was imported when. */
export const review: Migration = {
  name: '0021-review',
  statements: ({ read, columns, dialect }) => [
    table(read.schema, columns, 'reviewDecisions', ['userId', 'vaultId', 'kind', 'firstId', 'secondId'], {
      text: ['userId', 'vaultId', 'kind', 'firstId', 'secondId'],
      bytes: [],
      long: ['at'],
      small: [],
    }),
    table(read.schema, columns, 'imports', ['userId', 'vaultId', 'importId'], {
      text: ['userId', 'vaultId', 'importId'],
      bytes: ['origin?'],
      long: ['startedAt', 'lastAt', 'revertedAt?'],
      small: [],
    }),
    // Only of these few: of 100,000 memories most are believed.
    read.schema
      .createIndex('memories_unsure')
      .on('memories')
      .columns(['userId', 'vaultId', 'createdAt', 'id'])
      .where(sql.ref('confidence'), '<=', 2),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('reviewDecisions', 'sqlite_autoindex_reviewDecisions_1', '10000 10000 1000 500 1 1'),
    ('imports', 'sqlite_autoindex_imports_1', '1000 1000 100 1'),
    ('memories', 'memories_unsure', '10000 10000 10000 2 1')`,
  'ANALYZE sqlite_schema',
]
