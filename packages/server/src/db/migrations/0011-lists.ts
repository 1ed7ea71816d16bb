import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What lists go by, in indexes that hold all of it: else a page of 20 tasks reads all that a vault has. */
export const lists: Migration = {
  name: '0011-lists',
  statements: ({ read, columns, dialect }) => [
    read.schema.alterTable('memories').addColumn('taskStatus', 'text'),
    read.schema.alterTable('memories').addColumn('assigneeTag', columns.bytes === 'blob' ? sql`blob` : sql`bytea`),
    { compile: () => sql.raw(knownTasks).compile(read) },
    read.schema
      .createIndex('memories_tasks')
      .on('memories')
      .columns([
        'userId',
        'vaultId',
        'type',
        'importance',
        'updatedAt',
        'id',
        'taskStatus',
        'archivedAt',
        'supersededById',
        'expiresAt',
        'assigneeTag',
      ])
      .where(sql.ref('taskStatus'), 'is not', null),
    read.schema
      .createIndex('webhookDeliveries_dead')
      .on('webhookDeliveries')
      .columns(['userId', 'webhookId', 'id'])
      .where(sql.ref('state'), '=', sql.lit('dead')),
    // Which subscriptions have something that waits is asked without knowing whose they are.
    read.schema
      .createIndex('webhookDeliveries_waiting')
      .on('webhookDeliveries')
      .columns(['webhookId', 'dueAt'])
      .where(sql.ref('state'), '=', sql.lit('pending')),
    read.schema.createIndex('webhooks_id').on('webhooks').column('id').unique(),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

const knownTasks = `UPDATE "memories" SET
  "taskStatus" = (SELECT "status" FROM "tasks" WHERE "tasks"."userId" = "memories"."userId" AND "tasks"."id" = "memories"."id"),
  "assigneeTag" = (SELECT "assigneeTag" FROM "tasks" WHERE "tasks"."userId" = "memories"."userId" AND "tasks"."id" = "memories"."id")
  WHERE EXISTS (SELECT 1 FROM "tasks" WHERE "tasks"."userId" = "memories"."userId" AND "tasks"."id" = "memories"."id")`

/** As in 0001: for a user and a vault that hold nearly all rows. Few deliveries wait or were given up. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_tasks', '100000 100000 100000 100000 20000 2 1 1 1 1 1 1'),
    ('webhookDeliveries', 'webhookDeliveries_dead', '10000 10000 10000 1'),
    ('webhookDeliveries', 'webhookDeliveries_waiting', '10000 10000 2'),
    ('webhooks', 'webhooks_id', '20000 1')`,
  'ANALYZE sqlite_schema',
]
