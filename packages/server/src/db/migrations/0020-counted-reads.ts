import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/**
 * PostgreSQL writes a new version of a row into each of its indexes if the update changes an indexed column, or if the row's page is
 * full. So counting a read wrote into each index that has the memory. Now the index for lists has no column that a read changes, and new pages have space
 * for a second version.
 *
 * Measured with 100,000 memories of 640 bytes and five counted reads a search. WAL of a search: 35 KB instead of 119 right after a
 * checkpoint, 26 instead of 55 for the next 800 searches, then 16 instead of 23; most of the rest is images of the table's pages. With
 * 10,000 memories: 26 instead of 48, 8 instead of 10, then 1.7 instead of 4. Counting by whether a memory was recalled reads rows, which
 * takes 170 ms instead of 60 right after a vacuum, and 130 instead of 140 once reads were counted.
 *
 * SQLite writes pages, not versions, and keeps the covering index.
 */
export const countedReads: Migration = {
  name: '0020-counted-reads',
  statements: ({ columns, dialect }) =>
    dialect === 'sqlite'
      ? []
      : [
          'DROP INDEX "memories_browse"',
          describeSchema(columns).index(
            'memories_browse',
            'memories',
            'userId vaultId createdAt id type importance archivedAt supersededById expiresAt updatedAt',
          ),
          'ALTER TABLE "memories" SET (fillfactor = 85)',
          firstStatistics,
        ],
}

/**
 * Until the first statistics of a table, the planner believes that a vault has a 200th of a user's memories, takes this index to read one
 * by its id, and reads the whole vault: 13 ms instead of 0.05 at 100,000 memories. These statistics say that there are two vaults. They
 * last until autovacuum has collected real ones. A list of the most common values must not come of it, or all others would count as rare.
 */
const firstStatistics = `DO $$ BEGIN
  IF EXISTS (SELECT FROM "memories") THEN RETURN; END IF;
  ALTER TABLE "memories" ALTER COLUMN "userId" SET (n_distinct = 2), ALTER COLUMN "vaultId" SET (n_distinct = 2);
  INSERT INTO "memories" ("id", "userId", "vaultId", "type", "createdAt", "updatedAt", "occurredAt",
    "importance", "confidence", "contentRevision", "version", "accessCount", "head", "body")
    SELECT n, n, n, 'fact', n, n, n, 3, 4, 1, 1, 0, '', '' FROM generate_series(1, 100) n;
  ANALYZE "memories";
  DELETE FROM "memories";
  ALTER TABLE "memories" ALTER COLUMN "userId" RESET (n_distinct), ALTER COLUMN "vaultId" RESET (n_distinct);
END $$`
