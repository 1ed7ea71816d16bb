import type { Migration } from '../migrate.ts'
import { describeSchema, type SchemaWords } from './table.ts'

/**
 * How often a memory was read, and when last, in a narrow table of its own. Counting a read rewrote the memory's row, and in SQLite also the
 * index for lists. Now it changes some bytes of a row of 150 bytes, and no index.
 *
 * Measured with 100,000 memories of 640 bytes, 2,000 searches with ten results, written 500 searches at a time; half of the results are among
 * 5 % of the memories. WAL of PostgreSQL for each search: 9 KB instead of 38 right after a checkpoint, when most is images of pages, then 0.9
 * to 1.2 KB instead of 18, 10 and 6: about 0.11 KB for each row. Written 2,000 at a time, 0.9 KB, because searches share more rows. SQLite
 * writes 41 KB instead of 86 for each search, or 19 KB if 2,000 share a flush: nearly every row is in a page of its own. Processor time of
 * counting: 0.1 instead of 1.3 ms a search in PostgreSQL, 0.2 instead of 0.4 in SQLite.
 *
 * The price: counting the memories of a vault that were never read looks at the reads of each, and takes four times as long.
 *
 * The ids are text, as in the tables that it is joined with. As bytes, a row would take 90 bytes, and the WAL
 * would have 10 to 20 % less in the long run. But joins would convert every id, and in PostgreSQL a damaged id would end the query with an error.
 *
 * With 100,000 memories, the migration takes 0.4 to 0.9 s in PostgreSQL, and in SQLite, which copies the table of memories, 4 s on a busy
 * machine; the WAL grows to 103 MB.
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
      // A flush may change a third of the rows of a page. At 90, every sixth change found no space in its page and wrote into the index;
      // at 70, one in sixty.
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
