import { sql, type Compilable, type SchemaModule } from 'kysely'
import type { ColumnTypes } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

export const notes: Migration = {
  name: '0004-notes',
  statements: ({ read, columns, dialect }) => [
    ...notesAndFolders(read.schema, columns),
    ...belongings(read.schema, columns),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('notes', 'sqlite_autoindex_notes_1', '100000 100000 1'),
    ('notes', 'notes_external', '100000 100000 100000 1'),
    ('notes', 'notes_newest', '100000 100000 100000 1 1 1'),
    ('notes', 'notes_live', '100000 100000 100000 1000 1 1'),
    ('notes', 'notes_title', '100000 100000 100000 2 1 1'),
    ('noteTags', 'sqlite_autoindex_noteTags_1', '300000 300000 300000 300 1'),
    ('noteTags', 'noteTags_note', '300000 300000 3'),
    ('noteVersions', 'sqlite_autoindex_noteVersions_1', '300000 300000 5 1'),
    ('wikiTargets', 'sqlite_autoindex_wikiTargets_1', '300000 300000 300000 5 1'),
    ('wikiTargets', 'wikiTargets_note', '300000 300000 5'),
    ('folders', 'sqlite_autoindex_folders_1', '10000 10000 1'),
    ('folders', 'folders_name', '10000 10000 10000 1'),
    ('folders', 'folders_parent', '10000 10000 10000 10 1')`,
  'ANALYZE sqlite_schema',
]

const notesAndFolders = (schema: SchemaModule, types: ColumnTypes): Compilable[] => [
  table(schema, types, 'notes', ['userId', 'id'], {
    text: ['id', 'userId', 'vaultId', 'folderId?'],
    // Lists open heads alone, which lie before what may be long.
    bytes: ['titleTag', 'externalTag?', 'head', 'body'],
    long: ['trashedAt?', 'createdAt', 'updatedAt'],
    small: ['wordCount', 'contentRevision', 'version'],
  }),
  schema
    .createIndex('notes_external')
    .on('notes')
    .columns(['userId', 'vaultId', 'externalTag'])
    .unique()
    .where(sql.ref('externalTag'), 'is not', null),
  // Pages of many folders are picked out of it without touching the rows of others.
  schema.createIndex('notes_newest').on('notes').columns(['userId', 'vaultId', 'id', 'trashedAt', 'folderId']),
  // Counts the live notes of vaults and folders, and finds the oldest of a title, without touching rows. The last column is
  // always null here; SQLite reads it from the rows where the index lacks it.
  schema
    .createIndex('notes_live')
    .on('notes')
    .columns(['userId', 'vaultId', 'folderId', 'id', 'trashedAt'])
    .where(sql.ref('trashedAt'), 'is', null),
  schema
    .createIndex('notes_title')
    .on('notes')
    .columns(['userId', 'vaultId', 'titleTag', 'id', 'trashedAt'])
    .where(sql.ref('trashedAt'), 'is', null),
  table(schema, types, 'folders', ['userId', 'id'], {
    text: ['id', 'userId', 'vaultId', 'parentId?'],
    bytes: ['nameTag', 'name'],
    long: ['createdAt', 'updatedAt'],
    small: ['version'],
  }),
  schema.createIndex('folders_name').on('folders').columns(['userId', 'vaultId', 'nameTag']).unique(),
  schema.createIndex('folders_parent').on('folders').columns(['userId', 'vaultId', 'parentId', 'id']),
]

const belongings = (schema: SchemaModule, types: ColumnTypes): Compilable[] => [
  table(schema, types, 'noteTags', ['userId', 'vaultId', 'tag', 'noteId'], {
    text: ['userId', 'vaultId', 'noteId'],
    bytes: ['tag'],
    long: [],
    small: [],
  }),
  schema.createIndex('noteTags_note').on('noteTags').columns(['userId', 'noteId']),
  table(schema, types, 'noteVersions', ['userId', 'noteId', 'version'], {
    text: ['userId', 'vaultId', 'noteId'],
    bytes: ['state'],
    long: [],
    small: ['version'],
  }),
  table(schema, types, 'wikiTargets', ['userId', 'vaultId', 'titleTag', 'noteId'], {
    text: ['userId', 'vaultId', 'noteId'],
    bytes: ['titleTag'],
    long: [],
    small: [],
  }),
  schema.createIndex('wikiTargets_note').on('wikiTargets').columns(['userId', 'noteId']),
]
