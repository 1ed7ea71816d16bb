import { sql, type Compilable, type SchemaModule } from 'kysely'
import type { ColumnTypes } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

export const initial: Migration = {
  name: '0001-initial',
  statements: ({ read, columns, dialect }) => [
    ...accounts(read.schema, columns),
    ...vaults(read.schema, columns),
    ...records(read.schema, columns),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/**
 * How many rows share each beginning of an index's key, for a user and a vault that hold nearly all rows. Without these
 * numbers SQLite guesses ten for any key, and reads a whole vault, or all links of a user, to find ten records of it
 * (65 ms at 100,000 memories). PostgreSQL counts for itself.
 */
const sqliteStatistics = [
  'ANALYZE',
  'DELETE FROM sqlite_stat1',
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'sqlite_autoindex_memories_1', '1000000 1000000 1'),
    ('memories', 'memories_external', '1000000 1000000 1000000 1'),
    ('memories', 'memories_counts', '1000000 1000000 1000000 100000 50000 50000 50000'),
    ('links', 'sqlite_autoindex_links_1', '1000000 1000000 1'),
    ('links', 'links_triple', '1000000 1000000 1000000 5 2 1'),
    ('links', 'links_changes', '1000000 1000000 1000000 2'),
    ('indexEntries', 'sqlite_autoindex_indexEntries_1', '1000000 1000000 1'),
    ('indexEntries', 'indexEntries_changes', '1000000 1000000 1000000 2'),
    ('indexEntries', 'indexEntries_noVectors', '1000000 1000000 1000000 1')`,
  // The open connection learns them too.
  'ANALYZE sqlite_schema',
]

function accounts(schema: SchemaModule, types: ColumnTypes): Compilable[] {
  return [
    table(schema, types, 'instance', ['id'], {
      text: ['id', 'rootKeyId'],
      bytes: ['rootKeyCheck', 'wrappedInstanceKey'],
      long: ['createdAt'],
      small: [],
    }),
    table(schema, types, 'users', ['id'], {
      text: ['id', 'passwordHash'],
      bytes: ['emailTag', 'profile', 'wrappedMek'],
      long: ['createdAt'],
      small: ['isOwner', 'mekVersion'],
    }),
    schema.createIndex('users_email').on('users').column('emailTag').unique(),
    // Two set-ups at once: one wins.
    schema.createIndex('users_owner').on('users').column('isOwner').unique().where(sql.ref('isOwner'), '=', sql.lit(1)),
    table(schema, types, 'dashboardCredentials', ['userId', 'id'], {
      text: ['id', 'userId', 'kind'],
      bytes: ['secretHash'],
      long: ['createdAt', 'lastUsedAt', 'expiresAt?'],
      small: [],
    }),
    schema.createIndex('dashboardCredentials_secret').on('dashboardCredentials').column('secretHash').unique(),
    table(schema, types, 'integrations', ['userId', 'id'], {
      text: ['id', 'userId', 'preset', 'primaryVaultId?'],
      bytes: ['profile', 'wrappedMek?'],
      long: ['createdAt', 'updatedAt'],
      small: ['restrictToVault', 'isActive', 'mekVersion', 'version'],
    }),
    table(schema, types, 'vaultGrants', ['userId', 'integrationId', 'vaultId'], {
      text: ['userId', 'integrationId', 'vaultId', 'preset?'],
      bytes: [],
      long: [],
      small: [],
    }),
    table(schema, types, 'agentKeys', ['userId', 'id'], {
      text: ['id', 'userId', 'integrationId', 'lastFour', 'vaultId?'],
      bytes: ['keyHash', 'label?'],
      long: ['createdAt', 'expiresAt?', 'revokedAt?', 'lastUsedAt?'],
      small: [],
    }),
    schema.createIndex('agentKeys_hash').on('agentKeys').column('keyHash').unique(),
  ]
}

function vaults(schema: SchemaModule, types: ColumnTypes): Compilable[] {
  return [
    table(schema, types, 'vaults', ['userId', 'id'], {
      text: ['id', 'userId'],
      bytes: ['profile'],
      long: ['seq', 'createdAt', 'updatedAt'],
      small: ['isDefault', 'version'],
    }),
    table(schema, types, 'vaultKeys', ['userId', 'scopeId', 'generation'], {
      text: ['userId', 'scopeId'],
      bytes: ['wrappedKey'],
      long: ['createdAt'],
      small: ['generation', 'mekVersion'],
    }),
  ]
}

function records(schema: SchemaModule, types: ColumnTypes): Compilable[] {
  return [
    table(schema, types, 'memories', ['userId', 'id'], {
      text: ['id', 'userId', 'vaultId', 'type', 'supersedesId?', 'supersededById?', 'integrationId?'],
      bytes: ['externalTag?', 'head', 'body'],
      long: ['createdAt', 'updatedAt', 'occurredAt', 'archivedAt?', 'expiresAt?', 'lastAccessedAt?'],
      small: ['importance', 'confidence', 'contentRevision', 'version', 'accessCount'],
    }),
    schema
      .createIndex('memories_external')
      .on('memories')
      .columns(['userId', 'vaultId', 'externalTag'])
      .unique()
      .where(sql.ref('externalTag'), 'is not', null),
    // Counts a vault's live memories without touching their rows.
    schema
      .createIndex('memories_counts')
      .on('memories')
      // The last two are always null here; SQLite reads them from the rows where the index lacks them.
      .columns(['userId', 'vaultId', 'type', 'expiresAt', 'archivedAt', 'supersededById'])
      .where(sql.ref('archivedAt'), 'is', null)
      .where(sql.ref('supersededById'), 'is', null),
    table(schema, types, 'links', ['userId', 'id'], {
      text: ['id', 'userId', 'vaultId', 'sourceType', 'sourceId', 'targetType', 'targetId', 'relationType', 'origin'],
      bytes: ['label?'],
      long: ['seq', 'createdAt'],
      small: [],
    }),
    schema
      .createIndex('links_triple')
      .on('links')
      .columns(['userId', 'vaultId', 'sourceId', 'targetId', 'relationType'])
      .unique(),
    schema.createIndex('links_changes').on('links').columns(['userId', 'vaultId', 'seq']),
    table(schema, types, 'indexEntries', ['userId', 'itemId'], {
      text: ['itemId', 'userId', 'vaultId', 'kind', 'type'],
      bytes: ['entry'],
      long: ['seq', 'createdAt', 'occurredAt', 'expiresAt?', 'supersededAt?'],
      small: ['importance', 'archived', 'vectorsMissing', 'revision'],
    }),
    schema.createIndex('indexEntries_changes').on('indexEntries').columns(['userId', 'vaultId', 'seq']),
    schema
      .createIndex('indexEntries_noVectors')
      .on('indexEntries')
      .columns(['userId', 'vaultId', 'itemId'])
      .where(sql.ref('vectorsMissing'), '=', sql.lit(1)),
    table(schema, types, 'indexSnapshots', ['userId', 'vaultId', 'seq', 'segment'], {
      text: ['userId', 'vaultId'],
      bytes: ['cell'],
      long: ['seq'],
      small: ['segment', 'segments'],
    }),
  ]
}
