import type { Migration } from '../migrate.ts'

/** Who wrote a former text of a note or document, and the run whose change replaced it. */
export const versionWriters: Migration = {
  name: '0003-version-writers',
  statements: ({ columns }) =>
    ['noteVersions', 'documentVersions'].flatMap((table) => [
      `ALTER TABLE "${table}" ADD COLUMN "integrationId" text`,
      `ALTER TABLE "${table}" ADD COLUMN "replacedInRun" ${columns.bytes}`,
    ]),
}
