import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

export const tasks: Migration = {
  name: '0003-tasks',
  statements: ({ read, columns, dialect }) => [
    table(read.schema, columns, 'tasks', ['userId', 'id'], {
      text: ['id', 'userId', 'vaultId', 'status'],
      bytes: ['assigneeTag?', 'detail?'],
      long: ['completedAt?'],
      small: ['revision'],
    }),
    read.schema.createIndex('tasks_status').on('tasks').columns(['userId', 'vaultId', 'status', 'id']),
    table(read.schema, columns, 'claimedWrites', ['userId', 'vaultId', 'externalTag'], {
      text: ['id', 'userId', 'vaultId'],
      bytes: ['externalTag'],
      long: [],
      small: [],
    }),
    // With a record go the writes that it has answered for.
    read.schema.createIndex('claimedWrites_record').on('claimedWrites').columns(['userId', 'id']),
    ...[existingTasks, ...(dialect === 'sqlite' ? sqliteStatistics : [])].map((text) => ({
      compile: () => sql.raw(text).compile(read),
    })),
  ],
}

// Memories of type task that were written before there were tasks.
const existingTasks = `INSERT INTO "tasks" ("id", "userId", "vaultId", "status", "revision")
  SELECT "id", "userId", "vaultId", 'todo', 1 FROM "memories" WHERE "type" = 'task'`

/** As in 0001: for a user and a vault that hold nearly all rows. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('tasks', 'sqlite_autoindex_tasks_1', '100000 100000 1'),
    ('tasks', 'tasks_status', '100000 100000 100000 20000 1'),
    ('claimedWrites', 'sqlite_autoindex_claimedWrites_1', '100000 100000 100000 1'),
    ('claimedWrites', 'claimedWrites_record', '100000 100000 2')`,
  'ANALYZE sqlite_schema',
]
