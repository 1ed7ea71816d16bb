import type { Migration } from '../migrate.ts'

/**
 * The first statistics (0020) knew facts only. So PostgreSQL believed that a user has no tasks, read all of them again for each task of a
 * list, and needed 10 s for 5,000 until autovacuum had collected real statistics. These know all types, and all degrees of importance and
 * confidence.
 */
export const statisticsByType: Migration = {
  name: '0021-statistics-by-type',
  statements: ({ dialect }) => (dialect === 'sqlite' ? [] : [statistics]),
}

const statistics = `DO $$ BEGIN
  IF EXISTS (SELECT FROM "memories") THEN RETURN; END IF;
  ALTER TABLE "memories" ALTER COLUMN "userId" SET (n_distinct = 2), ALTER COLUMN "vaultId" SET (n_distinct = 2);
  INSERT INTO "memories" ("id", "userId", "vaultId", "type", "createdAt", "updatedAt", "occurredAt",
    "importance", "confidence", "contentRevision", "version", "accessCount", "head", "body")
    SELECT n, n, n, (array['fact', 'skill', 'preference', 'constraint', 'task', 'episodic', 'correction'])[n % 7 + 1], n, n, n,
      n % 5 + 1, n % 5 + 1, 1, 1, 0, '', '' FROM generate_series(1, 105) n;
  ANALYZE "memories";
  DELETE FROM "memories";
  ALTER TABLE "memories" ALTER COLUMN "userId" RESET (n_distinct), ALTER COLUMN "vaultId" RESET (n_distinct);
END $$`
