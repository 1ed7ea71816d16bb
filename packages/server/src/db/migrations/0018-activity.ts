import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** Who did what. */
export const activity: Migration = {
  name: '0018-activity',
  statements: ({ read, columns, dialect }) => [
    table(read.schema, columns, 'activity', ['userId', 'id'], {
      text: [
        'userId',
        'id',
        'vaultId?',
        'actor',
        'integrationId?',
        'credentialId?',
        'operation',
        'class',
        'recordId?',
        'recordKind?',
      ],
      bytes: ['address?'],
      long: ['at'],
      small: ['records', 'calls', 'status'],
    }),
    read.schema.createIndex('activity_record').on('activity').columns(['userId', 'recordId', 'id']),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('activity', 'sqlite_autoindex_activity_1', '1000000 1000000 1'),
    ('activity', 'activity_record', '1000000 1000000 10 1')`,
  'ANALYZE sqlite_schema',
]
