import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/** Former texts of memories, and which memories were last changed by an agent other than their author. */
export const memoryVersions: Migration = {
  name: '0002-memory-versions',
  statements: ({ columns, dialect }) => {
    const { table, index } = describeSchema(columns)
    return [
      table('memoryVersions', {
        key: 'userId memoryId version',
        text: 'userId vaultId memoryId integrationId?',
        small: 'version',
        bytes: 'replacedInRun? state',
      }),
      'ALTER TABLE "memories" ADD COLUMN "changedById" text',
      // Only what waits for review: memories that a person wrote and an agent changed.
      index(
        'memories_changed',
        'memories',
        'userId vaultId updatedAt id',
        '"changedById" IS NOT NULL AND "integrationId" IS NULL',
      ),
      ...(dialect === 'sqlite' ? statistics : []),
    ]
  },
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_changed', '10000 10000 10000 2 1'),
    ('memoryVersions', 'sqlite_autoindex_memoryVersions_1', '100000 100000 3 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
