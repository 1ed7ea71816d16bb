import type { Migration } from '../migrate.ts'

/** Disabled users, sessions in two halves, tokens that expire, and counts of wrong codes. */
export const signIn: Migration = {
  name: '0006-sign-in',
  statements: ({ columns: { long, bytes } }) => [
    `ALTER TABLE "users" ADD COLUMN "disabledAt" ${long}`,
    `ALTER TABLE "dashboardCredentials" ADD COLUMN "keyHash" ${bytes}`,
    // A session of one half would open nothing; its owner signs in again.
    `DELETE FROM "dashboardCredentials" WHERE "kind" = 'session'`,
    // The longest time that a new token can have.
    `UPDATE "dashboardCredentials" SET "expiresAt" = "createdAt" + ${365 * 24 * 3_600_000} WHERE "expiresAt" IS NULL`,
    'ALTER TABLE "secondFactors" ADD COLUMN "wrongCodes" integer NOT NULL DEFAULT 0',
    `ALTER TABLE "secondFactors" ADD COLUMN "lastWrongAt" ${long}`,
  ],
}
