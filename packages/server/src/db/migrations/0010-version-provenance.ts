import type { Migration } from '../migrate.ts'

/**
 * Whose text a former text is, so that a person's own words are kept apart from their changes of what others wrote. It isn't known of rows
 * from before, whose last ones are kept.
 */
export const versionProvenance: Migration = {
  name: '0010-version-provenance',
  statements: () =>
    ['memoryVersions', 'noteVersions', 'documentVersions'].map(
      (table) => `ALTER TABLE "${table}" ADD COLUMN "provenance" text NOT NULL DEFAULT 'unknown'`,
    ),
}
