import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Links can be removed, repeated under an idempotency key, and listed from both of their ends. */
export const links: Migration = {
  name: '0002-links',
  statements: ({ read, columns, dialect }) => [
    read.schema.alterTable('links').addColumn('removedAt', columns.long),
    read.schema.alterTable('links').addColumn('externalTag', columns.bytes === 'blob' ? sql`blob` : sql`bytea`),
    read.schema
      .createIndex('links_external')
      .on('links')
      .columns(['userId', 'vaultId', 'externalTag'])
      .unique()
      .where(sql.ref('externalTag'), 'is not', null),
    ...(['source', 'target'] as const).map((end) =>
      // All that a page and its total ask for, in the order of the page: a node may have 100,000 links.
      read.schema
        .createIndex(`links_by_${end}`)
        .on('links')
        // The last is always null here; SQLite reads it from the rows where the index lacks it.
        .columns(['userId', 'vaultId', `${end}Id`, 'id', 'relationType', 'removedAt'])
        .where(sql.ref('removedAt'), 'is', null),
    ),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('links', 'links_external', '1000000 1000000 1000000 1'),
    ('links', 'links_by_source', '1000000 1000000 1000000 5 1 1 1'),
    ('links', 'links_by_target', '1000000 1000000 1000000 5 1 1 1')`,
  'ANALYZE sqlite_schema',
]
