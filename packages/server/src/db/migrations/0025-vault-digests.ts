import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/**
 * What a check of the stored data remembers of the records of each vault, so that the next one notices rows that are gone or were replaced
 * by older ones. And two columns that say what was removed on purpose: a vault that is being erased, and messages up to a time.
 *
 * A vault without keys counts as being erased here: until now, nothing else could be meant.
 */
export const vaultDigests: Migration = {
  name: '0025-vault-digests',
  statements: ({ columns, dialect }) => [
    describeSchema(columns).table('vaultDigests', {
      key: 'userId vaultId kind fromAt fromId',
      text: 'userId vaultId kind fromId',
      long: 'fromAt',
      small: 'revision',
      bytes: 'cell',
    }),
    `ALTER TABLE "vaults" ADD COLUMN "erasedAt" ${columns.long}`,
    `ALTER TABLE "vaults" ADD COLUMN "messagesPurgedTo" ${columns.long}`,
    `UPDATE "vaults" SET "erasedAt" = "updatedAt" WHERE NOT EXISTS (
      SELECT 1 FROM "vaultKeys" WHERE "vaultKeys"."userId" = "vaults"."userId" AND "vaultKeys"."scopeId" = "vaults"."id"
    )`,
    ...(dialect === 'sqlite' ? statistics : []),
  ],
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('vaultDigests', 'sqlite_autoindex_vaultDigests_1', '10000 10000 100 30 1 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
