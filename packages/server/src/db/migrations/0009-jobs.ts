import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** Work of the background: which server does it, what has expired, and what is deleted for good. */
export const jobs: Migration = {
  name: '0009-jobs',
  statements: ({ read, columns, dialect }) => [
    table(read.schema, columns, 'jobLeases', ['name'], {
      text: ['name', 'holder'],
      bytes: [],
      long: ['leaseUntil', 'restUntil'],
      small: [],
    }),
    table(read.schema, columns, 'indexRemovals', ['userId', 'vaultId', 'seq', 'itemId'], {
      text: ['itemId', 'userId', 'vaultId'],
      bytes: [],
      long: ['seq'],
      small: [],
    }),
    read.schema
      .createIndex('memories_expiring')
      .on('memories')
      .columns(['expiresAt', 'userId', 'vaultId', 'id', 'archivedAt'])
      .where(sql.ref('archivedAt'), 'is', null)
      .where(sql.ref('expiresAt'), 'is not', null),
    read.schema
      .createIndex('memories_archived')
      .on('memories')
      .columns(['userId', 'vaultId', 'archivedAt', 'id'])
      .where(sql.ref('archivedAt'), 'is not', null),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('indexRemovals', 'sqlite_autoindex_indexRemovals_1', '100000 100000 100000 50 1'),
    ('memories', 'memories_expiring', '100000 2 2 2 1 1'),
    ('memories', 'memories_archived', '100000 100000 100000 2 1')`,
  'ANALYZE sqlite_schema',
]
