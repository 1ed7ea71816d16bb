import { sql, type Compilable, type SchemaModule } from 'kysely'
import type { ColumnTypes } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** Messages with what their recipients did with them, and what the start and the end of sessions leave behind. */
export const messages: Migration = {
  name: '0005-messages',
  statements: ({ read, columns, dialect }) => [
    ...inbox(read.schema, columns),
    ...sessions(read.schema, columns),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

function inbox(schema: SchemaModule, types: ColumnTypes): Compilable[] {
  return [
    table(schema, types, 'messages', ['userId', 'id'], {
      text: [
        'id',
        'userId',
        'vaultId',
        'fromAgentId',
        'senderType',
        'targetId',
        'targetType',
        'category',
        'template?',
        'parentMessageId?',
        'threadId',
      ],
      bytes: ['externalTag?', 'body'],
      long: ['expiresAt', 'createdAt'],
      small: ['priority'],
    }),
    schema
      .createIndex('messages_external')
      .on('messages')
      .columns(['userId', 'vaultId', 'externalTag'])
      .unique()
      .where(sql.ref('externalTag'), 'is not', null),
    // What is not expired stands at the end: an inbox is read without what lies behind.
    schema.createIndex('messages_inbox').on('messages').columns(['userId', 'targetId', 'expiresAt']),
    schema.createIndex('messages_sent').on('messages').columns(['userId', 'fromAgentId', 'expiresAt']),
    schema.createIndex('messages_age').on('messages').columns(['userId', 'vaultId', 'createdAt']),
    table(schema, types, 'messageAcks', ['userId', 'vaultId', 'messageId', 'recipientType', 'recipientId'], {
      text: ['userId', 'vaultId', 'messageId', 'recipientType', 'recipientId'],
      bytes: ['note?'],
      long: ['acknowledgedAt'],
      small: [],
    }),
  ]
}

function sessions(schema: SchemaModule, types: ColumnTypes): Compilable[] {
  return [
    table(schema, types, 'sessionMarks', ['userId', 'vaultId', 'agentTag'], {
      text: ['userId', 'vaultId', 'summaryMemoryId?'],
      bytes: ['agentTag'],
      long: ['at', 'seq', 'summaryAt?'],
      small: [],
    }),
    schema.createIndex('sessionMarks_summaries').on('sessionMarks').columns(['userId', 'vaultId', 'summaryAt']),
    table(schema, types, 'checkpoints', ['userId', 'vaultId', 'tag'], {
      text: ['userId', 'vaultId'],
      bytes: ['tag', 'answer'],
      long: ['createdAt'],
      small: [],
    }),
    schema.createIndex('checkpoints_age').on('checkpoints').columns(['userId', 'vaultId', 'createdAt']),
    schema.dropIndex('memories_counts'),
    // In its place: the newest of each type and importance, which is where the most important and least aged ones are; with
    // `expiresAt` it counts live memories as well. One index for both: each more makes a write some 20 µs longer.
    schema
      .createIndex('memories_ranked')
      .on('memories')
      // The last two are always null here; SQLite reads them from the rows where the index lacks them.
      .columns(['userId', 'vaultId', 'type', 'importance', 'occurredAt', 'expiresAt', 'archivedAt', 'supersededById'])
      .where(sql.ref('archivedAt'), 'is', null)
      .where(sql.ref('supersededById'), 'is', null),
  ]
}

/** See 0001. An agent's inbox is small beside all messages of a vault, and what one recipient did beside what all did. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('messages', 'sqlite_autoindex_messages_1', '1000000 1000000 1'),
    ('messages', 'messages_external', '1000000 1000000 1000000 1'),
    ('messages', 'messages_inbox', '1000000 1000000 1000 1'),
    ('messages', 'messages_sent', '1000000 1000000 1000 1'),
    ('messages', 'messages_age', '1000000 1000000 1000000 1'),
    ('messageAcks', 'sqlite_autoindex_messageAcks_1', '1000000 1000000 1000000 5 5 1'),
    ('memories', 'memories_ranked', '1000000 1000000 1000000 100000 20000 1 1 1 1')`,
  'ANALYZE sqlite_schema',
]
