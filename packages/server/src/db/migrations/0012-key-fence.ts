import type { Migration } from '../migrate.ts'

/** Up to which generation the keys of vaults, and of what users have outside of vaults, must not seal any more. */
export const keyFence: Migration = {
  name: '0012-key-fence',
  statements: () =>
    ['vaults', 'users'].map((table) => `ALTER TABLE "${table}" ADD COLUMN "minGeneration" integer NOT NULL DEFAULT 1`),
}
