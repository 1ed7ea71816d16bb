import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Lists of notes that begin with the one that was changed last, in an index that holds all that they are narrowed by. */
export const notesUpdated: Migration = {
  name: '0020-notes-updated',
  statements: ({ read, dialect }) => [
    read.schema
      .createIndex('notes_updated')
      .on('notes')
      .columns(['userId', 'vaultId', 'updatedAt', 'id', 'trashedAt', 'folderId']),
    ...(dialect === 'sqlite' ? sqliteStatistics.map((text) => ({ compile: () => sql.raw(text).compile(read) })) : []),
  ],
}

/** See 0001. */
const sqliteStatistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('notes', 'notes_updated', '100000 100000 100000 2 1 1 1')`,
  'ANALYZE sqlite_schema',
]
