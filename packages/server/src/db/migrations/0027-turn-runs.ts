import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Which run handed a turn in, as a tag, and an index by which what was said in a run is read. Turns from before have none. */
export const turnRuns: Migration = {
  name: '0027-turn-runs',
  statements: ({ read, columns, dialect }) => [
    read.schema.alterTable('turns').addColumn('runTag', columns.bytes === 'blob' ? sql`blob` : sql`bytea`),
    read.schema
      .createIndex('turns_run')
      .on('turns')
      .columns(['userId', 'vaultId', 'runTag', 'occurredAt', 'id'])
      .where(sql.ref('runTag'), 'is not', null),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('turns', 'turns_run', '1000000 1000000 1000000 50 2 1')`,
  'ANALYZE sqlite_schema',
]
