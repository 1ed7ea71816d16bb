import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

export const webhooks: Migration = {
  name: '0006-webhooks',
  statements: ({ read, columns, dialect }) => [
    table(read.schema, columns, 'webhooks', ['userId', 'id'], {
      text: ['id', 'userId', 'vaultId?', 'events', 'categories?', 'targetId?'],
      bytes: ['endpoint', 'lastError?'],
      long: ['lastDeliveryAt?', 'windowStartedAt', 'heldUntil?', 'createdAt', 'updatedAt'],
      small: ['minPriority?', 'isActive', 'errorCount', 'windowAttempts', 'windowFailures', 'version'],
    }),
    table(read.schema, columns, 'webhookDeliveries', ['userId', 'id'], {
      text: ['id', 'userId', 'webhookId', 'eventId', 'vaultId?', 'event', 'messageId', 'body', 'state', 'leaseOwner?'],
      bytes: ['attempts?'],
      long: ['dueAt', 'lastAttemptAt?', 'createdAt', 'changedAt'],
      small: ['attempt', 'fence', 'lastStatus?'],
    }),
    read.schema
      .createIndex('webhookDeliveries_due')
      .on('webhookDeliveries')
      .columns(['userId', 'webhookId', 'dueAt'])
      .where(sql.ref('state'), '=', sql.lit('pending')),
    read.schema.createIndex('webhookDeliveries_list').on('webhookDeliveries').columns(['userId', 'webhookId', 'id']),
    read.schema.createIndex('webhookDeliveries_vault').on('webhookDeliveries').columns(['userId', 'vaultId']),
    read.schema.createIndex('webhookDeliveries_age').on('webhookDeliveries').column('changedAt'),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** One user's one subscription with nearly all rows; see 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('webhookDeliveries', 'sqlite_autoindex_webhookDeliveries_1', '1000000 1000000 1'),
    ('webhookDeliveries', 'webhookDeliveries_due', '1000000 1000000 1000000 2'),
    ('webhookDeliveries', 'webhookDeliveries_list', '1000000 1000000 1000000 1'),
    ('webhookDeliveries', 'webhookDeliveries_vault', '1000000 1000000 500000'),
    ('webhookDeliveries', 'webhookDeliveries_age', '1000000 2')`,
  'ANALYZE sqlite_schema',
]
