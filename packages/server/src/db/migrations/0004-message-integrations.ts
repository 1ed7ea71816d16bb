import type { Migration } from '../migrate.ts'

/**
 * Messages and acknowledgements keep the integration that sent them, beside the name that it gave itself. Null for people, and for rows from
 * before.
 */
export const messageIntegrations: Migration = {
  name: '0004-message-integrations',
  statements: () => [
    'ALTER TABLE "messages" ADD COLUMN "integrationId" text',
    'ALTER TABLE "messageAcks" ADD COLUMN "integrationId" text',
  ],
}
