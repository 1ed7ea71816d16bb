import type { Migration } from '../migrate.ts'

/**
 * How often each of these cells has been sealed. A cell is sealed under its revision, so a former one doesn't open in a row that has
 * changed since. Existing cells were all sealed under revision 1.
 */
export const revisions: Migration = {
  name: '0005-revisions',
  statements: () =>
    [
      ['users', 'profileRevision'],
      ['integrations', 'profileRevision'],
      ['passkeys', 'nameRevision'],
      ['webhooks', 'endpointRevision'],
      ['webhooks', 'lastErrorRevision'],
      ['webhookDeliveries', 'attemptsRevision'],
    ].map(([table, column]) => `ALTER TABLE "${table}" ADD COLUMN "${column}" integer NOT NULL DEFAULT 1`),
}
