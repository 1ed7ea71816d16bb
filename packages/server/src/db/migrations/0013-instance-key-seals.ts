import type { Migration } from '../migrate.ts'

/** Which generation of the instance's keys seals, and how many cells it has sealed. */
export const instanceKeySeals: Migration = {
  name: '0013-instance-key-seals',
  statements: ({ columns: { long } }) => [
    'ALTER TABLE "instance" ADD COLUMN "instanceKeyGeneration" integer NOT NULL DEFAULT 1',
    `ALTER TABLE "instance" ADD COLUMN "instanceKeySeals" ${long} NOT NULL DEFAULT 0`,
  ],
}
