import type { Migration } from '../migrate.ts'
import { describeSchema, type SchemaWords } from './table.ts'

/**
 * How often a memory was read, and when last, in a narrow table of its own. Counting a read rewrote the memory's row: 16 KB of WAL a search
 * in PostgreSQL, and three pages a read in SQLite, where the index for lists had the time, too. Now it changes some bytes of a row of 150
 * bytes, and no index.
 *
 * The ids are text, as in the tables that it is joined with: as bytes, rows would take 90 bytes, but reading 100,000 memories with their
 * counts would take longer, because every id is converted, and a damaged id would stop the query in PostgreSQL.
 */
export const readsApart: Migration = {
  name: '0024-reads-apart',
  statements: ({ columns, dialect }) => {
    const schema = describeSchema(columns)
    return [
      schema.table('memoryReads', {
        key: 'userId vaultId memoryId',
        clustered: true,
        text: 'userId vaultId memoryId',
        long: 'lastAccessedAt?',
        small: 'accessCount',
      }),
      // A flush may change a third of the rows of a page. At 90, every sixth change found no space in its page and wrote into the index.
      ...(dialect === 'sqlite' ? [] : ['ALTER TABLE "memoryReads" SET (fillfactor = 70)']),
      `INSERT INTO "memoryReads" ("userId", "vaultId", "memoryId", "lastAccessedAt", "accessCount")
        SELECT "userId", "vaultId", "id", "lastAccessedAt", "accessCount" FROM "memories"
        WHERE "accessCount" > 0 OR "lastAccessedAt" IS NOT NULL ORDER BY "userId", "vaultId", "id"`,
      ...(dialect === 'sqlite' ? leanIndex(schema) : []),
      'ALTER TABLE "memories" DROP COLUMN "lastAccessedAt"',
      'ALTER TABLE "memories" DROP COLUMN "accessCount"',
      ...(dialect === 'sqlite' ? statistics : ['ALTER TABLE "memories" RESET (fillfactor)', 'ANALYZE "memoryReads"']),
    ]
  },
}

/** The index for lists, without the column that reads changed. */
const leanIndex = ({ index }: SchemaWords) => [
  'DROP INDEX "memories_browse"',
  index(
    'memories_browse',
    'memories',
    'userId vaultId createdAt id type importance archivedAt supersededById expiresAt updatedAt',
  ),
]

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_browse', '1000000 1000000 1000000 2 1 1 1 1 1 1 1'),
    ('memoryReads', 'memoryReads', '1000000 1000000 1000000 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
