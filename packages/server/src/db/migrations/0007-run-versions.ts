import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/** Finds the texts that a run replaced. Documents need no index: a vault has four. */
export const runVersions: Migration = {
  name: '0007-run-versions',
  statements: ({ columns, dialect }) => {
    const { index } = describeSchema(columns)
    const isReplaced = '"replacedInRun" IS NOT NULL'
    return [
      index('memoryVersions_run', 'memoryVersions', 'userId vaultId replacedInRun memoryId version', isReplaced),
      index('noteVersions_run', 'noteVersions', 'userId vaultId replacedInRun noteId version', isReplaced),
      ...(dialect === 'sqlite' ? statistics : []),
    ]
  },
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memoryVersions', 'memoryVersions_run', '100000 100000 100000 20 2 1'),
    ('noteVersions', 'noteVersions_run', '300000 300000 300000 20 2 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
