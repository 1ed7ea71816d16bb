import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** What the calls of a run came to: counts beside the run, and the calls themselves, some seconds of them in a sealed row. */
export const runCalls: Migration = {
  name: '0017-run-calls',
  statements: ({ read, columns, dialect }) => [
    ...['reads', 'writes', 'failures'].map((count) =>
      read.schema.alterTable('runs').addColumn(count, 'integer', (column) => column.notNull().defaultTo(0)),
    ),
    read.schema.alterTable('runs').addColumn('checkpointAt', columns.long),
    table(read.schema, columns, 'runCalls', ['userId', 'vaultId', 'runId', 'id'], {
      text: ['id', 'userId', 'vaultId', 'runId'],
      bytes: ['body'],
      long: ['createdAt'],
      small: ['calls'],
    }),
    // What is let go after a while.
    read.schema.createIndex('runCalls_created').on('runCalls').column('createdAt'),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('runCalls', 'sqlite_autoindex_runCalls_1', '1000000 1000000 1000000 20 1'),
    ('runCalls', 'runCalls_created', '1000000 2')`,
  'ANALYZE sqlite_schema',
]
