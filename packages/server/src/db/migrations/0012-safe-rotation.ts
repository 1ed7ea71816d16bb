import type { Migration } from '../migrate.ts'

/**
 * Up to which generation the keys of vaults, and of what users have outside of vaults, must not seal any more; and where a rotation of
 * keys last met something damaged.
 */
export const safeRotation: Migration = {
  name: '0012-safe-rotation',
  statements: ({ columns: { long } }) => [
    'ALTER TABLE "vaults" ADD COLUMN "minGeneration" integer NOT NULL DEFAULT 1',
    'ALTER TABLE "users" ADD COLUMN "minGeneration" integer NOT NULL DEFAULT 1',
    `ALTER TABLE "vaultKeys" ADD COLUMN "stuckAt" ${long}`,
    `ALTER TABLE "users" ADD COLUMN "mekStuckAt" ${long}`,
  ],
}
