import { sql, type Compilable, type SchemaModule } from 'kysely'
import type { ColumnTypes } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

export const sessions: Migration = {
  name: '0007-sessions',
  statements: ({ read, columns, dialect }) => [
    ...settings(read.schema, columns),
    ...documents(read.schema, columns),
    ...runsAndTurns(read.schema, columns),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

// As in 0001: how many rows share each beginning of a key, where nearly all rows are of one vault.
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('runs', 'sqlite_autoindex_runs_1', '100000 100000 1'),
    ('runs', 'runs_tag', '100000 100000 100000 1'),
    ('runs', 'runs_seen', '100000 100000 100000 1'),
    ('turns', 'sqlite_autoindex_turns_1', '1000000 1000000 1'),
    ('turns', 'turns_created', '1000000 1000000 1000000 2')`,
  'ANALYZE sqlite_schema',
]

// Null where all settings are the defaults. A call reads them with the vault's keys.
const settings = (schema: SchemaModule, types: ColumnTypes): Compilable[] => [
  schema.alterTable('vaults').addColumn('settings', types.bytes === 'blob' ? sql`blob` : sql`bytea`),
  schema
    .alterTable('vaults')
    .addColumn('settingsVersion', 'integer', (definition) => definition.notNull().defaultTo(1)),
]

const documents = (schema: SchemaModule, types: ColumnTypes): Compilable[] => [
  table(schema, types, 'documents', ['userId', 'id'], {
    text: ['id', 'userId', 'vaultId', 'documentType', 'inheritMode'],
    bytes: ['body'],
    long: ['createdAt', 'updatedAt'],
    small: ['agentEditable', 'appendOnly', 'templateVersion', 'version'],
  }),
  schema.createIndex('documents_type').on('documents').columns(['userId', 'vaultId', 'documentType']).unique(),
  table(schema, types, 'documentVersions', ['userId', 'vaultId', 'documentId', 'version'], {
    text: ['userId', 'vaultId', 'documentId'],
    bytes: ['body'],
    long: ['createdAt'],
    small: ['version'],
  }),
]

const runsAndTurns = (schema: SchemaModule, types: ColumnTypes): Compilable[] => [
  table(schema, types, 'runs', ['userId', 'id'], {
    text: ['id', 'userId', 'vaultId', 'integrationId?'],
    bytes: ['runTag', 'agentTag', 'head'],
    long: ['startedAt', 'lastSeenAt', 'endedAt?'],
    small: ['headRevision', 'toolCalls'],
  }),
  schema.createIndex('runs_tag').on('runs').columns(['userId', 'vaultId', 'runTag']).unique(),
  // Who was here lately.
  schema.createIndex('runs_seen').on('runs').columns(['userId', 'vaultId', 'lastSeenAt']),
  table(schema, types, 'turns', ['userId', 'id'], {
    text: ['id', 'userId', 'vaultId', 'integrationId?', 'status'],
    bytes: ['body'],
    long: ['occurredAt', 'createdAt'],
    small: ['score'],
  }),
  // What retention deletes.
  schema.createIndex('turns_created').on('turns').columns(['userId', 'vaultId', 'createdAt']),
  table(schema, types, 'extractionJobs', ['userId', 'vaultId', 'turnId'], {
    text: ['userId', 'vaultId', 'turnId'],
    bytes: [],
    long: ['dueAt'],
    small: ['attempt'],
  }),
  schema.createIndex('extractionJobs_due').on('extractionJobs').column('dueAt'),
]
