import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/** Changes that agents propose, and what agents removed of what a person wrote. */
export const proposals: Migration = {
  name: '0008-proposals',
  statements: ({ columns, dialect }) => {
    const { table, index, unique } = describeSchema(columns)
    return [
      table('proposals', {
        key: 'userId vaultId id',
        text: 'userId vaultId id integrationId recordType recordId status',
        long: 'createdAt settledAt?',
        bytes: 'tag runTag? body',
      }),
      unique('proposals_tag', 'proposals', 'userId vaultId tag'),
      'ALTER TABLE "memories" ADD COLUMN "removedById" text',
      index('memories_removed', 'memories', 'userId vaultId updatedAt id', '"removedById" IS NOT NULL'),
      'ALTER TABLE "notes" ADD COLUMN "removedById" text',
      index('notes_removed', 'notes', 'userId vaultId updatedAt id', '"removedById" IS NOT NULL'),
      ...(dialect === 'sqlite' ? statistics : []),
    ]
  },
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_removed', '1000 1000 1000 2 1'),
    ('notes', 'notes_removed', '1000 1000 1000 2 1'),
    ('proposals', 'sqlite_autoindex_proposals_1', '1000 1000 1000 1'),
    ('proposals', 'proposals_tag', '1000 1000 1000 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
