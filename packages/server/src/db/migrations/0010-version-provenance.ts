import type { Migration } from '../migrate.ts'

/** Whose text a former text is, so that a person's own words are kept apart from their changes of what others wrote. Null in rows from before. */
export const versionProvenance: Migration = {
  name: '0010-version-provenance',
  statements: () =>
    ['memoryVersions', 'noteVersions', 'documentVersions'].map(
      (table) => `ALTER TABLE "${table}" ADD COLUMN "provenance" text`,
    ),
}
