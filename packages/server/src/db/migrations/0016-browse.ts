import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What people list and count memories by, in an index that holds all of it: else a page of 20 reads all that a vault has. */
export const browse: Migration = {
  name: '0016-browse',
  statements: ({ read, dialect }) => [
    read.schema
      .createIndex('memories_browse')
      .on('memories')
      .columns([
        'userId',
        'vaultId',
        'createdAt',
        'id',
        'type',
        'importance',
        'archivedAt',
        'supersededById',
        'expiresAt',
        'updatedAt',
        'lastAccessedAt',
      ]),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_browse', '1000000 1000000 1000000 2 1 1 1 1 1 1 1 1')`,
  'ANALYZE sqlite_schema',
]
