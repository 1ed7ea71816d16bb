import type { Migration } from '../migrate.ts'

/** Webhooks also receive events about memories, tasks and notes. */
export const recordEvents: Migration = {
  name: '0018-record-events',
  statements: () => [
    'ALTER TABLE "webhooks" ADD COLUMN "memoryTypes" text',
    'ALTER TABLE "webhookDeliveries" RENAME COLUMN "messageId" TO "recordId"',
  ],
}
