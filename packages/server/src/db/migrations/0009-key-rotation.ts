import type { Migration } from '../migrate.ts'

/** What replacing the keys of users and vaults needs to know. */
export const keyRotation: Migration = {
  name: '0009-key-rotation',
  statements: ({ columns: { long, bytes } }) => [
    `ALTER TABLE "instance" ADD COLUMN "userKeysDue" ${long}`,
    `ALTER TABLE "instance" ADD COLUMN "vaultKeysDue" ${long}`,
    `ALTER TABLE "users" ADD COLUMN "nextWrappedMek" ${bytes}`,
    `ALTER TABLE "users" ADD COLUMN "nextMekFrom" ${long}`,
    `ALTER TABLE "users" ADD COLUMN "mekSince" ${long}`,
    `ALTER TABLE "integrations" ADD COLUMN "nextWrappedMek" ${bytes}`,
    // The keys that exist seal at once.
    `ALTER TABLE "vaultKeys" ADD COLUMN "sealsFrom" ${long} NOT NULL DEFAULT 0`,
    `ALTER TABLE "vaultKeys" ADD COLUMN "seals" ${long} NOT NULL DEFAULT 0`,
    `ALTER TABLE "vaultKeys" ADD COLUMN "wrappedWords" ${bytes}`,
    `ALTER TABLE "vaultKeys" ADD COLUMN "wrappedExact" ${bytes}`,
    'ALTER TABLE "vaultKeys" ADD COLUMN "rowsTotal" integer',
    'ALTER TABLE "vaultKeys" ADD COLUMN "rowsDone" integer',
  ],
}
