import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** What agents have called, by day; how much vaults hold. */
export const callCounts: Migration = {
  name: '0026-call-counts',
  statements: ({ read, columns, dialect }) => [
    table(read.schema, columns, 'callCounts', ['userId', 'day', 'integrationId', 'operation', 'measure'], {
      text: ['userId', 'day', 'integrationId', 'operation', 'measure'],
      bytes: [],
      long: ['tokens'],
      small: ['calls', 'errors', 'refused', ...slots],
    }),
    table(read.schema, columns, 'vaultSizes', ['userId', 'vaultId', 'kind'], {
      text: ['userId', 'vaultId', 'kind'],
      bytes: [],
      long: ['records', 'bytes'],
      small: [],
    }),
    table(read.schema, columns, 'vaultMeasures', ['userId', 'vaultId'], {
      text: ['userId', 'vaultId'],
      bytes: [],
      long: ['seq', 'measuredAt'],
      small: [],
    }),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

const slots = Array.from({ length: 32 }, (_, slot) => `s${String(slot).padStart(2, '0')}`)

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('callCounts', 'sqlite_autoindex_callCounts_1', '100000 100000 300 60 2 1')`,
  'ANALYZE sqlite_schema',
]
